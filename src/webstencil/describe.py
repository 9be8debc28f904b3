"""Areas on a page in the form people read: text, selector, XPath."""

from collections.abc import Iterable, Sequence

from webstencil import markup
from webstencil.geometry import Rect
from webstencil.markup import Node
from webstencil.model import NO_PARENT, Area, Located, Page, PageArea, Piece, Stencil

UNLIKE = Area(Rect(0.0, 0.0, 0.0, 0.0), ())  # what no area of the stencil is like


def describe_own(page: Page, areas: Sequence[Area]) -> tuple[PageArea, ...]:
    """Describe the areas of a segmented page."""
    return tuple(
        describe((number, above(area), number), area, page.markup.nodes(area.nodes), 1.0)
        for number, area in enumerate(map(Area.with_floats, areas))
    )


def describe_located(stencil: Stencil, located: Iterable[Located]) -> tuple[PageArea, ...]:
    """Describe the areas of a stencil where they were found on another page."""
    described = []
    for found in located:
        area = stencil.areas[found.area]
        place = found.area, above(area), found.area
        described.append(describe(place, area, found.nodes, found.confidence))
    return tuple(described)


def describe_pieces(stencil: Stencil, pieces: Iterable[Piece]) -> tuple[PageArea, ...]:
    """Describe the pieces of a page, below the parents that their areas have in the stencil."""
    described: list[PageArea] = []
    parents: dict[int, int] = {}  # numbers on this page of the stencil's areas around others

    def placed(area: int) -> int | None:
        missing = []
        while area != NO_PARENT and area not in parents:
            missing.append(area)
            area = stencil.areas[area].parent
        for number in reversed(missing):
            like = stencil.areas[number]
            place = len(described), parents.get(like.parent), number
            parents[number] = len(described)
            described.append(describe(place, like, (), 1.0))
            area = number
        return parents.get(area)

    for piece in pieces:
        like = stencil.areas[piece.area] if piece.area is not None else UNLIKE
        parent = placed(like.parent)
        place = len(described), parent, piece.area
        described.append(describe(place, like, piece.nodes, piece.confidence))
    return tuple(described)


def above(area: Area) -> int | None:
    """Return the parent of an area, None if there is none."""
    return None if area.parent == NO_PARENT else area.parent


def describe(
    place: tuple[int, int | None, int | None],
    like: Area,
    nodes: Sequence[Node],
    confidence: float,
) -> PageArea:
    """Describe one area by its nodes on the page.

    `place` has its number, that of the area around it, and its number in the stencil.
    """
    number, parent, stencil_area = place
    if len(nodes) == 1:  # as most have
        selector, xpath = markup.selector(nodes[0]), markup.xpath(nodes[0])
    else:
        selector = ", ".join(dict.fromkeys(map(markup.selector, nodes)))
        xpath = " | ".join(map(markup.xpath, nodes))
    return PageArea(
        number,
        parent,
        like.kind,
        markup.text(nodes),
        selector,
        xpath,
        like.rect,
        len(nodes),
        confidence,
        stencil_area,
        like.attributes,
    )
