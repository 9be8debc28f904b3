"""Pages as HTML: the templates, what they may call, and the response made from one."""

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import Response

import webstencil
from webstencil.output import place_tree_html as trees
from webstencil.queries import figures
from webstencil.queries.box_pictures import slot_class
from webstencil.queries.lists import learner_words
from webstencil.queries.pages import leads_to_web, outside_link

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

HTML = "text/html; charset=utf-8"
SHORT = 240  # characters shown of a long text
LONG = 80  # characters of a selector that may not fit into its lines


class WrongInput(Exception):
    """A request is wrong; the message says what to do."""


class PageWriter:
    """Writes pages."""

    def __init__(self, store: str) -> None:
        """Write the name of the store on each page."""
        self._environment = Environment(
            loader=PackageLoader("webstencil.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals |= {
            "store": store,
            "version": webstencil.__version__,
            "link": link,
            "leads_to_web": leads_to_web,
            "outside_link": outside_link,
            "says_words": trees.WORDS,
            "links_words": trees.LINKS,
            "INDENTED": trees.INDENTED,
            "TRUNK": trees.TRUNK,
            "WITHIN": trees.WITHIN,
            "SHORT": SHORT,
            "LONG": LONG,
        }
        self._environment.filters |= {
            "percent": figures.percent,
            "share": trees.share_words,
            "times": trees.times_words,
            "sure": figures.sure,
            "when": figures.when,
            "learner_words": learner_words,
            "compact": compact,
            "count": figures.count,
            "slot_class": slot_class,
        }

    def page(
        self,
        request: Request,
        name: str,
        facts: Mapping[str, object],
        status: int = 200,
    ) -> Response:
        """Answer a request with a template and its variables."""
        # URLs are relative, so that the pages work below any path of another server.
        root = "../" * max(0, request.url.path.count("/") - 1)
        text = self._environment.get_template(name).render({"root": root, **facts})
        return Response(text.encode("utf-8", "replace"), status, media_type=HTML)


def link(path: str, **parts: object) -> str:
    """Return the URL of one of our pages."""
    given = {name: value for name, value in parts.items() if value not in ("", None)}
    query = urlencode(given, errors="replace")
    return f"{path}?{query}" if query else path


def fields_of(value: "DataclassInstance") -> dict[str, object]:
    """Return the fields of a value, as variables of a template."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


def compact(text: str) -> str:
    """Leave out empty lines."""
    return "\n".join(line for line in text.splitlines() if line.strip())
