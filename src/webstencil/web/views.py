"""Routes that show a store: sites, templates, slots, stencils, pages, the result of one."""

import json
from dataclasses import asdict

from starlette.requests import Request
from starlette.responses import Response

from webstencil.model import Status
from webstencil.output.json_lines import json_line
from webstencil.queries.details import (
    READ,
    site_detail,
    site_problems,
    slot_detail,
    stencil_detail,
    template_detail,
)
from webstencil.queries.lists import NotStored, ShownStore
from webstencil.queries.pages import ResultDetail, list_pages, result_detail
from webstencil.queries.sites import SiteReader, SiteSummary, list_sites, site_named
from webstencil.queries.slots import site_slots, slots_facts
from webstencil.queries.surveys import site_templates, site_tree, template_facts
from webstencil.store import PageFilter
from webstencil.web.writing import PageWriter, WrongInput, fields_of

LARGEST_NUMBER = 1_000_000  # of a part of a list, or of settings
LONGEST = 10_000  # characters of a query parameter; SQLite searches for up to 50,000 bytes


class Views:
    """Answers requests from a store."""

    def __init__(self, shown: ShownStore, writer: PageWriter, reader: SiteReader) -> None:
        self._shown = shown
        self._reader = reader
        self._writer = writer

    def sites(self, request: Request) -> Response:
        """Show all sites."""
        text = text_of(request, "q")
        store = self._shown.store()
        known = self._reader.overview(store)
        found = list_sites(store, known.rows, text, part_number(request))
        return self._writer.page(request, "sites.html", {**fields_of(found), "q": text})

    def site(self, request: Request) -> Response:
        """Show a site."""
        store = self._shown.store()
        known = self._reader.overview(store)
        row = site_named(known.rows, text_of(request, "name"), whole_number(request, "maker"))
        found = site_detail(store, known, row, part_number(request))
        return self._writer.page(request, "site.html", {**fields_of(found), "read": READ})

    def templates_json(self, request: Request) -> Response:
        """Send the templates of a site."""
        store = self._shown.store()
        found = site_templates(store, self._site(request).key.site)
        return json_of(template_facts(found))

    def places(self, request: Request) -> Response:
        """Show the places of a site as a tree."""
        row = self._site(request)
        found = site_tree(self._shown.store(), row.key.site)
        return self._writer.page(request, "places.html", {**fields_of(found), "row": row})

    def places_json(self, request: Request) -> Response:
        """Send the places of a site."""
        found = site_tree(self._shown.store(), self._site(request).key.site)
        return json_of(asdict(found.tree))

    def problems(self, request: Request) -> Response:
        """Show the pages of a site that have no areas, and why."""
        kind = text_of(request, "kind")
        row = self._site(request)
        found = site_problems(self._shown.store(), row, kind, part_number(request))
        return self._writer.page(request, "problems.html", {**fields_of(found), "read": READ})

    def stencil(self, request: Request) -> Response:
        """Show a stencil of paper mode and the pages that follow it."""
        key, text = text_of(request, "key"), text_of(request, "q")
        found = stencil_detail(self._shown.store(), key, text, part_number(request))
        return self._writer.page(request, "stencil.html", {**fields_of(found), "q": text})

    def template(self, request: Request) -> Response:
        """Show a template, its slots over a typical page, and the pages that follow it."""
        named, text = text_of(request, "template"), text_of(request, "q")
        key = self._site(request).key
        found = template_detail(self._shown.store(), key, named, text, part_number(request))
        return self._writer.page(request, "template.html", {**fields_of(found), "q": text})

    def slot(self, request: Request) -> Response:
        """Show a slot on the templates that have it, and what it says on pages."""
        row = self._site(request)
        slot, template = text_of(request, "slot"), text_of(request, "template")
        found = slot_detail(self._shown.store(), row.key, slot, template, part_number(request))
        return self._writer.page(request, "slot.html", fields_of(found))

    def slots_json(self, request: Request) -> Response:
        """Send the templates and slots of a site, as `webstencil sites show --json` prints them."""
        row = self._site(request)
        if not row.is_default:
            raise NotStored(f"{row.key.site} has no slots: it was not learned in the default mode")
        return json_of(slots_facts(site_slots(self._shown.store(), row.made_by, row.key.site)))

    def pages(self, request: Request) -> Response:
        """Show the pages with a text in their URLs."""
        text, status = text_of(request, "q"), text_of(request, "status")
        template = whole_number(request, "template") if text_of(request, "template") else None
        wanted = PageFilter(text, status, site=text_of(request, "site"), template=template)
        found = list_pages(self._shown.store(), wanted, part_number(request))
        asked = {"q": text, "status": status, "statuses": list(Status)}
        return self._writer.page(request, "pages.html", {**fields_of(found), **asked})

    def result(self, request: Request) -> Response:
        """Show the result of a page."""
        return self._writer.page(request, "result.html", fields_of(self._result(request)))

    def result_json(self, request: Request) -> Response:
        """Send the result of a page as a line of `run --out`."""
        return Response(json_line(self._result(request).result), media_type="application/json")

    def _site(self, request: Request) -> SiteSummary:
        known = self._reader.overview(self._shown.store())
        return site_named(known.rows, text_of(request, "name"), whole_number(request, "maker"))

    def _result(self, request: Request) -> ResultDetail:
        url, maker = text_of(request, "url"), whole_number(request, "maker")
        return result_detail(self._shown.store(), url, maker)


def json_of(facts: object) -> Response:
    """Answer with JSON."""
    body = json.dumps(facts, ensure_ascii=False).encode("utf-8", "replace")
    return Response(body, media_type="application/json")


def text_of(request: Request, name: str) -> str:
    """Return a query parameter, empty if it is missing."""
    text = request.query_params.get(name, "").replace("\0", "").strip()
    if len(text) > LONGEST:
        raise WrongInput(f"{name} has {len(text):,} characters; at most {LONGEST:,} are allowed")
    return text


def whole_number(request: Request, name: str, default: int = 0) -> int:
    """Return a query parameter that is a number."""
    text = text_of(request, name)
    if not text:
        return default
    if not (text.isascii() and text.isdecimal()) or int(text[:9]) > LARGEST_NUMBER:
        raise WrongInput(
            f"{name} must be a whole number up to {LARGEST_NUMBER:,}, not {text[:40]!r}"
        )
    return int(text[:9])


def part_number(request: Request) -> int:
    """Return which part of a list is requested."""
    number = whole_number(request, "page", 1)
    if not number:
        raise WrongInput("page must be a number from 1")
    return number
