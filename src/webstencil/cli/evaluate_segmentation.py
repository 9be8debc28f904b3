"""`webstencil evaluate segmentation`."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TypedDict, Unpack

import click

from webstencil.cli import screen
from webstencil.cli.evaluate_commands import cache_option
from webstencil.cli.evaluate_floors import floors_options, hold
from webstencil.cli.shared_options import PATH, json_option
from webstencil.errors import SettingsError
from webstencil.evaluate.archives import unpacked
from webstencil.evaluate.compare import FINEST, GRAINS
from webstencil.evaluate.floors import Measured
from webstencil.evaluate.kreuzer import LabelledPage, corpus, read_pages
from webstencil.evaluate.published import PUBLISHED, SOURCE, PublishedRow
from webstencil.evaluate.segmentation import (
    FLOOR_STEPS,
    Mean,
    SegmentationRow,
    SegmentationScore,
    average,
    half,
    held_scores,
    paint,
    score_pages,
)
from webstencil.evaluate.snapshots import KeepingRenderer, cache_folder
from webstencil.protocols import Segmenter
from webstencil.segment import SEGMENTERS, make_segmenter

ALL = "all"
SUMS = ("P", "R", "F", "F*")
TITLES = {
    "1": "against the {blocks:.1f} blocks of level 1 a page",
    "2": "against the {blocks:.1f} blocks of level 2 a page",
    FINEST: "against the smallest block around each node ({blocks:.1f} a page)",
}


class SegmentationOptions(TypedDict):
    """What a person asks for."""

    path: Path
    names: tuple[str, ...]
    values: tuple[str, ...]
    which: str
    oracle: bool
    as_json: bool
    cache: Path | None
    floors: Path | None
    new_floors: bool


@click.command("segmentation")
@click.argument("path", type=PATH)
@click.option(
    "--with",
    "names",
    type=click.Choice([ALL, *sorted(SEGMENTERS)]),
    multiple=True,
    default=(ALL,),
    show_default=True,
    help="A segmenter; may be given several times.",
)
@click.option(
    "--set", "values", metavar="NAME=VALUE", multiple=True, help="A setting of the one segmenter."
)
@click.option(
    "--half",
    "which",
    type=click.Choice([ALL, "tune", "check"]),
    default=ALL,
    show_default=True,
    help="Take all pages, those on which settings are chosen, or the others.",
)
@click.option("--oracle", is_flag=True, help="Score also the best setting of each page.")
@json_option("all scores")
@floors_options
@cache_option
def segmentation_command(**wanted: Unpack[SegmentationOptions]) -> None:
    """Score segmenters against hand-marked blocks.

    PATH is a folder with pages X.dom.html and X.blocks.html, or a tar archive of one.
    """
    methods = chosen(wanted["names"], wanted["values"])
    cache = wanted["cache"] or cache_folder()
    pages = half(tuple(read_pages(unpacked(wanted["path"], cache))), wanted["which"])
    with KeepingRenderer(cache / "snapshots") as renderer:
        cases = [paint(page, renderer) for page in pages]
    scores = score_pages(cases, methods, oracle=wanted["oracle"])
    rows = average(scores)
    if wanted["as_json"]:
        screen.say(report(pages, rows, scores))
    else:
        show_tables(rows)
        show_notes(pages, scores)
    measured = Measured(corpus(pages), held_scores(rows))
    hold(wanted["floors"], [measured], FLOOR_STEPS, new=wanted["new_floors"])


def chosen(names: Sequence[str], values: Sequence[str]) -> dict[str, Segmenter]:
    """Return the segmenters that are wanted, by name."""
    kept = sorted(SEGMENTERS) if ALL in names else list(dict.fromkeys(names))
    if values and len(kept) != 1:
        raise SettingsError(f"--set is for one segmenter, not for {len(kept)}; choose it by --with")
    return {name: make_segmenter(name, values) for name in kept}


def show_tables(rows: Sequence[SegmentationRow]) -> None:
    """Print a table for each grain, then what others have published."""
    blocks = {row.grain: row.areas for row in rows if row.method == "by hand"}
    for grain in GRAINS:
        below_it = [row for row in rows if row.grain == grain and row.method != "by hand"]
        if below_it:
            pages = f"{below_it[0].pages} pages, "
            show_table(pages + TITLES[grain].format(blocks=blocks[grain]), below_it)
    show_table(SOURCE, PUBLISHED)


def show_table(title: str, rows: Sequence[SegmentationRow | PublishedRow]) -> None:
    """Print precision, recall, F and F* of each method."""
    sums = [f"{name} {sum_}" for name in ("nodes", "chars", "pixels") for sum_ in SUMS]
    table = screen.plain_table("method", *sums, "areas", "s/page", "failed", title=title)
    for row in rows:
        cells = [row.method]
        for mean in (row.nodes, row.characters, row.pixels):
            cells += figures(mean, digits=3 if isinstance(row, SegmentationRow) else 2)
        cells.append(f"{row.areas:.1f}")
        if isinstance(row, SegmentationRow):
            cells += (f"{row.seconds:.3f}", str(row.failed))
        table.add_row(*cells)
    screen.show(table)
    screen.say("")


def figures(mean: Mean, digits: int) -> Iterator[str]:
    """Write precision, recall, F and F*."""
    for value in (mean.precision, mean.recall, mean.f, mean.f_star):
        yield f"{value:.{digits}f}"


def show_notes(pages: Sequence[LabelledPage], scores: Sequence[SegmentationScore]) -> None:
    """Name the pages that failed or are not what they should be."""
    for page in pages:
        if page.swapped:
            screen.say(f"{page.name}: X.dom.html is another page; painted X.blocks.html unlabelled")
        if page.lost:
            screen.say(f"{page.name}: {page.lost} labels are of nodes that X.dom.html has not")
    failed = {(score.method, score.page): score.problem for score in scores if score.problem}
    for (method, name), problem in failed.items():
        screen.say(f"{method} failed on {name}, which counts as left whole: {problem}")


def report(
    pages: Sequence[LabelledPage],
    rows: Sequence[SegmentationRow],
    scores: Sequence[SegmentationScore],
) -> str:
    """Write all scores as JSON."""
    return json.dumps(
        {
            "corpus": corpus(pages),
            "pages": [
                {"name": page.name, "lost_labels": page.lost, "swapped": page.swapped}
                for page in pages
            ],
            "rows": [asdict(row) for row in rows],
            "scores": [asdict(score) for score in scores],
            "published": {"source": SOURCE, "rows": [asdict(row) for row in PUBLISHED]},
        },
        indent=1,
    )
