"""`webstencil templates`: the templates of a source."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass

import click

from webstencil.cli import screen
from webstencil.cli.failures import refuse_nothing
from webstencil.cli.script_options import javascript_option, scripts_if
from webstencil.cli.shared_options import base_url_option, json_option, table_option
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
    pages: tuple[str, ...]  # URLs


@click.command("templates")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@base_url_option
@javascript_option
@table_option
@json_option("all pages of each template")
def templates_command(
    sources: tuple[str, ...], base_url: str | None, javascript: bool, form: str, as_json: bool
) -> None:
    """Group the pages of a source by template, without rendering."""
    left_out: list[str] = []
    with scripts_if(javascript) as run_scripts:
        source = open_sources(sources, base_url=base_url, through=run_scripts)
        found = templates_of(source.pages(), left_out)
    refuse_nothing(Report(pages=len(found)), sources)
    if as_json or form == "json":
        screen.say(json.dumps([asdict(template) for template in found], indent=1))
    else:
        rows = [(one.site, one.template, str(len(one.pages)), one.pages[0]) for one in found]
        screen.show_rows(("site", "template", "pages", "example"), rows, form)
    screen.tell_left_out(left_out)


def templates_of(pages: Iterable[RawPage], left_out: list[str]) -> list[TemplateSummary]:
    """Group pages by template, site by site, the larger ones first; list pages left out."""
    sites: dict[str, SiteTemplates] = {}
    samples: dict[tuple[str, int], list[str]] = {}
    for raw in pages:
        try:
            page = parse(raw)
        except ParseError:
            left_out.append(raw.url)
            continue
        known = sites.setdefault(page.site, SiteTemplates())
        samples.setdefault((page.site, known.assign(page).sample), []).append(page.url)
    for known in sites.values():
        known.regroup()
    grouped: dict[tuple[str, str], list[str]] = {}
    for (site, sample), urls in samples.items():
        grouped.setdefault((site, sites[site].template_of(sample)), []).extend(urls)
    found = [
        TemplateSummary(site, template, tuple(urls)) for (site, template), urls in grouped.items()
    ]
    return sorted(found, key=lambda template: (template.site, -len(template.pages)))
