"""A form in which a visitor tries a page, and what came of it."""

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from webstencil.errors import PageTimeout, RenderError, SettingsError
from webstencil.output.json_lines import json_areas
from webstencil.output.overlay import page_outlines
from webstencil.queries.open_store import Shelf
from webstencil.queries.sites import SiteKey, SiteReader, SiteSummary
from webstencil.segment import SEGMENTERS, Setting, make_segmenter, segmenter_settings
from webstencil.web.guard import LARGEST_PAGE, too_large_words
from webstencil.web.pictures import picture_of
from webstencil.web.views import AREAS, text_of
from webstencil.web.work import Address, Given, LayOver, Origin, Segment, TrialTask, Tried
from webstencil.web.workplace import Busy, Workplace
from webstencil.web.writing import WEB, NotThere, PageWriter, WrongInput, link

NO_ADDRESS = "http://page.invalid/"  # of a page that was given without one
KEPT = 8  # pages tried last, with their pictures; a picture has up to a few MB
USUAL = "vips"


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of the form, made from a setting of a segmenter."""

    name: str
    label: str
    meaning: str
    range: str
    value: str
    choices: tuple[str, ...]
    number: bool
    step: str  # of a number
    low: float | None
    high: float | None


class RecentTrials:
    """What was tried last, by keys that nobody guesses."""

    def __init__(self, most: int = KEPT) -> None:
        self._most = most
        self._lock = Lock()
        self._tried: OrderedDict[str, Tried] = OrderedDict()

    def add(self, tried: Tried) -> str:
        """Keep what came of a page; return its key."""
        key = secrets.token_urlsafe(12)
        with self._lock:
            self._tried[key] = tried
            while len(self._tried) > self._most:
                self._tried.popitem(last=False)
        return key

    def find(self, key: str) -> Tried:
        """Return what came of a page."""
        with self._lock:
            tried = self._tried.get(key)
        if tried is None:
            raise NotThere("this try is not kept any more; try the page again")
        return tried


class Trying:
    """Takes pages and shows what came of them."""

    def __init__(
        self,
        shelf: Shelf,
        writer: PageWriter,
        reader: SiteReader,
        workplace: Workplace,
        *,
        fetch: bool,
    ) -> None:
        self._shelf = shelf
        self._writer = writer
        self._reader = reader
        self._workplace = workplace
        self._fetch = fetch
        self._kept = RecentTrials()

    def form(self, request: Request) -> Response:
        """Show the form; it may be asked for with a site chosen."""
        given = {"site": text_of(request, "site")}
        return self._form(request, given)

    async def send(self, request: Request) -> Response:
        """Do what the form asks for, and lead to what came of it."""
        async with request.form(max_files=1, max_fields=200, max_part_size=LARGEST_PAGE) as form:
            origin = await self._origin(form)
            given = {name: value for name, value in form.items() if isinstance(value, str)}
        return await run_in_threadpool(self._answer, request, given, origin)

    def tried(self, request: Request) -> Response:
        """Show what came of a page."""
        key = text_of(request, "key")
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
            "areas": tried.areas[:AREAS],
            "no_address": NO_ADDRESS,
        }
        return self._writer.page(request, "tried.html", facts)

    def picture(self, request: Request) -> Response:
        """Send the screenshot of a page."""
        tried = self._kept.find(text_of(request, "key"))
        if not tried.screenshot:
            raise NotThere("this page was not rendered, so that there is no picture of it")
        return Response(tried.screenshot, media_type="image/png")

    def json(self, request: Request) -> Response:
        """Send the areas of a page as `segment --json` writes them."""
        tried = self._kept.find(text_of(request, "key"))
        headers = {"Content-Disposition": 'attachment; filename="areas.json"'}
        return Response(json_areas(tried.areas), media_type="application/json", headers=headers)

    def _answer(self, request: Request, given: dict[str, str], origin: Origin | None) -> Response:
        try:
            tried = self._workplace.do(self._task(given, origin))
        except (WrongInput, RenderError, SettingsError) as error:
            return self._form(request, given, str(error), status_of(error))
        return RedirectResponse(link("tried", key=self._kept.add(tried)), 303)

    def _form(
        self, request: Request, given: dict[str, str], fault: str = "", status: int = 200
    ) -> Response:
        facts = {
            "fault": fault.replace(NO_ADDRESS, "the page"),
            "given": given,
            "chosen": given.get("with", USUAL),
            "segmenters": {
                name: [field_of(name, known, given) for known in segmenter_settings(name)]
                for name in SEGMENTERS
            },
            "sites": [row for row in self._sites() if row.teaching],
            "fetch": self._fetch,
            "largest": LARGEST_PAGE,
        }
        return self._writer.page(request, "try.html", facts, status)

    def _sites(self) -> tuple[SiteSummary, ...]:
        return self._reader.overview(self._shelf.store()).rows

    async def _origin(self, form: FormData) -> Origin | None:
        """Return the page that was given, None if there is none."""
        file, html, address = form.get("file"), form.get("html"), form.get("address")
        url = str(form.get("url") or "").strip() or NO_ADDRESS
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
            raise WrongInput("there is no page yet: paste its HTML or choose a file")
        if not is_address(origin.url):
            raise WrongInput(f"{origin.url[:200]!r} is no address: it must begin with http")
        if given.get("do") != "lay":
            name = given.get("with", USUAL)
            settings = tuple(settings_in(given, name))
            make_segmenter(name, settings)  # a wrong setting is told before the page is worked on
            return Segment(origin, name, settings)
        maker, _, site = given.get("site", "").partition(" ")
        key = SiteKey(site, int(maker) if maker.isdecimal() else 0)
        for row in self._sites():
            if row.key == key:
                return LayOver(origin, self._shelf.place, site, row.made_by)
        raise WrongInput("choose the site whose stencils are to be laid over the page")


def status_of(error: Exception) -> int:
    """Return the status that says whose fault it is."""
    if isinstance(error, Busy):
        return 503
    if isinstance(error, PageTimeout):
        return 504
    return 422 if isinstance(error, RenderError) else 400


def settings_in(given: dict[str, str], name: str) -> list[str]:
    """Return the settings of a segmenter that a form has."""
    start = f"{name}."
    return [
        f"{key.removeprefix(start)}={value}"
        for key, value in given.items()
        if key.startswith(start) and value.strip()
    ]


def field_of(segmenter: str, known: Setting, given: dict[str, str]) -> FormField:
    """Make a field of a setting."""
    name = f"{segmenter}.{known.name}"
    default = str(known.default).lower() if known.type is bool else str(known.default)
    return FormField(
        name=name,
        label=known.name.replace("_", " "),
        meaning=known.meaning,
        range=known.range,
        value=given.get(name, default),
        choices=("true", "false") if known.type is bool else known.choices,
        number=known.type in (int, float),
        step="1" if known.type is int else "any",
        low=known.low,
        high=known.high,
    )


def is_address(url: str) -> bool:
    """Tell whether a page can have this address."""
    try:
        parts = urlsplit(url)
        return parts.scheme in WEB and bool(parts.hostname)
    except ValueError:
        return False
