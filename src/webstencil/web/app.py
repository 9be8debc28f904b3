"""The routes, and an error page for each failure."""

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from webstencil.errors import SettingsError, StoreError
from webstencil.protocols import Segmenter
from webstencil.queries.lists import DEFAULT, NotStored, ShownStore
from webstencil.queries.sites import SiteReader
from webstencil.web.server import Guard, Hosts, RequestTooLarge
from webstencil.web.trying import PRESETS, Trying
from webstencil.web.views import PageWriter, Views, WrongInput
from webstencil.web.work import Workplace

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
