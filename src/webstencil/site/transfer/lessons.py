"""What a learned page teaches: between which of its texts an area ends.

Read in document order, the texts of a page are parted by the borders of its areas. Between each two
texts there is a place: their lowest common container, the child of it that ends and the child that
begins. Places are alike on the pages of a site where addresses are not, in lists and in running
text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from webstencil.model import NO_PARENT, TEXT, NodeId, Stencil, Tree, innermost_areas
from webstencil.segment.boundaries import Boundary, place_between
from webstencil.site.transfer.names import Name, Token, tokens

UNREAD = frozenset(  # elements without visible text
    {"head", "noscript", "select", "datalist", "textarea", "svg", "iframe", "object"}
    | {"audio", "video", "canvas"}
)
NOWHERE = NO_PARENT  # the area of what is in none


@dataclass(frozen=True, slots=True)
class Lesson:
    """A learned page, as far as it teaches."""

    names: tuple[Name, ...]  # of all nodes
    parents: tuple[NodeId, ...]
    tokens: frozenset[Token]
    leaves: tuple[NodeId, ...]  # the texts
    homes: tuple[int, ...]  # the area of each text
    places: tuple[Boundary, ...]  # between the texts
    borders: tuple[bool, ...]  # whether an area ends there


def lesson_of(stencil: Stencil) -> Lesson:
    """Read a stencil."""
    tree = stencil.tree
    names = tuple(zip(tree.tags, tree.ids, tree.classes, strict=True))
    leaves = texts_of(tree)
    places = tuple(place_between(tree.parents, before, after) for before, after in pairwise(leaves))
    homes = filled(homes_of(stencil, leaves), depths_of(tree, places))
    return Lesson(
        names=names,
        parents=tree.parents,
        tokens=frozenset(token for name in set(names) for token in tokens(name)),
        leaves=leaves,
        homes=homes,
        places=places,
        borders=tuple(one != other for one, other in pairwise(homes)),
    )


def texts_of(tree: Tree) -> tuple[NodeId, ...]:
    """List the texts that can be read."""
    unread: list[bool] = []
    found = []
    for node, (tag, parent) in enumerate(zip(tree.tags, tree.parents, strict=True)):
        unread.append(tag in UNREAD or (parent != NO_PARENT and unread[parent]))
        if tag == TEXT and not unread[node]:
            found.append(node)
    return tuple(found)


def depths_of(tree: Tree, places: Sequence[Boundary]) -> list[int]:
    """Return how deep the container of each place is."""
    depths: list[int] = []
    for parent in tree.parents:
        depths.append(depths[parent] + 1 if parent != NO_PARENT else 0)
    return [depths[place.container] for place in places]


def homes_of(stencil: Stencil, leaves: Sequence[NodeId]) -> list[int]:
    """Return the innermost area around each text."""
    tree = stencil.tree
    homes = innermost_areas(stencil.areas, range(len(tree)), tree.parents)
    return [homes[leaf] for leaf in leaves]


def filled(homes: Sequence[int], depths: Sequence[int]) -> tuple[int, ...]:
    """Give texts in no area, hidden ones mostly, to the neighbour that shares the deeper container.

    Without this, places beside hidden texts would never get evidence.
    """
    before = neighbours(homes, depths)
    after = neighbours(homes[::-1], depths[::-1])[::-1]
    found = []
    for home, (depth, left), (other, right) in zip(homes, before, after, strict=True):
        nearer = left if left != NOWHERE and (depth >= other or right == NOWHERE) else right
        found.append(home if home != NOWHERE else nearer)
    return tuple(found)


def neighbours(homes: Sequence[int], depths: Sequence[int]) -> list[tuple[int, int]]:
    """Return for each text the last one before it that has an area: depth in common, and area."""
    found = []
    depth, home = 0, NOWHERE
    for number, own in enumerate(homes):
        if number:
            depth = (
                min(depth, depths[number - 1])
                if homes[number - 1] == NOWHERE
                else depths[number - 1]
            )
        found.append((depth, home))
        if own != NOWHERE:
            home = own
    return found
