"""The text leaves of a page in order, and where its elements stand: what all picks look at.

Made once a page and shared by all picks; what is asked for twice is kept.
"""

from collections.abc import Iterator
from functools import cached_property

from webstencil import markup
from webstencil.markup import Markup, Node
from webstencil.model import Near

# A node this much deeper than the picked one is no candidate: bounds the climbing on pages that
# nest 100,000 deep. Wrappers that come and go with the content are one or two levels.
SPARE_DEPTH = 16  # levels

# Their classes tell about the page (logged in, category, browser), not about a place in it.
UNLABELLED = frozenset({"html", "body"})


class Leaves:
    """A page as its picks see it."""

    def __init__(self, source: Markup) -> None:
        self.source = source
        self._ordinals: dict[Node, int] = {}
        self._tokens: dict[Node, frozenset[str]] = {}

    @cached_property
    def nodes(self) -> list[Node]:
        return self.source.leaves()

    @cached_property
    def texts(self) -> list[str]:
        return [markup.leaf_text(node) for node in self.nodes]

    @cached_property
    def numbers(self) -> dict[Node, int]:
        return dict(zip(self.nodes, range(len(self.nodes)), strict=True))

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Return where each text stands, as places in `nodes`."""
        found: dict[str, list[int]] = {}
        for number, text in enumerate(self.texts):
            found.setdefault(text, []).append(number)
        return found

    def span(self, node: Node) -> tuple[int, int]:
        """Return the places of the first leaf of a node and after its last; equal if it has none.

        A node without text stands nowhere among the leaves.
        """
        number = self.numbers.get(node)
        if number is not None:
            return number, number + 1
        inside = markup.text_leaves(node)
        if not inside:
            return 0, 0
        first = self.numbers[inside[0]]
        return first, first + len(inside)

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


def label_tokens(node: Node) -> frozenset[str]:
    """Return the id and the class tokens of an element; those with digits are a page's own."""
    if markup.tag(node) in UNLABELLED:
        return frozenset()
    tokens = markup.attribute(node, "class").split()
    identifier = markup.identifier(node)
    if identifier:
        tokens.append(f"#{identifier}")
    return frozenset(token for token in tokens if not any(map(str.isdigit, token)))


def chain(node: Node, limit: int) -> list[Node]:
    """List the nodes from the root to `node`; nothing if there are more than `limit`."""
    climbed = list(climb(node, limit + 1))
    return climbed[::-1] if len(climbed) <= limit else []


def climb(node: Node, limit: int) -> Iterator[Node]:
    """Yield a node and its ancestors, at most `limit`."""
    above: Node | None = node
    while above is not None and limit > 0:
        yield above
        above = markup.parent(above)
        limit -= 1


def nearest_label(line: list[Node], page: Leaves) -> Near | None:
    """Return the last labelled node of a line from the root, the last node left out."""
    below: list[str] = []
    for node in reversed(line[:-1]):
        tokens = page.tokens(node)
        if tokens:
            return Near(markup.tag(node), tokens, tuple(reversed(below)))
        below.append(markup.tag(node))
    return None


def all_labels(line: list[Node], page: Leaves) -> frozenset[tuple[str, str]]:
    """Return the labels of all nodes of a line from the root."""
    return frozenset((markup.tag(node), token) for node in line for token in page.tokens(node))
