"""`webstencil navigation`: the menus of a site as a tree."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

import click

from webstencil.cli import screen
from webstencil.cli.options import base_url_option, javascript_option, scripts_if
from webstencil.cli.store_option import STORE
from webstencil.errors import ParseError, SourceError
from webstencil.markup.parse import parse
from webstencil.model import Page
from webstencil.navigation import Merger, SiblingLinks, SiteMap, menus, page_links
from webstencil.navigation.tree import site_map_json, site_map_lines
from webstencil.protocols import Source
from webstencil.site.outline import EMPTY_OUTLINE, OutlinedPage, outline
from webstencil.site.site_model import SiteModel
from webstencil.site.templates import find_templates
from webstencil.sources import open_sources
from webstencil.store import existing_store
from webstencil.store.postgres import PostgresDatabase
from webstencil.urls import site_of

TemplatesOf: TypeAlias = Callable[[str, SiteModel], Mapping[str, str]]  # names by URL


@click.command("navigation")
@click.argument("names", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "--store",
    "store_path",
    type=STORE,
    help="Take the templates from this store, which `webstencil run` filled from the same pages.",
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
    store_path: Path | PostgresDatabase | None,
    form: str,
    base_url: str | None,
    javascript: bool,
) -> None:
    """Show the menus of a site as a tree.

    SOURCE is a source of `webstencil run`: a folder, an HTML or WARC file, a pattern, a list. Each
    section of the tree has the templates of its pages.
    """
    called = " ".join(names)
    with ExitStack() as things:
        templates: TemplatesOf = templates_of
        if store_path is not None:
            store = things.enter_context(existing_store(store_path, called))
            templates = lambda site, _: store.templates.names(site)  # noqa: E731 - one line
        run_scripts = things.enter_context(scripts_if(javascript))
        source = open_sources(names, base_url=base_url, through=run_scripts)
        found = site_maps(source, templates)
    if not found:
        raise SourceError(f"{called} has no page that is HTML; name another source")
    for site_map in found:
        screen.say(
            site_map_json(site_map) if form == "json" else "\n".join(site_map_lines(site_map))
        )


def templates_of(_site: str, model: SiteModel) -> Mapping[str, str]:
    """Return the names of the templates of a site's pages, by URL."""
    found = find_templates(model)
    names = {url: found.name_of(number) for url, number in found.numbers_of(model).items()}
    return {url: name for url, name in names.items() if name is not None}


def site_maps(source: Source, templates: TemplatesOf = templates_of) -> list[SiteMap]:
    """Return the navigation of the sites of a source; the pages are read twice."""
    models = models_of(source)
    mergers = {site: Merger(most=model.most) for site, model in models.items()}
    siblings = {site: SiblingLinks(model, templates(site, model)) for site, model in models.items()}
    for page in readable(source, lambda url: url in models.get(site_of(url), ())):
        known, links = page_links(page), siblings[page.site]
        mergers[page.site].add(known, menus(known, links), links.template_of(page.url))
    return [
        mergers[site].site_map(site, pages=model.pages) for site, model in sorted(models.items())
    ]


def models_of(source: Source) -> dict[str, SiteModel]:
    """Return the models of the sites of a source."""
    models: dict[str, SiteModel] = {}
    for page in readable(source):
        model = models.setdefault(page.site, SiteModel())
        model.add(OutlinedPage(page.url, outline(page) if model.takes(page.url) else EMPTY_OUTLINE))
    return models


def readable(source: Source, wanted: Callable[[str], bool] | None = None) -> Iterator[Page]:
    """Yield the pages of a source that are HTML, or those of them with wanted URLs."""
    for raw in source.pages():
        if wanted is None or wanted(raw.url):
            try:
                yield parse(raw)
            except ParseError:
                continue
