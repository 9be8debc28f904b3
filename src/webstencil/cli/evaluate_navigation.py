"""`webstencil evaluate navigation`."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypedDict, Unpack

import click

from webstencil.cli import navigation_report as report
from webstencil.cli import screen
from webstencil.cli.evaluate_commands import cache_option
from webstencil.cli.evaluate_floors import check_floors, floors_options
from webstencil.cli.options import PATH, json_option
from webstencil.errors import SourceError
from webstencil.evaluate.archives import unpacked
from webstencil.evaluate.floors import Measured, digest
from webstencil.evaluate.kreuzer import PLAIN, read_pages
from webstencil.evaluate.labelled_data import ROWS_ENDING, SITES_NAME
from webstencil.evaluate.navigation import pagination_links
from webstencil.evaluate.navigation.gold import MarkedPage, marked_page
from webstencil.evaluate.navigation.learning import require_sklearn
from webstencil.evaluate.navigation.site_blocks import SiteBlock, blocks_of, sites_of
from webstencil.evaluate.snapshots import cache_folder
from webstencil.navigation.classify import shipped_text

MARKED = "kreuzer-*.tar.xz"
PAGED = "autopager*.jsonl.xz"
PARTS = ("clusters", "classes", "menus", "pagination")

path_argument = click.argument("path", type=PATH)


class NavigationScoreOptions(TypedDict):
    """Options of `webstencil evaluate navigation`."""

    path: Path
    parts: tuple[str, ...]
    as_json: bool
    plots: Path | None
    cache: Path | None
    floors: Path | None
    new_floors: bool


@click.command("navigation")
@path_argument
@click.option(
    "--part",
    "parts",
    type=click.Choice(PARTS),
    multiple=True,
    help="What to score (repeatable).  [default: all]",
)
@json_option("all scores")
@click.option("--plots", type=PATH, help="Draw Figures 5 to 7 into this folder.")
@cache_option
@floors_options
def navigation_command(**options: Unpack[NavigationScoreOptions]) -> None:
    """Score blocks of links, menus and pagination links.

    PATH is a folder of marked pages (X.dom.html, X.blocks.html), a file X.jsonl.xz of marked
    pagination links, or a folder that has archives of the former, the latter, and whole sites.
    """
    require_sklearn()
    parts = options["parts"] or PARTS
    data = NavigationData(options["path"], options["cache"] or cache_folder())
    found, corpora = measured(data, parts, options["plots"])
    if not found:
        raise SourceError(f"{options['path']} has no labelled data for {', '.join(parts)}")
    if options["as_json"]:
        tables = {title: [asdict(row) for row in rows] for title, rows in found.items()}
        screen.say(json.dumps(tables, indent=1))
    else:
        report.show(found)
    scores = [
        Measured(corpus, report.held_scores(part, found), part) for part, corpus in corpora.items()
    ]
    screen.tell_left_out(data.left_out)
    check_floors(options["floors"], scores, report.FLOOR_STEPS, new=options["new_floors"])


def measured(
    data: "NavigationData", parts: Sequence[str], plots: Path | None
) -> tuple[dict[str, list[Any]], dict[str, str]]:
    """Return the tables of some parts, and a digest of the pages of each part."""
    found: dict[str, list[Any]] = {}
    corpora: dict[str, str] = {}
    marked = data.marked_pages() if {"clusters", "classes"} & set(parts) else []
    if marked and "clusters" in parts:
        found |= report.clusters_part(marked, plots)
        corpora["clusters"] = digest(known.page.body for known in marked)
    if marked and "classes" in parts:
        found |= report.classes_part(marked, plots)
        corpora["classes"] = digest(known.page.body for known in marked)
    if "menus" in parts and (blocks := data.site_blocks()):
        found |= report.menus_part(blocks, shipped_text("menu"))
        pages = {block.page: block.known.page.body for block in blocks}
        corpora["menus"] = digest(pages.values())
    if "pagination" in parts and (paged := data.paged_pages()):
        found |= report.pagination_part(paged, shipped_text("pagination"))
        corpora["pagination"] = digest(known.page.body for known in paged)
    return found, corpora


@dataclass(frozen=True, slots=True)
class NavigationData:
    """A folder or file of labelled data."""

    path: Path
    cache: Path  # folder for unpacked pages
    left_out: list[str] = field(default_factory=list)  # pages that are empty or not HTML

    def marked_pages(self) -> list[MarkedPage]:
        """Read the hand-marked pages, packed or not."""
        path = self.path
        archives = sorted(path.glob(MARKED)) if path.is_dir() else []
        if path.is_file() and path.name.endswith(".tar.xz"):
            archives = [path]
        folders = [unpacked(archive, self.cache) for archive in archives]
        if not folders and path.is_dir() and next(path.rglob(f"*{PLAIN}"), None) is not None:
            folders = [path]
        pages = [page for folder in folders for page in read_pages(folder, self.left_out.append)]
        return [marked_page(page) for page in pages]

    def site_blocks(self) -> list[SiteBlock]:
        """Read the blocks of links of whole sites."""
        if not (self.path / SITES_NAME).is_file():
            return []
        sites = sites_of(self.path, self.cache)
        return [block for site in sites for block in blocks_of(site, self.left_out.append)]

    def paged_pages(self) -> list[pagination_links.PagedPage]:
        """Read the pages with marked pagination links."""
        is_file = self.path.is_file() and self.path.name.endswith(ROWS_ENDING)
        files = [self.path] if is_file else sorted(self.path.glob(PAGED))
        left_out = self.left_out.append
        return [page for file in files for page in pagination_links.read(file, left_out)]
