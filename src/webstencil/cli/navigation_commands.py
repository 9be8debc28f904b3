"""`webstencil navigation`: the menus of a site as a tree."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from webstencil.cli import screen
from webstencil.cli.script_options import javascript_option, scripts_if
from webstencil.cli.shared_options import base_url_option
from webstencil.cli.stencils_commands import STORE
from webstencil.errors import ParseError, SourceError
from webstencil.markup.parse import parse
from webstencil.navigation.kinds import PageLinks, menus, page_links
from webstencil.navigation.repetition import Siblings
from webstencil.navigation.sitemap import lines_of, to_json
from webstencil.navigation.tree import Merger
from webstencil.protocols import Source
from webstencil.sources import open_sources
from webstencil.store import SqlStore, existing_store
from webstencil.store.postgres import PostgresDatabase


@click.command("navigation")
@click.argument("names", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "--store",
    "store_path",
    type=STORE,
    required=True,
    help="Store that `webstencil run` filled from the same pages.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "tree"]),
    default="tree",
    show_default=True,
    help="Output format.",
)
@base_url_option
@javascript_option
def navigation_command(
    names: tuple[str, ...],
    store_path: Path | PostgresDatabase,
    form: str,
    base_url: str | None,
    javascript: bool,
) -> None:
    """Show the menus of a site as a tree.

    SOURCE is a source of `webstencil run`: a folder, an HTML or WARC file, a pattern, a list. Each
    section of the tree has the stencils of its pages.
    """
    called = " ".join(names)
    with existing_store(store_path, called) as store:
        templates = templates_of(store)
    with scripts_if(javascript) as run_scripts:
        merged = mergers(open_sources(names, base_url=base_url, through=run_scripts), templates)
    if not merged:
        raise SourceError(f"{called} has no page that is HTML; give the source that was run")
    for site, merger in sorted(merged.items()):
        site_map = merger.site_map(site)
        screen.say(to_json(site_map) if form == "json" else "\n".join(lines_of(site_map)))


def mergers(source: Source, templates: Mapping[str, str]) -> dict[str, Merger]:
    """Merge the menus of all pages, site by site; the pages are read twice."""
    sites: dict[str, Siblings] = {}
    for known in readable(source):
        counts = sites.setdefault(known.page.site, Siblings())
        counts.add(templates.get(known.page.url, ""), known.targets)
    merged: dict[str, Merger] = {site: Merger() for site in sites}
    for known in readable(source):
        site, template = known.page.site, templates.get(known.page.url, "")
        merged[site].add(known, menus(known, sites[site], template, counted=True), template)
    return merged


def templates_of(store: SqlStore) -> dict[str, str]:
    """Return the stencil of each page, of the settings that processed most pages."""
    makers: Counter[str] = Counter()
    for known in store.all_stencils():
        makers[known.made_by] += known.hits + 1
    if not makers:
        return {}
    learner = max(sorted(makers), key=makers.__getitem__)
    return {result.url: result.stencil for result in store.results(learner) if result.stencil}


def readable(source: Source) -> Iterator[PageLinks]:
    """Yield the links of the pages of a source that are HTML."""
    for raw in source.pages():
        try:
            yield page_links(parse(raw))
        except ParseError:
            continue
