"""The command that tells the templates of a source: `webstencil templates`."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass

import click

from webstencil.cli import screen
from webstencil.cli.failures import refuse_nothing
from webstencil.cli.script_options import javascript_option, scripts_if
from webstencil.cli.shared_options import base_url_option, json_option
from webstencil.errors import ParseError
from webstencil.markup.parse import parse
from webstencil.model import RawPage
from webstencil.pipeline.report import Report
from webstencil.site.templates.site import SiteTemplates
from webstencil.sources import open_sources


@dataclass(frozen=True, slots=True)
class TemplateSummary:
    """A template of a site."""

    site: str
    template: str
    pages: tuple[str, ...]  # addresses


@click.command("templates")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@base_url_option
@javascript_option
@json_option("all pages of each template")
def templates_command(
    sources: tuple[str, ...], base_url: str | None, javascript: bool, as_json: bool
) -> None:
    """Tell which templates the pages of a source follow; nothing is rendered."""
    with scripts_if(javascript) as run_scripts:
        told = tell(open_sources(sources, base_url=base_url, through=run_scripts).pages())
    refuse_nothing(Report(pages=len(told)), sources)
    if as_json:
        screen.say(json.dumps([asdict(template) for template in told], indent=1))
        return
    table = screen.plain_table("site", "template", "pages", "for example")
    for template in told:
        table.add_row(template.site, template.template, str(len(template.pages)), template.pages[0])
    screen.show(table)


def tell(pages: Iterable[RawPage]) -> list[TemplateSummary]:
    """Group pages by template, site by site, the larger ones first; what is no page is left out."""
    sites: dict[str, SiteTemplates] = {}
    samples: dict[tuple[str, int], list[str]] = {}
    for raw in pages:
        try:
            page = parse(raw)
        except ParseError:
            continue
        known = sites.setdefault(page.site, SiteTemplates())
        samples.setdefault((page.site, known.assign(page).sample), []).append(page.url)
    for known in sites.values():
        known.regroup()
    grouped: dict[tuple[str, str], list[str]] = {}
    for (site, sample), urls in samples.items():
        grouped.setdefault((site, sites[site].template_of(sample)), []).extend(urls)
    told = [
        TemplateSummary(site, template, tuple(urls)) for (site, template), urls in grouped.items()
    ]
    return sorted(told, key=lambda template: (template.site, -len(template.pages)))
