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
from webstencil.cli.evaluate_sites import (
    budget_option,
    open_sites,
    refuse_none,
    sites_argument,
    with_sample,
)
from webstencil.cli.method_options import SegmenterOptions, chosen_segmenter, with_segmenter
from webstencil.cli.options import json_option, table_option
from webstencil.evaluate.kept_areas import AREAS, KeepingSegmenter
from webstencil.evaluate.site_landmarks import (
    LandmarkRow,
    LandmarkScore,
    LandmarkSettings,
    measure_landmarks,
)
from webstencil.evaluate.site_sample import SiteSample
from webstencil.evaluate.snapshots import KeepingRenderer, cache_folder

COLUMNS = (
    *("site", "pages", "scored", "rendered", "areas", "P", "R", "F", "fine P", "fine R", "fine F"),
    *("areas/page", "fidelity", "below .8", "two plans"),
)
LOSS = 0.01  # of F; a smaller one is none
OWN, PLANNED, FULL = "own", "site", "site, all rendered"


class LandmarkOptions(SegmenterOptions):
    """Options of `webstencil evaluate landmarks`."""

    sites: tuple[str, ...]
    pages: int | None
    sample: int | None
    budget: int | None
    seed: int
    form: str
    as_json: bool
    cache: Path | None


@click.command("landmarks")
@sites_argument
@with_segmenter
@with_sample
@budget_option
@table_option
@json_option("all scores")
@cache_option
def landmarks_command(**options: Unpack[LandmarkOptions]) -> None:
    """Score the areas of sites against the landmarks that authors set.

    Every page is rendered for its own areas. Those of the site are decided by the planned pages,
    and by all pages. Names of landmarks are hidden from the program. Scores are means over pages
    with three landmarks or more.
    """
    cache = options["cache"] or cache_folder()
    wanted = LandmarkSettings(
        KeepingSegmenter(chosen_segmenter(options), cache / AREAS),
        SiteSample(options["pages"], options["sample"], options["seed"]),
        options["budget"],
    )
    rows: list[LandmarkRow] = []
    ticker = screen.Ticker()
    with KeepingRenderer(cache / "snapshots") as renderer:
        for name, source in open_sites(options["sites"]).items():
            rows.append(measure_landmarks(name, source, wanted, renderer))
            refuse_none(name, rows[-1].pages + rows[-1].failed)
            ticker.tell(f"{name}: measured")
    if options["as_json"] or options["form"] == "json":
        screen.say(json.dumps([asdict(row) for row in rows], indent=1, ensure_ascii=False))
    else:
        screen.show_rows(COLUMNS, [*lines_of(rows), *means_of(rows)], options["form"])
        if options["form"] == "table":
            screen.say(words_of_losses(rows))


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
    share = fmean(row.rendered / row.pages for row in rows if row.pages)
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


def words_of_losses(rows: Sequence[LandmarkRow]) -> str:
    """Name the sites whose areas are worse than those of pages rendered alone."""
    counted = [(row.site, row.own, row.planned) for row in rows if row.own and row.planned]
    coarse = [site for site, own, ours in counted if own.coarse_f - ours.coarse_f > LOSS]
    fine = [site for site, own, ours in counted if own.fine_f - ours.fine_f > LOSS]
    told = [
        f"{name}: {len(sites)} of {len(counted)}{' (' if sites else ''}{', '.join(sites)}"
        f"{')' if sites else ''}"
        for name, sites in (("F", coarse), ("fine F", fine))
    ]
    return f"below {OWN} by more than {LOSS}: {'; '.join(told)}"


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
