"""Routes that show a store: sites, templates, slots, stencils, pages, the result of one."""

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from webstencil.model import Status
from webstencil.output.json_lines import json_line
from webstencil.output.templates import served_html
from webstencil.queries.details import (
    READ,
    site_detail,
    site_problems,
    slot_detail,
    stencil_detail,
    template_detail,
)
from webstencil.queries.lists import NotStored, ShownStore, learner_words
from webstencil.queries.pages import ResultDetail, leads_to_web, list_pages, result_detail
from webstencil.queries.sites import Overview, SiteReader, SiteSummary, list_sites, site_named
from webstencil.queries.slots import site_slots, slots_facts
from webstencil.queries.surveys import site_templates, site_tree, template_facts
from webstencil.store import PageFilter, SqlStore

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

HTML_TYPE = "text/html; charset=utf-8"
LARGEST_NUMBER = 1_000_000  # of a part of a list, or of settings
LONGEST_PARAMETER = 10_000  # characters; SQLite searches for up to 50,000 bytes


class WrongInput(Exception):
    """A request is wrong; the message says what to do."""


class PageWriter:
    """Writes pages; each names the store."""

    def __init__(self, store: str) -> None:
        self._always = {
            "store": store,
            "link": link,
            "leads_to_web": leads_to_web,
            "learner_words": learner_words,
        }

    def page(
        self, request: Request, name: str, facts: Mapping[str, object], status: int = 200
    ) -> Response:
        """Answer a request with a template and its variables."""
        # URLs are relative, so that the pages work below any path of another server.
        root = "../" * max(0, request.url.path.count("/") - 1)
        always = {"root": root, "home": root or "./", **self._always}
        text = served_html(name, {**always, **facts})
        return Response(text.encode("utf-8", "replace"), status, media_type=HTML_TYPE)


def link(path: str, **parts: object) -> str:
    """Return the URL of one of our pages."""
    given = {name: value for name, value in parts.items() if value not in ("", None)}
    query = urlencode(given, errors="replace")
    return f"{path}?{query}" if query else path


def fields_of(value: "DataclassInstance") -> dict[str, object]:
    """Return the fields of a value, as variables of a template."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


class Views:
    """Answers requests from a store."""

    def __init__(self, shown: ShownStore, writer: PageWriter, reader: SiteReader) -> None:
        self._shown = shown
        self._reader = reader
        self._writer = writer

    def sites(self, request: Request) -> Response:
        text, store = parameter(request, "q"), self._shown.store()
        known = self._reader.overview(store)
        found = list_sites(store, known.rows, text, _part_number(request))
        return self._writer.page(request, "sites.html", {**fields_of(found), "q": text})

    def site(self, request: Request) -> Response:
        store, known, row = self._known_site(request)
        found = site_detail(store, known, row, _part_number(request))
        return self._writer.page(request, "site.html", {**fields_of(found), "read": READ})

    def templates_json(self, request: Request) -> Response:
        store, _, row = self._known_site(request)
        return _json_of(template_facts(site_templates(store, row.key.site)))

    def places(self, request: Request) -> Response:
        """Show the places of a site as a tree."""
        store, _, row = self._known_site(request)
        found = site_tree(store, row.key.site)
        return self._writer.page(request, "places.html", {**fields_of(found), "row": row})

    def places_json(self, request: Request) -> Response:
        store, _, row = self._known_site(request)
        return _json_of(asdict(site_tree(store, row.key.site).tree))

    def problems(self, request: Request) -> Response:
        """Show the pages of a site that have no areas, and why."""
        store, _, row = self._known_site(request)
        kind = parameter(request, "kind")
        found = site_problems(store, row, kind, _part_number(request))
        return self._writer.page(request, "problems.html", {**fields_of(found), "read": READ})

    def stencil(self, request: Request) -> Response:
        """Show a stencil of paper mode and the pages that follow it."""
        key, text = parameter(request, "key"), parameter(request, "q")
        found = stencil_detail(self._shown.store(), key, text, _part_number(request))
        return self._writer.page(request, "stencil.html", {**fields_of(found), "q": text})

    def template(self, request: Request) -> Response:
        """Show a template, its slots over a typical page, and the pages that follow it."""
        named, text = parameter(request, "template"), parameter(request, "q")
        store, _, row = self._known_site(request)
        found = template_detail(store, row.key, named, text, _part_number(request))
        return self._writer.page(request, "template.html", {**fields_of(found), "q": text})

    def slot(self, request: Request) -> Response:
        """Show a slot on the templates that have it, and what it says on pages."""
        store, _, row = self._known_site(request)
        slot, template = parameter(request, "slot"), parameter(request, "template")
        found = slot_detail(store, row.key, slot, template, _part_number(request))
        return self._writer.page(request, "slot.html", fields_of(found))

    def slots_json(self, request: Request) -> Response:
        """Send the templates and slots of a site, as `webstencil sites show --json` prints them."""
        store, _, row = self._known_site(request)
        if not row.is_default:
            raise NotStored(f"{row.key.site} has no slots: it was not learned in the default mode")
        return _json_of(slots_facts(site_slots(store, row.made_by, row.key.site)))

    def pages(self, request: Request) -> Response:
        """Show the pages with a text in their URLs."""
        text, status = parameter(request, "q"), parameter(request, "status")
        template = _whole_number(request, "template") if parameter(request, "template") else None
        wanted = PageFilter(text, status, site=parameter(request, "site"), template=template)
        found = list_pages(self._shown.store(), wanted, _part_number(request))
        asked = {"q": text, "status": status, "statuses": list(Status)}
        return self._writer.page(request, "pages.html", {**fields_of(found), **asked})

    def result(self, request: Request) -> Response:
        found = self._result(request)
        url = found.result.url
        facts = {"title": url, "json": link("result.json", url=url, maker=found.maker)}
        return self._writer.page(request, "result.html", {**fields_of(found), **facts})

    def result_json(self, request: Request) -> Response:
        """Send the result of a page as a line of `run --out`."""
        return Response(json_line(self._result(request).result), media_type="application/json")

    def _known_site(self, request: Request) -> tuple[SqlStore, Overview, SiteSummary]:
        """Return the store, all that it knows of its sites, and the site that is asked for."""
        store = self._shown.store()
        known = self._reader.overview(store)
        name, maker = parameter(request, "name"), _whole_number(request, "maker")
        return store, known, site_named(known.rows, name, maker)

    def _result(self, request: Request) -> ResultDetail:
        url, maker = parameter(request, "url"), _whole_number(request, "maker")
        return result_detail(self._shown.store(), url, maker)


def _json_of(facts: object) -> Response:
    body = json.dumps(facts, ensure_ascii=False).encode("utf-8", "replace")
    return Response(body, media_type="application/json")


def parameter(request: Request, name: str) -> str:
    """Return a query parameter, empty if it is missing."""
    text = request.query_params.get(name, "").replace("\0", "").strip()
    if len(text) > LONGEST_PARAMETER:
        raise WrongInput(
            f"{name} has {len(text):,} characters; at most {LONGEST_PARAMETER:,} are allowed"
        )
    return text


def _whole_number(request: Request, name: str, default: int = 0) -> int:
    """Return a query parameter that is a number."""
    text = parameter(request, name)
    if not text:
        return default
    if not (text.isascii() and text.isdecimal()) or int(text[:9]) > LARGEST_NUMBER:
        raise WrongInput(
            f"{name} must be a whole number up to {LARGEST_NUMBER:,}, not {text[:40]!r}"
        )
    return int(text[:9])


def _part_number(request: Request) -> int:
    number = _whole_number(request, "page", 1)
    if not number:
        raise WrongInput("page must be a number from 1")
    return number
