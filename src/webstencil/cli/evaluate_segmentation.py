"""`webstencil evaluate segmentation`."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TypedDict, Unpack

import click

from webstencil.cli import screen
from webstencil.cli.evaluate_commands import cache_option
from webstencil.cli.evaluate_floors import check_floors, floors_options
from webstencil.cli.method_options import (
    PAPER,
    chosen_segmenters,
    preset_option,
    set_options,
    settings_help,
)
from webstencil.cli.options import PATH, json_option
from webstencil.evaluate.archives import unpacked
from webstencil.evaluate.compare import FINEST, GRAINS
from webstencil.evaluate.floors import Measured
from webstencil.evaluate.kreuzer import LabelledPage, corpus, read_pages
from webstencil.evaluate.published_segmentation import PUBLISHED, SOURCE, PublishedRow
from webstencil.evaluate.segmentation import (
    FLOOR_STEPS,
    Mean,
    SegmentationRow,
    SegmentationScore,
    average,
    half,
    held_scores,
    render_case,
    score_pages,
)
from webstencil.evaluate.snapshots import KeepingRenderer, cache_folder
from webstencil.segment import SEGMENTERS

ALL = "all"
SUMS = ("P", "R", "F", "F*")
TITLES = {
    "1": "against the {blocks:.1f} blocks of level 1 a page",
    "2": "against the {blocks:.1f} blocks of level 2 a page",
    FINEST: "against the smallest block around each node ({blocks:.1f} a page)",
}


class SegmentationOptions(TypedDict):
    """Options of `webstencil evaluate segmentation`."""

    path: Path
    names: tuple[str, ...]
    values: tuple[str, ...]
    preset: str | None
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
    help="Segmenter (repeatable).",
)
@set_options
@preset_option
@settings_help
@click.option(
    "--half",
    "which",
    type=click.Choice([ALL, "tune", "check"]),
    default=ALL,
    show_default=True,
    help="All pages, the half to tune settings on, or the other half.",
)
@click.option("--oracle", is_flag=True, help="Also score the best setting of each page.")
@json_option("all scores")
@floors_options
@cache_option
def segmentation_command(**options: Unpack[SegmentationOptions]) -> None:
    """Score segmenters against hand-marked blocks.

    PATH is a folder with pages X.dom.html and X.blocks.html, or a tar archive of it.
    """
    methods = chosen_segmenters(
        () if ALL in options["names"] else options["names"],
        options["values"],
        published=options["preset"] == PAPER,
    )
    cache = options["cache"] or cache_folder()
    left_out: list[str] = []
    known = tuple(read_pages(unpacked(options["path"], cache), left_out.append))
    pages = half(known, options["which"])
    with KeepingRenderer(cache / "snapshots") as renderer:
        cases = [render_case(page, renderer) for page in pages]
    scores = score_pages(cases, methods, oracle=options["oracle"])
    rows = average(scores)
    if options["as_json"]:
        screen.say(report(pages, rows, scores))
    else:
        show_tables(rows)
        show_notes(pages, scores)
    measured = Measured(corpus(pages), held_scores(rows))
    screen.tell_left_out(left_out)
    check_floors(options["floors"], [measured], FLOOR_STEPS, new=options["new_floors"])


def show_tables(rows: Sequence[SegmentationRow]) -> None:
    """Print a table for each grain, then the published scores."""
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
    screen.show_table(title, ("method", *sums, "areas", "s/page", "failed"), map(cells, rows))


def cells(row: SegmentationRow | PublishedRow) -> list[str]:
    """Write a row; published ones have two digits and no times."""
    ours = isinstance(row, SegmentationRow)
    means = (row.nodes, row.characters, row.pixels)
    scores = [words for mean in means for words in figures(mean, digits=3 if ours else 2)]
    last = (f"{row.seconds:.3f}", str(row.failed)) if isinstance(row, SegmentationRow) else ()
    return [row.method, *scores, f"{row.areas:.1f}", *last]


def figures(mean: Mean, digits: int) -> Iterator[str]:
    """Write precision, recall, F and F*."""
    for value in (mean.precision, mean.recall, mean.f, mean.f_star):
        yield f"{value:.{digits}f}"


def show_notes(pages: Sequence[LabelledPage], scores: Sequence[SegmentationScore]) -> None:
    """Print the pages that failed or whose files differ."""
    for page in pages:
        if page.swapped:
            screen.say(
                f"{page.name}: X.dom.html is another page; X.blocks.html is rendered instead"
            )
        if page.lost:
            screen.say(f"{page.name}: X.dom.html lacks the nodes of {page.lost} labels")
    failed = {(score.method, score.page): score.problem for score in scores if score.problem}
    for (method, name), problem in failed.items():
        screen.say(f"{method} failed on {name}, which counts as one area: {problem}")


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
