"""`webstencil evaluate fidelity`."""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from statistics import fmean
from typing import Unpack

import click

from webstencil.cli import screen
from webstencil.cli.evaluate_commands import cache_option
from webstencil.cli.evaluate_sites import budget_option, open_sites, refuse_none, sites_argument
from webstencil.cli.jobs import audit_option
from webstencil.cli.method_options import MethodOptions, method_settings, with_method
from webstencil.cli.options import json_option, table_option
from webstencil.cli.site_fidelity_report import figure, show_sites, site_report
from webstencil.evaluate import fidelity
from webstencil.evaluate.fidelity import BAD, FidelityCost, FidelityRow, HitScore, mean
from webstencil.evaluate.kept_areas import AREAS, KeepingSegmenter
from webstencil.evaluate.order import Crawled
from webstencil.evaluate.site_fidelity import (
    SiteFidelityRow,
    SiteFidelitySettings,
    SitePageScore,
    measure_site,
)
from webstencil.evaluate.site_sample import SiteSample
from webstencil.evaluate.snapshots import KeepingRenderer, cache_folder
from webstencil.evaluate.worst_hits import draw_worst
from webstencil.model import Mode
from webstencil.settings import Settings

JUDGED = 30  # hits of a site, in paper mode


class FidelityOptions(MethodOptions):
    """Options of `webstencil evaluate fidelity`."""

    sites: tuple[str, ...]
    pages: int | None
    sample: int | None
    seed: int
    budget: int | None
    every: int
    audit: int
    pictures: Path | None
    form: str
    as_json: bool
    cache: Path | None


@click.command("fidelity")
@sites_argument
@with_method
@click.option("--pages", type=click.IntRange(1), help="Take the first pages of a site only.")
@click.option(
    "--sample",
    type=click.IntRange(1),
    help=f"Of these, take so many random ones; in paper mode, hits to judge  [default: {JUDGED}].",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed for the choice.")
@budget_option
@click.option(
    "--every", type=click.IntRange(1), default=1, metavar="N", help="Paper mode: one page in N."
)
@audit_option
@click.option(
    "--pictures",
    type=click.Path(path_type=Path, file_okay=False),
    help="Draw the worst hits of each site into this folder.",
)
@table_option
@json_option("all scores")
@cache_option
def fidelity_command(**options: Unpack[FidelityOptions]) -> None:
    """Compare the areas of hits with what renderings say.

    In the default mode every page of the sample is rendered. Hits are compared with the areas of
    the site that all these pages decide on together, and with the page's own areas.

    In paper mode some hits are compared with their own renderings. Pages come in crawl order, and
    those that only redirect are left out.
    """
    settings = replace(method_settings(options), audit=options["audit"], budget=options["budget"])
    if settings.mode is Mode.DEFAULT:
        measure_sites(options, settings)
    else:
        measure_published(options, settings)


def measure_sites(options: FidelityOptions, settings: Settings) -> None:
    """Measure sites in the default mode."""
    cache = options["cache"] or cache_folder()
    wanted = SiteFidelitySettings(
        settings,
        KeepingSegmenter(settings.segmenter, cache / AREAS),
        SiteSample(options["pages"], options["sample"], options["seed"]),
    )
    rows: list[SiteFidelityRow] = []
    scores: list[SitePageScore] = []
    ticker = screen.Ticker()
    with KeepingRenderer(cache / "snapshots") as renderer:
        for site, source in open_sites(options["sites"]).items():
            row, judged = measure_site(site, source, wanted, renderer, renderer.renderer)
            refuse_none(site, round(row.pages))
            rows.append(row)
            scores += judged
            ticker.tell(f"{site}: measured")
            if options["pictures"]:
                draw_worst(judged, source, settings, options["pictures"])
    if options["as_json"] or options["form"] == "json":
        screen.say(site_report(rows, scores))
    else:
        show_sites(options["name"], rows, scores, options["form"])


def measure_published(options: FidelityOptions, settings: Settings) -> None:
    """Measure sites in paper mode."""
    wanted = fidelity.FidelitySettings(
        settings,
        options["pages"],
        options["every"],
        options["sample"] or JUDGED,
        options["seed"],
    )
    rows: list[fidelity.FidelityRow] = []
    scores: list[fidelity.HitScore] = []
    with KeepingRenderer((options["cache"] or cache_folder()) / "snapshots") as renderer:
        for site, pages in open_sites(options["sites"]).items():
            source = Crawled(pages)
            row, judged = fidelity.measure(site, source, wanted, renderer, renderer.renderer)
            refuse_none(site, round(row.pages))
            rows.append(row)
            scores += judged
            if options["pictures"]:
                draw_worst(judged, source, settings, options["pictures"])
    if options["as_json"] or options["form"] == "json":
        screen.say(report(rows, scores))
    else:
        show(f"{options['name']}, mode {options['mode']}", rows, options["form"])


COLUMNS = (
    "site",
    "pages",
    "failed",
    "stencils",
    "hit ratio",
    "areas located",
    "judged",
    "text covered",
    "fidelity",
    f"below {BAD}",
    "random stencil",
    "own stencil",
    "parses/hit",
    "renderings/hit",
    "time saved",
)


def mean_row(rows: Sequence[FidelityRow]) -> FidelityRow:
    """Average over sites."""
    return FidelityRow(
        site="mean",
        pages=fmean(row.pages for row in rows),
        failed=fmean(row.failed for row in rows),
        stencils=fmean(row.stencils for row in rows),
        hit_ratio=mean(row.hit_ratio for row in rows),
        judged=fmean(row.judged for row in rows),
        located=mean(row.located for row in rows),
        covered=mean(row.covered for row in rows),
        fidelity=mean(row.fidelity for row in rows),
        bad=mean(row.bad for row in rows),
        chance=mean(row.chance for row in rows),
        own=mean(row.own for row in rows),
        cost=FidelityCost(
            mean(row.cost.parses for row in rows),
            mean(row.cost.renderings for row in rows),
            mean(row.cost.saved for row in rows),
        ),
    )


def show(title: str, rows: Sequence[FidelityRow], form: str) -> None:
    """Print a table of sites and of their mean."""
    if form == "table":
        screen.say(title)
    screen.show_rows(COLUMNS, map(cells, (*rows, mean_row(rows))), form)


def cells(row: FidelityRow) -> list[str]:
    """Write a row."""
    return [
        row.site,
        *(f"{round(count, 1):g}" for count in (row.pages, row.failed, row.stencils)),
        *map(figure, (row.hit_ratio, row.located)),
        f"{round(row.judged, 1):g}",
        *map(figure, (row.covered, row.fidelity, row.bad, row.chance, row.own)),
        figure(row.cost.parses, digits=1),
        figure(row.cost.renderings, digits=4),
        figure(row.cost.saved),
    ]


def report(rows: Sequence[FidelityRow], scores: Sequence[HitScore]) -> str:
    """Write all scores as JSON."""
    return json.dumps(
        {
            "rows": [asdict(row) for row in rows],
            "mean": asdict(mean_row(rows)),
            "hits": [asdict(replace(score, areas=())) for score in scores],
        },
        indent=1,
    )
