"""Pages as HTML: the templates, what they may call, and how an answer is made of one."""

from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import Response

import webstencil
from webstencil.cli.stencil_tables import maker_words

HTML = "text/html; charset=utf-8"
SHORT = 240  # characters shown of a long text
LONG = 80  # characters of a selector that may not fit into its lines
WEB = ("http", "https")


class NotThere(Exception):
    """What was asked for is not there; the message says what to do."""


class WrongInput(Exception):
    """What was asked makes no sense; the message says what to do."""


class PageWriter:
    """Writes pages."""

    def __init__(self, place: str) -> None:
        """Write on the top of each page which store it shows."""
        self._environment = Environment(
            loader=PackageLoader("webstencil.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals |= {
            "place": place,
            "version": webstencil.__version__,
            "link": link,
            "SHORT": SHORT,
            "LONG": LONG,
        }
        self._environment.filters |= {
            "percent": percent,
            "sure": sure,
            "when": when,
            "maker_words": maker_words,
            "compact": compact,
            "count": count,
        }
        self._environment.tests["on_the_web"] = on_the_web

    def page(
        self,
        request: Request,
        name: str,
        facts: Mapping[str, object],
        status: int = 200,
    ) -> Response:
        """Answer a request by a template that is told these facts."""
        # Addresses are relative, so that we may stand below any folder of another server.
        root = "../" * max(0, request.url.path.count("/") - 1)
        text = self._environment.get_template(name).render({"root": root, **facts})
        return Response(text.encode("utf-8", "replace"), status, media_type=HTML)


def link(place: str, **parts: object) -> str:
    """Write the address of one of our pages."""
    given = {name: value for name, value in parts.items() if value not in ("", None)}
    query = urlencode(given, errors="replace")
    return f"{place}?{query}" if query else place


def on_the_web(url: str) -> bool:
    """Tell whether an address may be a link; others could do things when they are clicked."""
    try:
        return urlsplit(url).scheme in WEB
    except ValueError:
        return False


def percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def sure(confidence: float | None) -> str:
    return "-" if confidence is None else f"{confidence:.3f}"


def when(iso: str) -> str:
    """Write a time as people read it; all times of a store are UTC."""
    return iso[:16].replace("T", " ") + " UTC" if iso else "not noted"


def compact(text: str) -> str:
    """Leave out empty lines."""
    return "\n".join(line for line in text.splitlines() if line.strip())


def count(number: int, thing: str) -> str:
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
