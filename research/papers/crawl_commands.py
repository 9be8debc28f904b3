"""`webstencil evaluate crawl`: the CPS paper's experiment on sites that a server has."""

from pathlib import Path
from typing import TypedDict, Unpack

import click

from research.papers import crawl_report
from research.papers.crawl_tables import Experiment, MethodRow, measure
from webstencil.cli import screen
from webstencil.cli.segment_commands import mode_option
from webstencil.cli.shared_options import PATH, json_option
from webstencil.model import Mode
from webstencil.segment import SEGMENTERS, make_segmenter
from webstencil.urls import site_of

PAPER = ("vips", "burget", "bcs", "guo")  # in the order of the tables


class CrawlTableOptions(TypedDict):
    """What a person asks for."""

    starts: tuple[str, ...]
    pages: int
    sample: int
    names: tuple[str, ...]
    mode: str
    delay: float
    md: Path | None
    plot_path: Path | None
    as_json: bool


@click.command("crawl")
@click.argument("starts", metavar="[NAME=]URL...", nargs=-1, required=True)
@click.option("--pages", type=click.IntRange(1), default=500, show_default=True, help="Of a site.")
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
    help="A segmenter; may be given several times.",
)
@mode_option
@click.option("--delay", type=click.FloatRange(0.0), default=0.0, help="Seconds between pages.")
@click.option("--md", type=PATH, help="Write the tables to this file.")
@click.option("--plot", "plot_path", type=PATH, help="Draw the growth of clusters.")
@json_option("all numbers")
def crawl_evaluation(**asked: Unpack[CrawlTableOptions]) -> None:
    """Crawl sites and print the CPS paper's Tables 1 to 4: clusters, hit ratio, time saved.

    URL is a site's start page; its server may be on this machine.
    """
    segmenters = {name: make_segmenter(name, ()) for name in dict.fromkeys(asked["names"])}
    experiment = Experiment(
        segmenters, Mode(asked["mode"]), asked["pages"], asked["sample"], asked["delay"]
    )
    rows: list[MethodRow] = []
    for start in asked["starts"]:
        name, url = named(start)
        rows += measure(name, url, experiment, screen.complain)
    tables = crawl_report.markdown(rows, asked["mode"])
    if asked["md"] is not None:
        crawl_report.write(asked["md"], tables)
    if asked["plot_path"] is not None:
        crawl_report.plot_growth(asked["plot_path"], rows)
    screen.say(crawl_report.report(rows) if asked["as_json"] else tables)


def named(start: str) -> tuple[str, str]:
    """Split NAME=URL; a site without a name is called by its address."""
    name, equals, url = start.partition("=")
    return (name, url) if equals and "/" not in name else (site_of(start), start)
