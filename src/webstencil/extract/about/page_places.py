"""Where on a page an element is: in its own text, among replies, or aside."""

import re

from webstencil import markup
from webstencil.markup import Node

REPLIES, ASIDE, OWN = " in replies", " aside", ""
REPLIES_NAMES = re.compile(r"comment|reviews").search  # in classes and ids
ASIDE_NAMES = re.compile(r"related").search  # in classes
# Classes of elements around the whole page describe its parts.
WHOLE = frozenset({"html", "body", "article", "main"})  # elements around all of a page
NAMES_KEPT = 1 << 15
NAMES_ELSEWHERE = ("comment", "related", "reviews", "sidebar", "widget")
# About comments, other pages or the site, not about the page.
ELSEWHERE = "aside, nav, footer:not(article *), " + ", ".join(
    f"[{attribute}*={name}]:not(html, body, main, article)"
    for name in NAMES_ELSEWHERE
    for attribute in ("class", "id")
)


class _PlaceNames(dict[str, str]):
    """The places that classes speak of, cached."""

    def __missing__(self, names: str) -> str:
        if len(self) >= NAMES_KEPT:
            self.clear()
        lower = names.lower()
        place = REPLIES if REPLIES_NAMES(lower) else ASIDE if ASIDE_NAMES(lower) else OWN
        self[names] = place
        return place


_places_named = _PlaceNames()


class PagePlaces:
    """The places of the elements of a page, found once for each.

    What is around the main heading is around the page's own text, whatever its name.
    """

    def __init__(self, heading: Node | None) -> None:
        self._known: dict[Node, str] = {}
        while heading is not None:
            self._known[heading] = OWN
            heading = markup.parent(heading)

    def of(self, node: Node) -> str:
        """Return the place of an element or text."""
        known = self._known
        path: list[Node] = []
        at: Node | None = node
        while at is not None and at not in known:
            path.append(at)
            at = markup.parent(at)
        place = OWN if at is None else known[at]
        for one in reversed(path):
            if place != REPLIES:
                place = _own_place(one) or place
            known[one] = place
        return place


def _own_place(node: Node) -> str:
    """Return the place that an element itself speaks of."""
    tag = markup.tag(node)
    if not tag or tag in WHOLE:
        return OWN
    named = _places_named[markup.attribute(node, "class")]
    identifier = markup.identifier(node)
    if named == REPLIES or (identifier and REPLIES_NAMES(identifier.lower())):
        return REPLIES
    if named or tag in ("nav", "aside"):
        return ASIDE
    return ASIDE if tag == "footer" and node.closest("article") is None else OWN
