"""Names of slots: what their author called them, what they are, or where they stand."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from webstencil.site.outline import NO_PLACE
from webstencil.site.page_units import container_of_text
from webstencil.site.site_areas import SiteAreas, Slot
from webstencil.site.vocabulary import parts

# Elements that say what they hold; other elements are named by class, id, or what is around them.
TELLING = {
    "header": "header",
    "nav": "navigation",
    "main": "main",
    "article": "article",
    "aside": "aside",
    "footer": "footer",
    "form": "form",
    "table": "table",
    "figure": "figure",
    "h1": "title",
    "h2": "heading",
    "h3": "heading",
    "h4": "heading",
    "ul": "list",
    "ol": "list",
    "dl": "list",
    "li": "entry",
    "tr": "row",
    "p": "text",
    "pre": "code",
    "blockquote": "quote",
    "address": "address",
}
_BREAK = re.compile(r"[-_\s]+|(?<=[a-z])(?=[A-Z])")
SHORTEST = 3  # letters of the longest word of a name; less is an abbreviation of styles


def name_slots(
    areas: SiteAreas,
    slots: Sequence[Slot],
    tops: Mapping[int, Counter[int]],
    known: Mapping[int, str],
) -> dict[int, str]:
    """Name slots, by their numbers; `known` names stay, and no two are the same.

    `tops` are the places of the nodes of each slot.
    """
    names = dict(known)
    taken = set(known.values())
    for slot in sorted(slots, key=lambda one: one.number):
        if slot.number in names:
            continue
        wanted = wanted_name(areas, slot, tops[slot.number])
        name, number = wanted, 1
        while name in taken:
            number += 1
            name = f"{wanted} {number}"
        names[slot.number] = name
        taken.add(name)
    return names


def wanted_name(areas: SiteAreas, slot: Slot, tops: Counter[int]) -> str:
    """Return the best name of a slot, whoever else has it."""
    place = place_of(slot, tops)
    own = told(areas.labels[place]) if place != NO_PLACE else ""
    if slot.kind and own in ("", "text", "list", "entry", "heading", "table"):
        return slot.kind
    if own:
        return own
    around = place
    while around != NO_PLACE and (around := areas.containers[around]) != NO_PLACE:
        if name := told(areas.labels[around]):
            return f"part of {name}"
    return slot.kind or "part"


def place_of(slot: Slot, tops: Counter[int]) -> int:
    """Return the place that names a slot: that of its node, else of what leads it."""
    place = max(tops, key=lambda one: (tops[one], -one), default=NO_PLACE)
    if place >= 0:
        return place
    return slot.key if slot.key >= NO_PLACE else container_of_text(slot.key)


def told(label: str) -> str:
    """Return what a label says in words, nothing if it says nothing.

    >>> told("div.main_menu"), told("nav#theNavbar"), told("nav.pl0-ns"), told("div")
    ('main menu', 'the navbar', 'navigation', '')
    """
    tag, tokens = parts(label)
    for token in sorted(tokens, key=lambda one: one.sign != "#"):
        words = [word.lower() for word in _BREAK.split(token.name) if word.strip("0123456789")]
        if any(len(word) >= SHORTEST and word.isalpha() for word in words):
            return " ".join(words)
    return TELLING.get(tag, "")
