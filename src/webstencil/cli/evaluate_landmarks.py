"""`webstencil evaluate landmarks`."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import Unpack

import click

from webstencil.cli import screen
from webstencil.cli.evaluate_commands import cache_option
from webstencil.cli.evaluate_sites import open_sites, refuse_none, sites_argument
from webstencil.cli.method_options import SegmenterOptions, chosen_segmenter, with_segmenter
from webstencil.cli.shared_options import json_option, table_option
from webstencil.evaluate.site_landmarks import (
    BUDGET,
    LandmarkRow,
    LandmarkScore,
    LandmarkSettings,
    measure_landmarks,
)
from webstencil.evaluate.snapshots import KeepingRenderer, cache_folder

COLUMNS = (
    *("site", "pages", "scored", "rendered", "areas", "P", "R", "F", "fine P", "fine R", "fine F"),
    *("areas/page", "fidelity", "below .8", "two plans"),
)
OWN, PLANNED, FULL = "own", "site", "site, all rendered"


class LandmarkOptions(SegmenterOptions):
    """Options of `webstencil evaluate landmarks`."""

    sites: tuple[str, ...]
    pages: int | None
    sample: int | None
    budget: int
    seed: int
    form: str
    as_json: bool
    cache: Path | None


@click.command("landmarks")
@sites_argument
@with_segmenter
@click.option("--pages", type=click.IntRange(1), help="Take the first pages of a site only.")
@click.option("--sample", type=click.IntRange(1), help="Of these, take so many random ones.")
@click.option(
    "--budget",
    type=click.IntRange(1),
    default=BUDGET,
    show_default=True,
    help="Pages that are rendered for the areas of a site.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Random seed for the choice of pages."
)
@table_option
@json_option("all scores")
@cache_option
def landmarks_command(**options: Unpack[LandmarkOptions]) -> None:
    """Score the areas of sites against the landmarks that authors set.

    Every page is rendered for its own areas. Those of the site are decided by the planned pages,
    and by all pages. Names of landmarks are hidden from the program. Scores are means over pages
    with three landmarks or more.
    """
    wanted = LandmarkSettings(
        chosen_segmenter(options),
        options["pages"],
        options["sample"],
        options["budget"],
        options["seed"],
    )
    rows: list[LandmarkRow] = []
    ticker = screen.Ticker()
    with KeepingRenderer((options["cache"] or cache_folder()) / "snapshots") as renderer:
        for name, source in open_sites(options["sites"]).items():
            rows.append(measure_landmarks(name, source, wanted, renderer))
            refuse_none(name, rows[-1].pages)
            ticker.tell(f"{name}: measured")
    if options["as_json"] or options["form"] == "json":
        screen.say(json.dumps([asdict(row) for row in rows], indent=1, ensure_ascii=False))
    else:
        screen.show_rows(COLUMNS, [*lines_of(rows), *means_of(rows)], options["form"])


def lines_of(rows: Sequence[LandmarkRow]) -> Iterator[list[str]]:
    """Write three lines for each site."""
    for row in rows:
        start = [row.site, str(row.pages), str(row.scored)]
        told = [shown(row.fidelity), shown(row.bad), shown(row.agreement)]
        yield [*start, str(row.pages), OWN, *scores(row.own), "", "", ""]
        yield ["", "", "", str(row.rendered), PLANNED, *scores(row.planned), *told]
        yield ["", "", "", str(row.pages), FULL, *scores(row.full), "", "", ""]


def means_of(rows: Sequence[LandmarkRow]) -> Iterator[list[str]]:
    """Write the means over sites with landmarks."""
    counted = [row for row in rows if row.own and row.planned and row.full]
    if len(counted) < 2:
        return
    share = fmean(row.rendered / row.pages for row in rows)
    told = [
        shown(fmean(value for row in rows if (value := getattr(row, name)) is not None))
        for name in ("fidelity", "bad", "agreement")
    ]
    columns = [
        (OWN, [row.own for row in counted], "100 %", ["", "", ""]),
        (PLANNED, [row.planned for row in counted], f"{share:.1%}", told),
        (FULL, [row.full for row in counted], "100 %", ["", "", ""]),
    ]
    for name, found, rendered, rest in columns:
        means = [
            f"{fmean(float(one) for one in column):.3f}"
            for column in zip(*[numbers(score) for score in found if score], strict=True)
        ]
        yield [f"mean of {len(counted)}", "", "", rendered, name, *means, *rest]


def numbers(score: LandmarkScore) -> list[float]:
    """List the figures of a score."""
    coarse, fine = score.coarse, score.fine
    return [
        *(coarse.precision, coarse.recall, score.coarse_f),
        *(fine.precision, fine.recall, score.fine_f),
        score.areas,
    ]


def scores(score: LandmarkScore | None) -> list[str]:
    """Write a score."""
    if score is None:
        return ["-"] * 7
    *shares, areas = numbers(score)
    return [*map(shown, shares), f"{areas:.1f}"]


def shown(share: float | None) -> str:
    """Write a share."""
    return "-" if share is None else f"{share:.3f}"
