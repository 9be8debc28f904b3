"""The HTML templates, the same for files that `run` and `survey` write and for the web page.

A page that is served links the style sheet and the script. A file has the style sheet in itself and
needs no script, so that it works wherever it is copied to.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import webstencil
from webstencil.output.overlay import slot_class
from webstencil.output.words import percent, plural, share_words, sure, times_words, when
from webstencil.site.place_tree import Says
from webstencil.site.templates import template_type
from webstencil.urls import has_made_up_host

if TYPE_CHECKING:
    from jinja2 import Environment

SERVED_ONLY = "/* Only on the web page. */"  # the rest of the style sheet is not for files
TEMPLATE_LIMITS = {
    "SHORT": 240,  # characters shown of a text that can be opened
    "LONG": 80,  # characters of a selector that may not fit into its lines
    "LONGEST_TEXT": 2_000,  # characters, in files
    "LONGEST_URL": 200,  # characters
    "LONGEST_LABEL": 100,  # characters of the name of a place
    "TRUNK": 0.25,  # share of the site's text; places with more are open at first
    "INDENTED": 12,  # levels of places; deeper ones would leave no room on narrow screens
}
BETWEEN_PLACES = " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} "  # between the names of places
SAYS_WORDS = {
    Says.NOTHING: "",
    Says.SAME: "same",
    Says.NUMBERS: "numbers",
    Says.MIXED: "mixed",
    Says.VARIES: "data",
}
LINKS_WORDS = {
    Says.SAME: "Its links lead to the same pages everywhere.",
    Says.MIXED: "Its links lead to the same pages in part.",
    Says.VARIES: "Its links lead elsewhere on each page.",
}


def served_html(name: str, facts: Mapping[str, object]) -> str:
    """Write a page of the web page from a template and its variables."""
    return _environment().get_template(name).render({"style": "", "longest": 0, **facts})


def file_html(name: str, facts: Mapping[str, object]) -> str:
    """Write a file from a template and its variables."""
    always = {"style": _style(), "longest": TEMPLATE_LIMITS["LONGEST_TEXT"], "root": ""}
    return _environment().get_template(name).render({**always, **facts})


def is_outside_link(url: str) -> bool:
    """Return whether a URL leads to the web: others could do things, or have a made-up host."""
    return url.startswith(("http://", "https://")) and not has_made_up_host(url)


def cut_text(text: str, longest: int) -> str:
    """Cut a text that is too long."""
    return text if len(text) <= longest else text[:longest] + "…"


@cache
def _style() -> str:
    """Return the style sheet for a file, in as few characters as is easy."""
    css = (files("webstencil.output") / "static" / "style.css").read_text("utf-8")
    css = re.sub(r"/\*.*?\*/", "", css.partition(SERVED_ONLY)[0], flags=re.DOTALL)
    from markupsafe import Markup  # noqa: PLC0415 - comes with Jinja2

    return Markup(re.sub(r"\s*([{};,>])\s*|\s+", lambda space: space[1] or " ", css).strip())


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 - slow to import

    environment = Environment(
        loader=PackageLoader("webstencil.output"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,  # or each page would look at the files of its templates
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        **TEMPLATE_LIMITS,
        "BETWEEN_PLACES": BETWEEN_PLACES,
        "SAYS_WORDS": SAYS_WORDS,
        "LINKS_WORDS": LINKS_WORDS,
        "outside_link": is_outside_link,
        "version": webstencil.__version__,
    }
    environment.filters |= {
        "percent": percent,
        "share": share_words,
        "times": times_words,
        "sure": sure,
        "when": when,
        "count": plural,
        "cut": cut_text,
        "compact": lambda text: "\n".join(line for line in text.splitlines() if line.strip()),
        "slot_class": slot_class,
        "template_type": template_type,
    }
    return environment
