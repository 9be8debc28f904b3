"""`webstencil evaluate markdown`."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from webstencil.cli import screen
from webstencil.cli.options import FILE, json_option
from webstencil.errors import SourceError
from webstencil.evaluate.labelled_data import read_rows
from webstencil.evaluate.markdown_features import KEYS, MarkdownFeatures, score_rows, totals

MOST_SHOWN = 70  # characters of something missing


@click.command("markdown")
@click.argument("paths", metavar="FILE...", nargs=-1, required=True, type=FILE)
@click.option("--whole", is_flag=True, help="Write whole pages, not their main content.")
@click.option("--missing", is_flag=True, help="List what is missing, page by page.")
@json_option("all pages and totals")
def markdown_command(paths: tuple[Path, ...], whole: bool, missing: bool, as_json: bool) -> None:
    """Score the Markdown of pages by the features it keeps.

    FILE has pages with the Markdown that is expected of them (such as markdown.jsonl.xz). A page
    counts if all it should have is there: the languages of code blocks, formulas, footnotes,
    callouts, tables.
    """
    left_out: list[str] = []
    rows = (row for path in paths for row in read_rows(path, KEYS))
    pages = list(score_rows(rows, whole=whole, left_out=left_out.append))
    if not pages:
        raise SourceError(f"{', '.join(map(str, paths))} has no page; give pages with Markdown")
    if as_json:
        found = [{**asdict(row), "share": round(row.share, 4)} for row in totals(pages)]
        report = {"totals": found, "pages": [asdict(page) for page in pages], "left_out": left_out}
        screen.say(json.dumps(report, ensure_ascii=False))
    else:
        show(pages, missing=missing)
    screen.tell_left_out(left_out)


def show(pages: Sequence[MarkdownFeatures], *, missing: bool) -> None:
    """Print the totals, and what is missing page by page."""
    cells = [
        (row.name, str(row.pages), str(row.whole), f"{row.share:.3f}", f"{row.kept}/{row.expected}")
        for row in totals(pages)
    ]
    title = f"features of Markdown, {len(pages)} pages"
    screen.show_table(title, ("feature", "pages", "with all", "share", "kept"), cells)
    for page in pages if missing else ():
        for feature in page.features:
            for one in feature.missing:
                screen.say(f"{page.page}: {feature.name}: {one[:MOST_SHOWN]}")
