"""`webstencil evaluate metadata`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from webstencil.cli import screen
from webstencil.cli.options import FILE, json_option
from webstencil.errors import SourceError
from webstencil.evaluate.metadata_gold import metadata_corpus, read_metadata_gold
from webstencil.evaluate.metadata_peers import metadata_peers
from webstencil.evaluate.metadata_scores import (
    OURS,
    FactsOf,
    FieldRow,
    FieldScore,
    field_rows,
    own_facts,
    score_metadata,
)

COLUMNS = (
    "field",
    "pages of",
    "method",
    "gold",
    "found",
    "right",
    "wrong",
    "P",
    "R",
    "F1",
    "near",
    "alike",
)


@click.command("metadata")
@click.argument("path", type=FILE, metavar="FILE")
@click.option("--peers", "with_peers", is_flag=True, help="Also score trafilatura and htmldate.")
@click.option("--worst", is_flag=True, help="List what was found wrong, and what was missed.")
@json_option("all scores")
def metadata_command(path: Path, with_peers: bool, worst: bool, as_json: bool) -> None:
    """Score title, date and author of pages against gold.

    FILE has pages with their title, date, author and page type, such as wcxb-dev.jsonl.xz. Each
    page is judged alone. A title is right if it has the same words in the same order, a date if it
    is the same day, authors if the same names were found. Of titles, "near" is the share that is
    right but for a name before or behind a separator, "alike" the mean word F1.
    """
    left_out: list[str] = []
    pages = [gold for gold, _ in read_metadata_gold(path, left_out.append)]
    if not pages:
        raise SourceError(f"{path} has no page that can be read; give labelled pages")
    methods: dict[str, FactsOf] = {OURS: own_facts}
    if with_peers:
        methods |= metadata_peers()
    scores, spent = score_metadata(pages, methods)
    rows = field_rows(scores)
    if as_json:
        screen.say(as_text(metadata_corpus(pages), rows, scores, spent))
    else:
        screen.show_rows(COLUMNS, [cells(row) for row in rows if row.found or row.method == OURS])
        screen.show_rows(("method", "ms/page"), [(name, f"{ms:.1f}") for name, ms in spent.items()])
        if worst:
            show_worst(scores)
    screen.tell_left_out(left_out)


def cells(row: FieldRow) -> list[str]:
    """Return a row of the table."""
    counts = (row.gold, row.found, row.right, row.wrong)
    shares = (row.precision, row.recall, row.f1)
    of_titles = ("" if share is None else f"{share:.3f}" for share in (row.near, row.alike))
    return [
        row.field,
        row.type,
        row.method,
        *map(str, counts),
        *(f"{x:.3f}" for x in shares),
        *of_titles,
    ]


def show_worst(scores: Sequence[FieldScore]) -> None:
    """Print what our own method found wrong or missed."""
    for one in scores:
        if one.method == OURS and not one.right and (one.gold or one.found):
            screen.say(f"{one.field} {one.type} {one.name}: {one.found!r}, gold {one.gold!r}")


def as_text(
    corpus: str,
    rows: Sequence[FieldRow],
    scores: Sequence[FieldScore],
    spent: Mapping[str, float],
) -> str:
    """Write all scores as JSON."""
    summary = [
        asdict(row)
        | {"wrong": row.wrong, "precision": row.precision, "recall": row.recall, "f1": row.f1}
        for row in rows
    ]
    found = {
        "corpus": corpus,
        "milliseconds": dict(spent),
        "rows": summary,
        "scores": [asdict(one) | {"right": one.right} for one in scores],
    }
    return json.dumps(found, indent=1, ensure_ascii=False)
