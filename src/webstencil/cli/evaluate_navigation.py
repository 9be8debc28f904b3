"""`webstencil evaluate navigation`."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypedDict, Unpack

import click

from webstencil.cli import navigation_report as report
from webstencil.cli import screen
from webstencil.cli.evaluate_floors import floors_options, hold
from webstencil.cli.shared_options import PATH, json_option
from webstencil.errors import SourceError
from webstencil.evaluate.archives import unpacked
from webstencil.evaluate.floors import Measured, digest
from webstencil.evaluate.kreuzer import PLAIN, read_pages
from webstencil.evaluate.navigation import sequences
from webstencil.evaluate.navigation.gold import MarkedPage, marked_page
from webstencil.evaluate.navigation.learning import require_sklearn
from webstencil.evaluate.navigation.sites import SiteBlock, blocks_of, sites_of
from webstencil.evaluate.snapshots import cache_folder
from webstencil.navigation.classify import shipped_text

MARKED = "kreuzer-*.tar.xz"
PAGED = "autopager*.jsonl.xz"
SITES = "sites.json"
PARTS = ("clusters", "classes", "menus", "pagination")

cache_option = click.option("--cache", type=PATH, help="Folder for unpacked pages.")
path_argument = click.argument("path", type=PATH)


class NavigationWanted(TypedDict):
    """What a person asks for."""

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
    help="Measure only this; may be given several times.",
)
@json_option("all scores")
@click.option("--plots", type=PATH, help="Folder for the curves of Figures 5 to 7.")
@cache_option
@floors_options
def navigation_command(**wanted: Unpack[NavigationWanted]) -> None:
    """Score blocks of links and what they are taken for.

    PATH is a folder with marked pages (X.dom.html, X.blocks.html), a file X.jsonl.xz with marked
    pagination links, or a folder with archives of the former, the latter, and whole sites.
    """
    require_sklearn()
    parts = wanted["parts"] or PARTS
    found, corpora = measured(
        wanted["path"], parts, wanted["cache"] or cache_folder(), wanted["plots"]
    )
    if not found:
        raise SourceError(f"{wanted['path']} has nothing to measure of {', '.join(parts)}")
    if wanted["as_json"]:
        tables = {title: [asdict(row) for row in rows] for title, rows in found.items()}
        screen.say(json.dumps(tables, indent=1))
    else:
        report.show(found)
    scores = [
        Measured(corpus, report.held_scores(part, found), part) for part, corpus in corpora.items()
    ]
    hold(wanted["floors"], scores, report.FLOOR_STEPS, new=wanted["new_floors"])


def measured(
    path: Path, parts: Sequence[str], cache: Path, plots: Path | None
) -> tuple[dict[str, list[Any]], dict[str, str]]:
    """Return the tables of some parts, and a digest of the pages behind each part."""
    found: dict[str, list[Any]] = {}
    corpora: dict[str, str] = {}
    marked = marked_pages(path, cache) if {"clusters", "classes"} & set(parts) else []
    if marked and "clusters" in parts:
        found |= report.clusters_part(marked, plots)
        corpora["clusters"] = digest(known.page.body for known in marked)
    if marked and "classes" in parts:
        found |= report.classes_part(marked, plots)
        corpora["classes"] = digest(known.page.body for known in marked)
    if "menus" in parts and (blocks := site_blocks(path, cache)):
        found |= report.menus_part(blocks, shipped_text("menu"))
        pages = {block.page: block.known.page.body for block in blocks}
        corpora["menus"] = digest(pages.values())
    if "pagination" in parts and (paged := paged_pages(path)):
        found |= report.sequences_part(paged, shipped_text("pagination"))
        corpora["pagination"] = digest(known.page.body for known in paged)
    return found, corpora


def marked_pages(path: Path, cache: Path) -> list[MarkedPage]:
    """Read the hand-marked pages of a folder, packed or not."""
    archives = sorted(path.glob(MARKED)) if path.is_dir() else []
    if path.is_file() and path.name.endswith(".tar.xz"):
        archives = [path]
    folders = [unpacked(archive, cache) for archive in archives]
    if not folders and path.is_dir() and next(path.rglob(f"*{PLAIN}"), None) is not None:
        folders = [path]
    return [marked_page(page) for folder in folders for page in read_pages(folder)]


def site_blocks(path: Path, cache: Path) -> list[SiteBlock]:
    """Read the blocks of links of whole sites."""
    if not (path / SITES).is_file():
        return []
    return [block for site in sites_of(path, cache) for block in blocks_of(site)]


def paged_pages(path: Path) -> list[sequences.PagedPage]:
    """Read the pages with marked pagination links."""
    files = [path] if path.is_file() and path.name.endswith(".jsonl.xz") else []
    if path.is_dir():
        files = sorted(path.glob(PAGED))
    return [page for file in files for page in sequences.read(file)]
