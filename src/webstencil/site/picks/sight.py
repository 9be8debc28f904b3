"""What the picks of a page look at: the leaves around a node, the labels above it.

What is asked for twice is kept. A list of all leaves of the page would cost more than all else, so
there is none: the parser finds what stands at given tags.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from webstencil import markup
from webstencil.markup import Markup, Node
from webstencil.markup.picked import Anchor, Evidence, Near
from webstencil.model import TEXT

# Their classes tell about the page (logged in, category, browser), not about a place in it.
UNLABELLED = frozenset({"html", "body"})

BEFORE = (Evidence.BEFORE, Evidence.BEFORE_2, Evidence.BEFORE_3)
AFTER = (Evidence.AFTER, Evidence.AFTER_2)


class PickSight:
    """A page as its picks see it."""

    def __init__(self, source: Markup) -> None:
        self.source = source
        self._places: dict[Anchor, list[Node]] = {}
        self._texts: dict[str, list[Node]] | None = None
        self._ordinals: dict[Node, int] = {}
        self._tokens: dict[Node, frozenset[str]] = {}

    def places(self, anchor: Anchor) -> list[Node]:
        """List where an anchor stands on the page: its text, at its tags."""
        known = self._places.get(anchor)
        if known is None:
            along = nodes_along(anchor.tags, self.source)
            known = [leaf for leaf in along if markup.leaf_text(leaf) == anchor.text]
            self._places[anchor] = known
        return known

    def anywhere(self, text: str) -> list[Node]:
        """List the leaves with a text, wherever they stand: slow, for pages that are different."""
        if self._texts is None:
            self._texts = {}
            for leaf in self.source.leaves():
                self._texts.setdefault(markup.leaf_text(leaf), []).append(leaf)
        return self._texts.get(text, [])

    def ordinal(self, node: Node) -> int:
        known = self._ordinals.get(node)
        if known is None:
            known = self._ordinals[node] = markup.ordinal(node)
        return known

    def tokens(self, node: Node) -> frozenset[str]:
        """Return the labels of an element that may be the template's."""
        known = self._tokens.get(node)
        if known is None:
            known = self._tokens[node] = label_tokens(node)
        return known


@dataclass(frozen=True, slots=True)
class PickSpot:
    """A node with what stands around it."""

    line: Sequence[Node]  # from the root down to the node
    text: str  # of its only leaf; empty if it has several
    around: dict[Evidence, Node]  # the leaves before and after it


def spot(node: Node, deepest: int) -> PickSpot | None:
    """Look around a node; return None if it has no text or stands deeper than that."""
    line = markup.line(node, deepest)
    inside = [node] if markup.leaf_text(node) else markup.text_leaves(node)
    if not line or not inside:
        return None
    before = zip(BEFORE, markup.leaves_before(node, len(BEFORE)), strict=False)
    after = zip(AFTER, markup.leaves_after(node, len(AFTER)), strict=False)
    text = markup.leaf_text(inside[0]) if len(inside) == 1 else ""
    return PickSpot(line, text, {**dict(before), **dict(after)})


def nodes_along(
    tags: Sequence[str], source: Markup, tokens: frozenset[str] = frozenset()
) -> list[Node]:
    """List the nodes to which tags lead from the root, or from an element with these labels."""
    if tags[-1] != TEXT:
        return source.along(tags, tokens)
    return [text for element in source.along(tags[:-1], tokens) for text in texts_of(element)]


def texts_of(element: Node) -> list[Node]:
    """List the texts that are children of an element."""
    return [child for child in markup.children(element) if markup.tag(child) == TEXT]


def label_tokens(node: Node) -> frozenset[str]:
    """Return the id and the class tokens of an element that may be the template's."""
    if markup.tag(node) in UNLABELLED:
        return frozenset()
    return without_digits(markup.attribute(node, "class"), markup.identifier(node))


@lru_cache(maxsize=1 << 12)
def without_digits(classes: str, identifier: str) -> frozenset[str]:
    """Return class tokens and an id; those with digits are left out, they are a page's own."""
    tokens = [*classes.split(), f"#{identifier}"] if identifier else classes.split()
    return frozenset(token for token in tokens if not any(map(str.isdigit, token)))


def nearest_label(line: Sequence[Node], page: PickSight) -> Near | None:
    """Return the last labelled node of a line, the last node left out."""
    below: list[str] = []
    for node in reversed(line[:-1]):
        tokens = page.tokens(node)
        if tokens:
            return Near(markup.tag(node), tokens, tuple(reversed(below)))
        below.append(markup.tag(node))
    return None


def all_labels(line: Iterable[Node], page: PickSight) -> frozenset[tuple[str, str]]:
    """Return the labels of all nodes of a line."""
    found: set[tuple[str, str]] = set()
    for node in line:
        tokens = page.tokens(node)
        if tokens:
            tag = markup.tag(node)
            found.update((tag, token) for token in tokens)
    return frozenset(found)
