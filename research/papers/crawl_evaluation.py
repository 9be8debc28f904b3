"""`webstencil evaluate crawl`: the CPS paper's experiment on live sites."""

from pathlib import Path
from typing import Unpack

import click

from research.papers import crawl_report
from research.papers.crawl_tables import Experiment, MethodRow, measure
from webstencil.cli import screen
from webstencil.cli.method_options import (
    PublishedOptions,
    chosen_segmenters,
    is_published,
    mode_option,
    mode_preset_option,
    set_options,
    settings_help,
    with_published,
    with_variants,
)
from webstencil.cli.options import PATH, json_option
from webstencil.codec import put
from webstencil.model import Mode
from webstencil.output.files import explained
from webstencil.segment import SEGMENTERS
from webstencil.settings import Settings
from webstencil.urls import site_of

PAPER = ("vips", "burget", "bcs", "guo")  # in the order of the tables


class CrawlTableOptions(PublishedOptions):
    """Options of `webstencil evaluate crawl`."""

    starts: tuple[str, ...]
    pages: int
    sample: int
    names: tuple[str, ...]
    values: tuple[str, ...]
    preset: str | None
    mode: str
    delay: float
    md: Path | None
    plot_path: Path | None
    as_json: bool


@click.command("crawl")
@click.argument("starts", metavar="[NAME=]URL...", nargs=-1, required=True)
@click.option(
    "--pages", type=click.IntRange(1), default=500, show_default=True, help="Pages of a site."
)
@click.option(
    "--sample",
    type=click.IntRange(1),
    default=40,
    show_default=True,
    help="Pages rendered to estimate the time without stencils.",
)
@click.option(
    "--with",
    "names",
    type=click.Choice(sorted(SEGMENTERS)),
    multiple=True,
    default=PAPER,
    show_default=True,
    help="Segmenter (repeatable).",
)
@set_options
@mode_preset_option
@settings_help
@mode_option
@with_published
@click.option("--delay", type=click.FloatRange(0.0), default=0.0, help="Seconds between pages.")
@click.option("--md", type=PATH, help="Also write the tables to this file.")
@click.option(
    "--plot",
    "plot_path",
    type=PATH,
    help="Draw the growth of clusters into this file (PNG or SVG).",
)
@json_option("all numbers")
def crawl_evaluation(**options: Unpack[CrawlTableOptions]) -> None:
    """Crawl sites and print Tables 1 to 4 of the CPS paper.

    URL is the start page of a site, whose server may be on this machine, or a folder with its
    pages. The tables have clusters, hit ratio and time saved, without rendering as published and
    with it; Figure 3 is written as steps.
    """
    experiment = chosen_experiment(options)
    rows: list[MethodRow] = []
    for start in options["starts"]:
        name, url = named(start)
        rows += measure(name, url, experiment, screen.complain)
    tables = crawl_report.markdown(rows, options["mode"])
    if options["md"] is not None:
        with explained(options["md"]):
            put(options["md"], tables.encode())
    if options["plot_path"] is not None:
        crawl_report.plot_growth(options["plot_path"], rows)
    screen.say(crawl_report.report(rows) if options["as_json"] else tables)


def chosen_experiment(options: CrawlTableOptions) -> Experiment:
    """Return the experiment that the options ask for."""
    mode = Mode(options["mode"])
    published = is_published(options["preset"], mode)
    segmenters = chosen_segmenters(options["names"], options["values"], published=published)
    return Experiment(
        segmenters,
        with_variants(Settings(mode=mode), options),
        options["pages"],
        options["sample"],
        options["delay"],
    )


def named(start: str) -> tuple[str, str]:
    """Split NAME=URL; a site without a name is named by its URL."""
    name, equals, url = start.partition("=")
    if equals and "/" not in name:
        return name, url
    return (Path(start).resolve().name if Path(start).is_dir() else site_of(start)), start
