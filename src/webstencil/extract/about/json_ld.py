"""JSON-LD of a page: its things, read from the bytes without a second parse."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from typing import TypeAlias

from webstencil.markup.double_encoding import mended
from webstencil.model import Page

Json: TypeAlias = "dict[str, Json] | list[Json] | str | float | bool | None"
Thing: TypeAlias = "dict[str, Json]"

# The escape of half a character, from a text cut within an emoji; no text can have it.
HALF_CHARACTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    r"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)
START = b"application/ld+json"
END = re.compile(rb"(?i)</script")
WRAPPING = re.compile(
    r"^\s*(?:<!--|/\*\s*<!\[CDATA\[\s*\*/|//\s*<!\[CDATA\[)|(?:-->|/\*\s*\]\]>\s*\*/|//\s*\]\]>)\s*$"
)
LOOSE_COMMA = re.compile(r",\s*(?=[}\]])")
MOST_THINGS = 2_000  # of a page
WITHIN = ("@graph", "mainEntity", "mainEntityOfPage")  # things in things


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
        return [(thing, names) for thing in self.things if (names := types_of(thing))]

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
                written = as_text(thing.get("name"))
                group = any("Organi" in kind or kind == "Brand" for kind in types_of(thing))
            else:
                written, group = as_text(thing), False
            if written:
                found.append((written, group))
        return found


def read_json_ld(page: Page) -> JsonLd:
    """Read the JSON-LD of a page; what is broken is left out."""
    found: list[Thing] = []
    for script in scripts(page.body, page.encoding):
        waiting: list[Json] = [parsed(script)]
        while waiting and len(found) < MOST_THINGS:
            value = waiting.pop()
            if isinstance(value, list):
                waiting.extend(reversed(value))
            elif isinstance(value, dict):
                found.append(value)
                waiting.extend(value[name] for name in reversed(WITHIN) if name in value)
    return JsonLd(tuple(found))


def scripts(body: bytes, encoding: str) -> Iterator[str]:
    """Yield the JSON-LD scripts of a page, as written; a parsed page has no scripts."""
    at = body.find(START)
    while at >= 0:
        begin = body.find(b">", at) + 1
        end = END.search(body, begin) if begin else None
        if end is None:
            return
        opening = body.rfind(b"<", max(0, at - 500), at)
        if opening >= 0 and body[opening : opening + 7].lower() == b"<script":
            yield decoded(body[begin : end.start()], encoding)
        at = body.find(START, end.end())


def decoded(script: bytes, encoding: str) -> str:
    """Decode a script as its page is."""
    try:
        return script.decode(encoding, "replace")
    except LookupError:
        return script.decode("utf-8", "replace")


def parsed(script: str) -> Json:
    """Parse a script; None if it is broken by hand or on purpose."""
    text = HALF_CHARACTER.sub(r"\\ufffd", WRAPPING.sub("", script))
    for attempt in (text, LOOSE_COMMA.sub("", text)):
        try:
            value: Json = json.loads(attempt, strict=False)
        except (ValueError, RecursionError):
            continue
        return value
    return None


def types_of(thing: Thing) -> list[str]:
    """List the types of a thing."""
    kinds = thing.get("@type")
    return [
        kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(kind, str)
    ]


def as_text(value: Json) -> str:
    """Return a JSON-LD value as text: itself, or the names of one object or several."""
    things = value if isinstance(value, list) else [value]
    named = [thing.get("name") if isinstance(thing, dict) else thing for thing in things]
    texts = [" ".join(mended(unescape(name)).split()) for name in named if isinstance(name, str)]
    return ", ".join(text for text in texts if text)
