"""`webstencil evaluate content`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict, Unpack

import click

from webstencil.cli import content_report as report
from webstencil.cli import published_report, screen
from webstencil.cli.evaluate_floors import check_floors, floors_options
from webstencil.cli.options import FILE, PATH, json_option, pages_root_option
from webstencil.cli.template_options import published_tags_option, share_option
from webstencil.errors import SettingsError, SourceError
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
from webstencil.evaluate.labelled_data import LeftOut
from webstencil.paper.content import METHODS as PUBLISHED
from webstencil.paper.content import ContentExtractor, FastContentExtractor, Method

DEFAULT = "default"
METHODS: dict[str, dict[str, Way]] = {
    DEFAULT: {SINGLE: run_single, STREAM: run_stream, SEEN: run_seen},
    "single": {SINGLE: run_single},
    "stream": {STREAM: run_stream},
    "seen": {SEEN: run_seen},
    "all-text": {"all text": run_peer(all_text, bytes)},
}

paths_argument = click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=PATH)
selectors_option = click.option(
    "--selectors",
    type=FILE,
    help="File with the content selectors of sites; their labels are in labels/ beside it.  "
    "[default: sites.json beside the folder]",
)


class ContentOptions(TypedDict):
    """Options of `webstencil evaluate content`."""

    paths: tuple[Path, ...]
    selectors: Path | None
    methods: str
    pages_root: Path | None
    published_tags: bool
    share: float
    plots: Path | None
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
    help=f"Methods, separated by commas: {', '.join((*METHODS, *PUBLISHED))}.",
)
@pages_root_option
@published_tags_option
@share_option
@click.option("--plots", type=PATH, help="Draw Figure 6 of FastContentExtractor into this folder.")
@click.option("--peers", "with_peers", is_flag=True, help="Also score other extractors.")
@click.option(
    "--worst", type=click.IntRange(0), default=0, metavar="N", help="List the N worst pages a set."
)
@json_option("all scores")
@floors_options
def content_command(**options: Unpack[ContentOptions]) -> None:
    """Score main content by its words.

    PATH is a file of pages with gold (such as content.jsonl.xz), or the folder of a site whose
    content a selector gives. The published methods, ce and fastce, learn a template from the first
    pages of a site and get the tables of their paper; for a folder, give them its sites.json.
    """
    names = tuple(dict.fromkeys(name.strip() for name in options["methods"].split(",")))
    published = chosen_published(names, options["share"], published_tags=options["published_tags"])
    for path in options["paths"] if published else ():
        left_out: list[str] = []
        root = options["pages_root"]
        table = list(published_content.evaluate(path, published, root, left_out.append))
        show_published(table, as_json=options["as_json"])
        if options["plots"] is not None:
            published_report.plot_times(options["plots"] / "figure-6-times.svg", table)
        screen.tell_left_out(left_out)
    names = tuple(name for name in names if name not in PUBLISHED)
    if not names:
        return
    left_out = []
    pages = read_all(options["paths"], options["selectors"], left_out.append)
    ways = {name: way for method in names for name, way in ways_of(method).items()}
    if options["with_peers"]:
        ways |= peers()
    scores = list(score_pages(pages, ways))
    rows = summarise(scores)
    if options["as_json"]:
        screen.say(report.to_json(corpus(pages), rows, scores, left_out))
    else:
        report.show(rows)
        if options["worst"]:
            report.worst(scores, options["worst"])
    screen.tell_left_out(left_out)
    measured = Measured(corpus(pages), held_scores(rows))
    check_floors(options["floors"], [measured], FLOOR_STEPS, new=options["new_floors"])


def chosen_published(
    names: Sequence[str], share: float, *, published_tags: bool
) -> dict[str, Method]:
    """Return the published methods among some names, with their parameters."""
    known: dict[str, Method] = {
        "ce": ContentExtractor(share, published_tags),
        "fastce": FastContentExtractor(share, published_tags),
    }
    return {name: known[name] for name in names if name in known}


def ways_of(method: str) -> dict[str, Way]:
    """Return the ways to extract behind a name."""
    if method not in METHODS:
        known = ", ".join((*METHODS, *PUBLISHED))
        raise SettingsError(f"there is no method {method!r}; choose from {known}")
    return METHODS[method]


def show_published(rows: Sequence[published_content.ContentRow], *, as_json: bool) -> None:
    """Print the scores of the published methods."""
    if as_json:
        screen.say(published_report.report(rows))
    else:
        published_report.show(rows)


def read_all(paths: Sequence[Path], selectors: Path | None, left_out: LeftOut) -> list[ContentGold]:
    """Read the pages of all files and folders."""
    pages = [page for path in paths for page in read_gold(path, selectors, left_out)]
    if not pages:
        names = ", ".join(map(str, paths))
        raise SourceError(f"{names} has no page with gold; give labelled pages")
    return pages
