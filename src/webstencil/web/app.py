"""The routes, an error page for each failure, and the form for trying a page."""

import logging
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from threading import Lock
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from webstencil.errors import PageTimeout, RenderError, SettingsError, StoreError
from webstencil.output.json_lines import json_areas
from webstencil.output.overlay import page_outlines, picture_of
from webstencil.protocols import Segmenter
from webstencil.queries.lists import AREAS_SHOWN, DEFAULT, PAPER, NotStored, ShownStore
from webstencil.queries.pages import WEB
from webstencil.queries.sites import SiteKey, SiteReader, SiteSummary
from webstencil.segment import PUBLISHED, SEGMENTERS, Setting, make_segmenter, segmenter_settings
from webstencil.web.server import LARGEST_PAGE, Guard, Hosts, RequestTooLarge, too_large_words
from webstencil.web.views import PageWriter, Views, WrongInput, link, parameter
from webstencil.web.work import (
    Address,
    Busy,
    Given,
    LayOver,
    Origin,
    Segment,
    TrialTask,
    Tried,
    Workplace,
)

# A form for trying a page, and the outcome.


NO_URL = "http://page.invalid/"  # of a page that was sent without one
KEPT_TRIALS = 8  # pages tried last, with their screenshots of up to a few MB
USUAL_SEGMENTER = "vips"
PRESETS: dict[str, Mapping[str, Segmenter]] = {
    DEFAULT: {name: make_segmenter(name) for name in SEGMENTERS},
    PAPER: PUBLISHED,
}


@dataclass(frozen=True, slots=True)
class FormField:
    """A form field for a setting of a segmenter."""

    name: str
    value: str
    setting: Setting

    @property
    def choices(self) -> tuple[str, ...]:
        """Return the values that it may have, none if they are not few."""
        return ("true", "false") if self.setting.type is bool else self.setting.choices

    @property
    def step(self) -> str:
        """Return the step of a number, empty if it is none."""
        return {int: "1", float: "any"}.get(self.setting.type, "")


class RecentTrials:
    """The pages tried last, by keys that cannot be guessed."""

    def __init__(self, most: int = KEPT_TRIALS) -> None:
        self._most = most
        self._lock = Lock()
        self._tried: OrderedDict[str, Tried] = OrderedDict()

    def add(self, tried: Tried) -> str:
        """Keep an outcome; return its key."""
        key = secrets.token_urlsafe(12)
        with self._lock:
            self._tried[key] = tried
            while len(self._tried) > self._most:
                self._tried.popitem(last=False)
        return key

    def find(self, key: str) -> Tried:
        with self._lock:
            tried = self._tried.get(key)
        if tried is None:
            raise NotStored("this outcome is no longer kept; try the page again")
        return tried


class Trying:
    """Takes pages and shows the outcome."""

    def __init__(
        self,
        shown: ShownStore,
        writer: PageWriter,
        reader: SiteReader,
        workplace: Workplace,
        *,
        fetch: bool,
        segmenters: Mapping[str, Segmenter],
    ) -> None:
        self._shown = shown
        self._writer = writer
        self._reader = reader
        self._workplace = workplace
        self._fetch = fetch
        self._segmenters = segmenters
        self._kept = RecentTrials()

    def form(self, request: Request) -> Response:
        """Show the form; query parameters may choose the site and a preset."""
        given = {"site": parameter(request, "site"), "preset": parameter(request, "preset")}
        return self._form(request, given)

    async def send(self, request: Request) -> Response:
        """Do what the form asks for, and redirect to the outcome."""
        async with request.form(max_files=1, max_fields=200, max_part_size=LARGEST_PAGE) as form:
            origin = await self._origin(form)
            given = {name: value for name, value in form.items() if isinstance(value, str)}
        return await run_in_threadpool(self._answer, request, given, origin)

    def tried(self, request: Request) -> Response:
        key = parameter(request, "key")
        tried = self._kept.find(key)
        image = link("tried.png", key=key) if tried.screenshot else ""
        picture = picture_of(
            page_outlines(tried.areas),
            size=tried.size,
            image=image,
            image_size=tried.screenshot_size,
        )
        facts = {
            "tried": tried,
            "key": key,
            "picture": picture,
            "areas": tried.areas[:AREAS_SHOWN],
            "no_url": NO_URL,
            "of_site": any(area.name for area in tried.areas),
        }
        return self._writer.page(request, "tried.html", facts)

    def picture(self, request: Request) -> Response:
        tried = self._kept.find(parameter(request, "key"))
        if not tried.screenshot:
            raise NotStored("this page was not rendered, so there is no screenshot of it")
        return Response(tried.screenshot, media_type="image/png")

    def json(self, request: Request) -> Response:
        """Send the areas of a page as `segment --json` writes them."""
        tried = self._kept.find(parameter(request, "key"))
        headers = {"Content-Disposition": 'attachment; filename="areas.json"'}
        written = json_areas(tried.areas, tried.structures)
        return Response(written, media_type="application/json", headers=headers)

    def _answer(self, request: Request, given: dict[str, str], origin: Origin | None) -> Response:
        try:
            tried = self._workplace.do(self._task(given, origin))
        except (WrongInput, RenderError, SettingsError) as error:
            statuses = ((Busy, 503), (PageTimeout, 504), (RenderError, 422))
            status = next((number for kind, number in statuses if isinstance(error, kind)), 400)
            return self._form(request, given, str(error), status)
        return RedirectResponse(link("tried", key=self._kept.add(tried)), 303)

    def _form(
        self, request: Request, given: dict[str, str], fault: str = "", status: int = 200
    ) -> Response:
        facts = {
            "fault": fault.replace(NO_URL, "the page"),
            "given": given,
            "chosen": given.get("with", USUAL_SEGMENTER),
            "segmenters": _form_fields(self._preset(given.get("preset", "")), given),
            "preset": given.get("preset", ""),
            "presets": tuple(PRESETS),
            "sites": [row for row in self._sites() if row.is_layable],
            "fetch": self._fetch,
            "largest": LARGEST_PAGE,
        }
        return self._writer.page(request, "try.html", facts, status)

    def _preset(self, name: str) -> Mapping[str, Segmenter]:
        if not name:
            return self._segmenters
        if name not in PRESETS:
            raise WrongInput(f"there is no preset {name!r}; there are {', '.join(PRESETS)}")
        return PRESETS[name]

    def _sites(self) -> tuple[SiteSummary, ...]:
        return self._reader.overview(self._shown.store()).rows

    async def _origin(self, form: FormData) -> Origin | None:
        """Return the page that was sent, None if there is none."""
        file, html, address = form.get("file"), form.get("html"), form.get("address")
        url = str(form.get("url") or "").strip() or NO_URL
        if isinstance(file, UploadFile) and file.filename:
            body = await file.read(LARGEST_PAGE + 1)
            if len(body) > LARGEST_PAGE:
                raise WrongInput(too_large_words())
            return Given(url, body)
        if isinstance(html, str) and html.strip():
            return Given(url, html.encode("utf-8", "replace"), "utf-8")
        if self._fetch and isinstance(address, str) and address.strip():
            return Address(address.strip())
        return None

    def _task(self, given: dict[str, str], origin: Origin | None) -> TrialTask:
        """Return what the form asks for."""
        if origin is None:
            raise WrongInput("there is no page: paste its HTML or choose a file")
        if not _is_web_url(origin.url):
            raise WrongInput(
                f"{origin.url[:200]!r} is not a URL: it must begin with http:// or https://"
            )
        if given.get("do") != "lay":
            name = given.get("with", USUAL_SEGMENTER)
            settings = [
                f"{key.removeprefix(f'{name}.')}={value}"
                for key, value in given.items()
                if key.startswith(f"{name}.") and value.strip()
            ]
            start = self._preset(given.get("preset", ""))
            return Segment(origin, make_segmenter(name, settings, start=start.get(name)))
        maker, _, site = given.get("site", "").partition(" ")
        key = SiteKey(site, int(maker) if maker.isdecimal() else 0)
        for row in self._sites():
            if row.key == key and row.mode:
                return LayOver(origin, self._shown.location, key, row.made_by, row.mode)
        raise WrongInput("choose the site to lay over the page")


def _form_fields(
    segmenters: Mapping[str, Segmenter], given: dict[str, str]
) -> dict[str, list[FormField]]:
    """Make the form fields of all segmenters; what was not given is as these have it."""
    made: dict[str, list[FormField]] = {name: [] for name in SEGMENTERS}
    for segmenter, form_fields in made.items():
        for setting in segmenter_settings(segmenter):
            name = f"{segmenter}.{setting.name}"
            usual = str(getattr(segmenters[segmenter], setting.name))
            usual = usual.lower() if setting.type is bool else usual
            form_fields.append(FormField(name, given.get(name, usual), setting))
    return made


def _is_web_url(url: str) -> bool:
    """Return whether a page can have this URL."""
    try:
        parts = urlsplit(url)
        return parts.scheme in WEB and bool(parts.hostname)
    except ValueError:
        return False


log = logging.getLogger(__name__)

ERROR_TITLES = {
    400: "Bad request",
    404: "Not found",
    405: "Method not allowed",
    408: "Request timeout",
    413: "Too large",
    500: "Server error",
    503: "The store cannot be read",
}
ERROR_ADVICE = {
    404: "there is no page at this URL; start from the list of sites",
    405: "use the links and forms of these pages",
    500: "see the server's terminal for the cause; other pages still work",
}
ERROR_STATUSES: Mapping[type[Exception], int] = {  # a special kind before its general one
    NotStored: 404,
    StoreError: 503,
    WrongInput: 400,
    SettingsError: 400,
    RequestTooLarge: 413,
}


def make_app(
    shown: ShownStore,
    hosts: Hosts,
    *,
    fetch: bool = False,
    segmenters: Mapping[str, Segmenter] = PRESETS[DEFAULT],
) -> ASGIApp:
    """Make the application that shows a store; it closes the store at its end.

    The form for trying a page starts with the settings of `segmenters`.
    """
    writer, reader, workplace = PageWriter(shown.name), SiteReader(), Workplace()

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        workplace.close()
        shown.close()

    views = Views(shown, writer, reader)
    trying = Trying(shown, writer, reader, workplace, fetch=fetch, segmenters=segmenters)
    faults = Faults(writer)
    app = Starlette(
        routes=[
            Route("/", views.sites),
            Route("/site", views.site),
            Route("/templates.json", views.templates_json),
            Route("/places", views.places),
            Route("/places.json", views.places_json),
            Route("/problems", views.problems),
            Route("/template", views.template),
            Route("/slot", views.slot),
            Route("/slots.json", views.slots_json),
            Route("/stencil", views.stencil),
            Route("/pages", views.pages),
            Route("/result", views.result),
            Route("/result.json", views.result_json),
            Route("/try", trying.form, methods=["GET"]),
            Route("/try", trying.send, methods=["POST"]),
            Route("/tried", trying.tried),
            Route("/tried.png", trying.picture),
            Route("/tried.json", trying.json),
            Mount("/static", StaticFiles(packages=[("webstencil.output", "static")])),
        ],
        exception_handlers={
            **dict.fromkeys(ERROR_STATUSES, faults.ours),
            HTTPException: faults.of_http,
            Exception: faults.unknown,
        },
        lifespan=lifespan,
    )
    return Guard(app, hosts)


class Faults:
    """Answers with a page that says what is wrong, and the next step."""

    def __init__(self, writer: PageWriter) -> None:
        self._writer = writer

    def ours(self, request: Request, error: Exception) -> Response:
        status = next(status for kind, status in ERROR_STATUSES.items() if isinstance(error, kind))
        return self._page(request, status, str(error))

    def of_http(self, request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        detail = error.detail if isinstance(error, HTTPException) else str(error)
        return self._page(request, status, ERROR_ADVICE.get(status, detail))

    def unknown(self, request: Request, error: Exception) -> Response:
        """Answer that this is a fault of ours, and log it."""
        log.error("failed path=%s kind=%s", request.url.path, type(error).__name__)
        return self._page(request, 500, ERROR_ADVICE[500])

    def _page(self, request: Request, status: int, words: str) -> Response:
        title = ERROR_TITLES.get(status, f"Error {status}")
        sentence = words[:1].upper() + words[1:]
        facts = {"status": status, "title": title, "words": sentence}
        return self._writer.page(request, "error.html", facts, status)
