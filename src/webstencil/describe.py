"""Areas on a page in the form people read: text, selector, XPath."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from webstencil import markup
from webstencil.geometry import Rect
from webstencil.markup import Node
from webstencil.model import NO_PARENT, Area, Located, Page, PageArea, Piece, Stencil


def describe_own(page: Page, areas: Sequence[Area]) -> tuple[PageArea, ...]:
    """Describe the areas of a segmented page."""
    return tuple(
        describe(Place.of(areas, number), page.markup.nodes(area.nodes), 1.0)
        for number, area in enumerate(areas)
    )


def describe_located(stencil: Stencil, located: Iterable[Located]) -> tuple[PageArea, ...]:
    """Describe the areas of a stencil where they were found on another page."""
    return tuple(
        describe(Place.of(stencil.areas, found.area), found.nodes, found.confidence)
        for found in located
    )


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
            above = parents.get(stencil.areas[number].parent)
            parents[number] = len(described)
            place = Place(len(described), above, number, stencil.areas[number])
            described.append(describe(place, (), 1.0))
            area = number
        return parents.get(area)

    for piece in pieces:
        like = stencil.areas[piece.area] if piece.area is not None else UNLIKE
        parent = placed(like.parent)
        place = Place(len(described), parent, piece.area, like)
        described.append(describe(place, piece.nodes, piece.confidence))
    return tuple(described)


@dataclass(frozen=True, slots=True)
class Place:
    """Where an area stands among those of a page."""

    number: int
    parent: int | None
    stencil_area: int | None
    like: Area

    @classmethod
    def of(cls, areas: Sequence[Area], number: int) -> "Place":
        """Return the place of an area that has the same number on the page and in the stencil."""
        parent = areas[number].parent
        return cls(number, None if parent == NO_PARENT else parent, number, areas[number])


UNLIKE = Area(Rect(0.0, 0.0, 0.0, 0.0), ())  # what no area of the stencil is like


def describe(place: Place, nodes: Sequence[Node], confidence: float) -> PageArea:
    """Describe one area by its nodes on the page."""
    return PageArea(
        id=place.number,
        parent=place.parent,
        stencil_area=place.stencil_area,
        kind=place.like.kind,
        text=markup.text(nodes),
        selector=", ".join(dict.fromkeys(map(markup.selector, nodes))),
        xpath=" | ".join(map(markup.xpath, nodes)),
        rect=place.like.rect,
        nodes=len(nodes),
        confidence=confidence,
        attributes=tuple([(name, float(number)) for name, number in place.like.attributes]),
    )
