"""What picks need of a page: the leaves around a node, the labels above it.

Results are cached. A list of all leaves of the page would cost more than everything else, so the
parser finds the leaves at given tags.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from webstencil import markup
from webstencil.markup import Markup, Node
from webstencil.model import TEXT, Anchor, Evidence, Near

# Their classes describe the page (logged in, category, browser), not a position in it.
UNLABELLED = frozenset({"html", "body"})

BEFORE = (Evidence.BEFORE, Evidence.BEFORE_2, Evidence.BEFORE_3)
AFTER = (Evidence.AFTER, Evidence.AFTER_2)


class PickSight:
    """A page, for its picks."""

    def __init__(self, source: Markup) -> None:
        self.source = source
        self._places: dict[Anchor, list[Node]] = {}
        self._texts: dict[str, list[Node]] | None = None
        self._ordinals: dict[Node, int] = {}
        self._tokens: dict[Node, frozenset[str]] = {}

    def places(self, anchor: Anchor) -> list[Node]:
        """List the leaves with the text of an anchor at its tags."""
        known = self._places.get(anchor)
        if known is None:
            along = nodes_along(anchor.tags, self.source)
            known = [leaf for leaf in along if markup.leaf_text(leaf) == anchor.text]
            self._places[anchor] = known
        return known

    def anywhere(self, text: str) -> list[Node]:
        """List the leaves with a text anywhere on the page: slow, for pages that differ."""
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
        """Return the labels of an element that may be of the template."""
        known = self._tokens.get(node)
        if known is None:
            known = self._tokens[node] = label_tokens(node)
        return known


@dataclass(frozen=True, slots=True)
class PickSpot:
    """A node with its surroundings."""

    line: Sequence[Node]  # from the root down to the node
    text: str  # of its only leaf; empty if it has several
    around: dict[Evidence, Node]  # the leaves before and after it


def spot(node: Node, deepest: int) -> PickSpot | None:
    """Return a node with its surroundings, None if it has no text or is too deep."""
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
    """List the nodes at a path of tags from the root, or from an element with these labels."""
    if tags[-1] != TEXT:
        return source.along(tags, tokens)
    return [text for element in source.along(tags[:-1], tokens) for text in texts_of(element)]


def texts_of(element: Node) -> list[Node]:
    """List the texts that are children of an element."""
    return [child for child in markup.children(element) if markup.tag(child) == TEXT]


def label_tokens(node: Node) -> frozenset[str]:
    """Return the id and class tokens of an element that may be of the template."""
    if markup.tag(node) in UNLABELLED:
        return frozenset()
    return without_digits(markup.attribute(node, "class"), markup.identifier(node))


@lru_cache(maxsize=1 << 12)
def without_digits(classes: str, identifier: str) -> frozenset[str]:
    """Return class tokens and an id without those with digits, which are of single pages."""
    tokens = [*classes.split(), f"#{identifier}"] if identifier else classes.split()
    return frozenset(token for token in tokens if not any(map(str.isdigit, token)))


def nearest_label(line: Sequence[Node], page: PickSight) -> Near | None:
    """Return the last labelled node of a line, without the last node."""
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
