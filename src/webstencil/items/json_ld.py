"""JSON-LD of a page: its things, read from the bytes without a second parse."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from typing import TypeAlias
from urllib.parse import unquote, urlsplit

from webstencil.markup.source import mended
from webstencil.model import Page

Json: TypeAlias = "dict[str, Json] | list[Json] | str | float | bool | None"
Thing: TypeAlias = "dict[str, Json]"

# The escape of half a character, from a text cut within an emoji; no text can have it.
HALF_CHARACTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    r"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)
LINKED_DATA = b"application/ld+json"
SCRIPT_END = re.compile(rb"(?i)</script")
WRAPPING = re.compile(
    r"^\s*(?:<!--|/\*\s*<!\[CDATA\[\s*\*/|//\s*<!\[CDATA\[)|(?:-->|/\*\s*\]\]>\s*\*/|//\s*\]\]>)\s*$"
)
LOOSE_COMMA = re.compile(r",\s*(?=[}\]])")
MOST_THINGS = 2_000  # of a page
THING_HOLDERS = ("@graph", "mainEntity", "mainEntityOfPage")  # things in things


@dataclass(frozen=True)  # without slots, for `cached_property`
class JsonLd:
    """The things that a page describes for programs."""

    things: tuple[Thing, ...]

    def of_types(self, ends: tuple[str, ...]) -> list[Thing]:
        """List the things whose types end like these."""
        return [thing for thing, names in self.typed if any(name.endswith(ends) for name in names)]

    @cached_property
    def typed(self) -> list[tuple[Thing, list[str]]]:
        """Return the things that have types, with them."""
        return [(thing, names) for thing in self.things if (names := _types_of(thing))]

    @cached_property
    def by_id(self) -> dict[str, Thing]:
        """Return the things that say more than their id, by it."""
        found: dict[str, Thing] = {}
        for thing in self.things:
            name = thing.get("@id")
            if isinstance(name, str) and len(thing) > 1:
                found.setdefault(name, thing)
        return found

    def names(self, value: Json) -> list[tuple[str, bool]]:
        """List the names of what a value is or refers to, and whether it is an organisation."""
        found = []
        for one in value if isinstance(value, list) else [value]:
            thing = one
            if isinstance(one, dict):
                name = one.get("@id")
                if "name" not in one and isinstance(name, str):
                    thing = self.by_id.get(name, one)
            if isinstance(thing, dict):
                written = json_text(thing.get("name"))
                group = any("Organi" in kind or kind == "Brand" for kind in _types_of(thing))
            else:
                written, group = json_text(thing), False
            if written:
                found.append((written, group))
        return found


def read_json_ld(page: Page) -> JsonLd:
    """Read the JSON-LD of a page; what is broken is left out."""
    found: list[Thing] = []
    for script in _scripts(page.body, page.encoding):
        waiting: list[Json] = [_parsed(script)]
        while waiting and len(found) < MOST_THINGS:
            value = waiting.pop()
            if isinstance(value, list):
                waiting.extend(reversed(value))
            elif isinstance(value, dict):
                found.append(value)
                waiting.extend(value[name] for name in reversed(THING_HOLDERS) if name in value)
    return JsonLd(tuple(found))


def _scripts(body: bytes, encoding: str) -> Iterator[str]:
    """Yield the JSON-LD scripts of a page, as written; a parsed page has no scripts."""
    at = body.find(LINKED_DATA)
    while at >= 0:
        begin = body.find(b">", at) + 1
        end = SCRIPT_END.search(body, begin) if begin else None
        if end is None:
            return
        opening = body.rfind(b"<", max(0, at - 500), at)
        if opening >= 0 and body[opening : opening + 7].lower() == b"<script":
            yield _decoded(body[begin : end.start()], encoding)
        at = body.find(LINKED_DATA, end.end())


def _decoded(script: bytes, encoding: str) -> str:
    """Decode a script as its page is."""
    try:
        return script.decode(encoding, "replace")
    except LookupError:
        return script.decode("utf-8", "replace")


def _parsed(script: str) -> Json:
    """Parse a script; None if it is broken by hand or on purpose."""
    text = HALF_CHARACTER.sub(r"\\ufffd", WRAPPING.sub("", script))
    for attempt in (text, LOOSE_COMMA.sub("", text)):
        try:
            value: Json = json.loads(attempt, strict=False)
        except (ValueError, RecursionError):
            continue
        return value
    return None


def _types_of(thing: Thing) -> list[str]:
    """List the types of a thing."""
    kinds = thing.get("@type")
    return [
        kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(kind, str)
    ]


def json_text(value: Json) -> str:
    """Return a JSON-LD value as text: itself, or the names of one object or several."""
    things = value if isinstance(value, list) else [value]
    named = [thing.get("name") if isinstance(thing, dict) else thing for thing in things]
    texts = [" ".join(mended(unescape(name)).split()) for name in named if isinstance(name, str)]
    return ", ".join(text for text in texts if text)


# What kind of page it may be: signs from its address, its metas and its JSON-LD.

ARTICLE_THINGS = ("Article", "Posting", "Report", "Review", "Recipe", "Story", "ScholarlyArticle")
QUESTION_THINGS = ("Question",)
THING_GROUPS = (
    ("article", ARTICLE_THINGS),
    ("question", QUESTION_THINGS),
    ("page", ("WebPage", "Page")),
)
THREADS = ("ForumPosting", "QAPage")
THREAD_ADDRESS = re.compile(
    r"(?i)forum|thread|topic|/questions?/|community|discuss|/t/|viewtopic|/comments/"
)
# Parts of a path that name collections of articles, and those of what is sold, listed or explained.
THREAD = "thread"
OFFERS = "path of offers"
ARTICLES_PATH = re.compile(
    r"(?i)/(?:[\w-]*blogs?[\w-]*|articles?|artikel|artículos?|news|nachrichten|noticias?|notizie|"
    r"actualit[eé]s?|posts?|press(?:-releases?)?|stor(?:y|ies)|guides?|ratgeber|magazine?|"
    r"revista|journal|insights?|learn|tips|recipes?|rezepte|resources?|advice|reviews?|features?)(?=/)"
)
OFFERS_PATH = re.compile(
    r"(?i)/(?:services?|solutions?|pricing|products?|produkte?|productos?|shop|store|collections?|"
    r"categor(?:y|ies)|kategorien?|tags?|topics?|list|docs?|documentation|reference|manual|api|"
    r"platform|industries|about|contact|courses?|programs?|browse|search)(?=[/.]|$)"
)
LISTED_PATH = re.compile(
    r"(?i)/page[/-]?\d+$|/(?:archives?|authors?)/|^/(?:19|20)\d\d(?:/\d\d?){0,2}$"
)
INDEX_PATH = re.compile(r"(?i)/+(?:(?:index|default)\.\w{3,5})?$")
FAQ = ("FAQPage",)
LIST_THINGS = ("CollectionPage", "ItemList", "SearchResultsPage")


def page_signs(page: Page, told: JsonLd, metas: dict[str, list[str]]) -> Iterator[str]:
    """Yield what a page says of itself, and the form of its address."""
    kind = (metas.get("og:type") or [""])[0].lower()
    yield f"og:{kind}" if kind in ("article", "website", "product") else "og:other"
    for name, ends in (
        ("article", ARTICLE_THINGS),
        ("question", QUESTION_THINGS),
        ("product", ("Product",)),
        ("list", LIST_THINGS),
    ):
        if told.of_types(ends):
            yield f"json {name}"
    thread = is_thread(page, told)
    if thread:
        yield THREAD
    if thread or told.of_types(QUESTION_THINGS):
        yield "questions"
    address = urlsplit(page.url)
    path = address.path.strip("/")
    if path or "." in address.netloc:  # else it is no address
        yield "path " + ("root" if not path else "flat" if "/" not in path else "deep")
    yield "slug " + str(min(slug_of(page.url).count("-"), 4))


def is_thread(page: Page, told: JsonLd) -> bool:
    """Return whether a page is the thread of a forum; the questions of an FAQ are none."""
    if told.of_types(THREADS) or THREAD_ADDRESS.search(page.url):
        return True
    return bool(told.of_types(QUESTION_THINGS)) and not told.of_types(FAQ)


def folder_signs(url: str) -> Iterator[str]:
    """Yield whether the folders of an address are of articles, or of offers and lists."""
    path = INDEX_PATH.sub("", urlsplit(url).path)
    if OFFERS_PATH.search(path) or LISTED_PATH.search(path):
        yield OFFERS
    elif ARTICLES_PATH.search(path):
        yield "path of articles"


def slug_of(url: str) -> str:
    """Return the last part of a URL's path that has letters."""
    parts = [part for part in unquote(urlsplit(url).path).split("/") if part]
    for part in reversed(parts):
        words = re.sub(r"\.\w{2,5}$", "", part)
        if len(words) > 3 and any(letter.isalpha() for letter in words) and words != "index":
            return words.casefold().replace("_", "-")
    return ""
