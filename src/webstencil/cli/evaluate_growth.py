"""`webstencil evaluate growth`."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Unpack

import click

from webstencil.cli import screen
from webstencil.cli.evaluate_sites import open_sites, refuse_none, shown_name, sites_argument, told
from webstencil.cli.method_options import SegmenterOptions, chosen_segmenter, with_segmenter
from webstencil.cli.options import FILE, json_option, table_option
from webstencil.evaluate.plan_growth import (
    PlanStep,
    SiteGrowth,
    at_random,
    by_site,
    site_growth,
    timed_pages,
)
from webstencil.evaluate.run_growth import RunGrowth, RunStep, run_steps
from webstencil.output.plot import PlotLine, check_plot, plot
from webstencil.settings import Settings
from webstencil.sources import Several

RANDOM, LISTED = "random", "listed"
COLUMNS = (
    *("pages", "renderings", "text covered", "forecast", "in doubt", "places", "templates"),
    *("read s", "parse s", "outline s", "decide s", "bare parse s", "parses/page", "bytes/page"),
)
RUN_COLUMNS = (
    *("site", "pages", "renderings", "share", "more than half", "failed", "forecast"),
    *("text covered", "s", "peak MB"),
)
SUMMARY = (
    *("site", "pages", "renderings", "of halves", "growth", "text covered", "in doubt"),
    *("survey s", "parses/page", "bytes/page", "peak MB"),
)


class GrowthOptions(SegmenterOptions):
    """Options of `webstencil evaluate growth`."""

    sites: tuple[str, ...]
    order: str
    halves: int
    render: bool
    sizes: tuple[int, ...]
    plot_path: Path | None
    form: str
    as_json: bool


@click.command("growth")
@sites_argument
@with_segmenter
@click.option(
    "--order",
    type=click.Choice([RANDOM, LISTED]),
    default=RANDOM,
    show_default=True,
    help="Survey random pages first, or the first ones.",
)
@click.option(
    "--halves",
    type=click.IntRange(1),
    default=9,
    show_default=True,
    metavar="N",
    help="Random halves of the pages whose plans the plan of all pages is compared with.",
)
@click.option(
    "--render",
    is_flag=True,
    help="Run whole jobs instead, with renderings; seconds are of the clock.",
)
@click.option(
    "--size",
    "sizes",
    type=click.IntRange(1),
    multiple=True,
    metavar="N",
    help="With --render: take N pages (repeatable).  [default: 250, 500, ... all]",
)
@click.option(
    "--plot",
    "plot_path",
    type=FILE,
    help="Plot renderings and covered text against pages, as PNG or SVG.",
)
@table_option
@json_option("all steps")
def growth_command(**options: Unpack[GrowthOptions]) -> None:
    """Measure how the plan of renderings grows with the pages of a site.

    SITE is a source of `webstencil run`. It is surveyed with 250, 500, 1,000, ... pages, with half
    of them and with all. Covered text is that of all its pages, also of those not surveyed. Nothing
    is rendered, unless asked for. Seconds are of the processor.
    """
    if options["render"]:
        run_jobs(options)
        return
    if options["plot_path"] is not None:
        check_plot(options["plot_path"])
    found: list[SiteGrowth] = []
    for name, source in open_sites(options["sites"]).items():
        found += measured(name, source, options["order"], options["halves"])
    if options["as_json"] or options["form"] == "json":
        screen.say(report(found))
    elif options["form"] == "csv":
        rows = [[one.site, *cells(step)] for one in found for step in one.steps]
        screen.show_rows(("site", *COLUMNS), rows, "csv")
    else:
        for one in found:
            screen.show_table(one.site, COLUMNS, map(cells, one.steps))
        screen.show_table("plans of all pages, and of random halves", SUMMARY, summary(found))
    if options["plot_path"] is not None:
        draw(found, options["plot_path"])


def run_jobs(options: GrowthOptions) -> None:
    """Run jobs over more and more pages of each site, and show what they did."""
    settings = Settings(chosen_segmenter(options))
    found: list[RunGrowth] = []
    ticker = screen.Ticker()
    for name, source in open_sites(options["sites"]).items():
        steps: list[RunStep] = []
        listed = options["order"] == LISTED
        for step in run_steps(source, settings, listed=listed, only=options["sizes"]):
            steps.append(step)
            ticker.tell(f"{name}: {step.pages:,} pages, {step.rendered} rendered")
        refuse_none(name, len(steps))
        found.append(RunGrowth(name, tuple(steps)))
    if options["as_json"] or options["form"] == "json":
        screen.say(json.dumps([asdict(one) for one in found], indent=1, ensure_ascii=False))
    else:
        rows = [run_cells(one, step) for one in found for step in one.steps]
        screen.show_rows(RUN_COLUMNS, rows, options["form"])


def run_cells(growth: RunGrowth, step: RunStep) -> list[str]:
    """Write a step of jobs."""
    more = growth.growth_at(step)
    return [
        *(growth.site, str(step.pages), str(step.rendered), f"{step.rendered / step.pages:.4f}"),
        "-" if more is None else f"{more:+.1%}",
        *(str(step.failed), f"{step.forecast:.4f}", f"{step.covered:.4f}"),
        *(f"{step.seconds:.1f}", f"{step.peak:.0f}"),
    ]


def measured(name: str, source: Several, order: str, halves: int) -> Iterator[SiteGrowth]:
    """Measure the sites of a source."""
    left_out: list[str] = []
    pages = timed_pages(told(source.pages(), source.count()), left_out.append)
    sites = by_site(pages)
    screen.tell_left_out(left_out)
    refuse_none(name, len(sites))
    for site, members in sites.items():
        orders = [members]
        if order == RANDOM:
            orders = [at_random(members, draw) for draw in range(halves)]
        yield site_growth(shown_name(name, site, len(sites)), orders)


def cells(step: PlanStep) -> list[str]:
    """Write a step."""
    times = (step.times.read, step.times.parse, step.times.outline, step.decide, step.times.bare)
    return [
        str(step.pages),
        str(step.renderings),
        f"{step.covered:.4f}",
        f"{step.forecast:.4f}",
        *map(str, (step.doubtful, step.places, step.templates)),
        *(f"{seconds:.2f}" for seconds in times),
        f"{step.parses:.2f}",
        f"{step.kept:.0f}",
    ]


def summary(found: Sequence[SiteGrowth]) -> Iterator[list[str]]:
    """Write a row for each site, and the median of what a survey costs."""
    for one in found:
        whole = one.steps[-1]
        yield [
            one.site,
            *map(str, (whole.pages, whole.renderings)),
            f"{median(one.halves):g} ({one.halves[0]}-{one.halves[-1]})",
            f"{one.growth:+.1%}",
            f"{whole.covered:.4f}",
            str(whole.doubtful),
            f"{whole.seconds:.1f}",
            f"{whole.parses:.2f}",
            f"{whole.kept:.0f}",
            f"{one.peak:.0f}",
        ]
    if len(found) > 1:
        cost = median(one.steps[-1].parses for one in found)
        kept = median(one.steps[-1].kept for one in found)
        yield ["median", *[""] * 7, f"{cost:.2f}", f"{kept:.0f}", ""]


def report(found: Sequence[SiteGrowth]) -> str:
    """Write all steps as JSON."""
    sites = [
        {
            **asdict(one),
            "growth": one.growth,
            "steps": [{**asdict(step), "parses": step.parses} for step in one.steps],
        }
        for one in found
    ]
    return json.dumps(sites, indent=1, ensure_ascii=False)


def draw(found: Sequence[SiteGrowth], path: Path) -> None:
    """Draw renderings and covered text of each site; both are numbers of up to about a hundred."""
    lines = []
    for one in found:
        planned = [(float(step.pages), float(step.renderings)) for step in one.steps]
        covered = [(float(step.pages), 100.0 * step.covered) for step in one.steps]
        lines += [
            PlotLine(f"{one.site}: renderings", tuple(planned)),
            PlotLine(f"{one.site}: % of text covered", tuple(covered)),
        ]
    y = "renderings; % of text covered"
    plot(path, lines, title="Growth of the plan", x="pages", y=y)
