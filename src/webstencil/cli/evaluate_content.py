"""`webstencil evaluate content`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict, Unpack

import click

from webstencil.cli import content_report as report
from webstencil.cli import published_report, screen
from webstencil.cli.evaluate_floors import floors_options, hold
from webstencil.cli.shared_options import FILE, PATH, json_option
from webstencil.errors import SettingsError
from webstencil.evaluate import published_content
from webstencil.evaluate.content.data import ContentGold, corpus, read_gold
from webstencil.evaluate.content.peers import peers
from webstencil.evaluate.content.scores import (
    FLOOR_STEPS,
    SEEN,
    SINGLE,
    STREAM,
    Way,
    all_text,
    held_scores,
    run_peer,
    run_seen,
    run_single,
    run_stream,
    score_pages,
    summarise,
)
from webstencil.evaluate.floors import Measured
from webstencil.extract.published import METHODS as PUBLISHED

DEFAULT = "default"
METHODS: dict[str, dict[str, Way]] = {
    DEFAULT: {SINGLE: run_single, STREAM: run_stream, SEEN: run_seen},
    "single": {SINGLE: run_single},
    "stream": {STREAM: run_stream},
    "seen": {SEEN: run_seen},
    "all-text": {"all text": run_peer(all_text)},
}

paths_argument = click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=PATH)
selectors_option = click.option(
    "--selectors",
    type=FILE,
    help="File with the content selector of each site, its labels beside it in labels/; "
    "sites.json beside the folders if not given.",
)


class ContentWanted(TypedDict):
    """What a person asks for."""

    paths: tuple[Path, ...]
    selectors: Path | None
    methods: str
    pages_root: Path | None
    with_peers: bool
    worst: int
    as_json: bool
    floors: Path | None
    new_floors: bool


@click.command("content")
@paths_argument
@selectors_option
@click.option(
    "--method",
    "methods",
    default=DEFAULT,
    show_default=True,
    help=f"Ways to extract, with commas between them: {', '.join((*METHODS, *PUBLISHED))}.",
)
@click.option(
    "--pages-root",
    type=PATH,
    help="For ce and fastce: folder with the site folders that a sites.json names.",
)
@click.option("--peers", "with_peers", is_flag=True, help="Measure other extractors as well.")
@click.option("--worst", type=click.IntRange(0), default=0, help="Name so many worst pages a set.")
@json_option("all scores")
@floors_options
def content_command(**wanted: Unpack[ContentWanted]) -> None:
    """Score the main content of pages: precision, recall and F1 of its words.

    Each PATH is a file of pages with hand-made gold (content.jsonl.xz), or the folder of a site
    whose content a selector gives. The published methods, ce and fastce, prepare a template on the
    first pages of a site; they get the tables of their paper.
    """
    names = tuple(dict.fromkeys(name.strip() for name in wanted["methods"].split(",")))
    published = tuple(name for name in names if name in PUBLISHED)
    for path in wanted["paths"] if published else ():
        table = list(published_content.evaluate(path, published, wanted["pages_root"]))
        show_published(table, as_json=wanted["as_json"])
    names = tuple(name for name in names if name not in PUBLISHED)
    if not names:
        return
    pages = read_all(wanted["paths"], wanted["selectors"])
    ways = {name: way for method in names for name, way in ways_of(method).items()}
    if wanted["with_peers"]:
        ways |= {name: run_peer(peer) for name, peer in peers().items()}
    scores = list(score_pages(pages, ways))
    rows = summarise(scores)
    if wanted["as_json"]:
        screen.say(report.to_json(corpus(pages), rows, scores))
    else:
        report.show(rows)
        if wanted["worst"]:
            report.worst(scores, wanted["worst"])
    measured = Measured(corpus(pages), held_scores(rows))
    hold(wanted["floors"], [measured], FLOOR_STEPS, new=wanted["new_floors"])


def ways_of(method: str) -> dict[str, Way]:
    """Return the ways behind a name."""
    if method not in METHODS:
        known = ", ".join((*METHODS, *PUBLISHED))
        raise SettingsError(f"there is no method {method!r}; choose from {known}")
    return METHODS[method]


def show_published(rows: Sequence[published_content.ContentRow], *, as_json: bool) -> None:
    """Print how the published methods did."""
    if as_json:
        screen.say(published_report.report(rows))
    else:
        published_report.show(rows)


def read_all(paths: Sequence[Path], selectors: Path | None) -> list[ContentGold]:
    """Read the pages of all files and folders."""
    return [page for path in paths for page in read_gold(path, selectors)]
