"""Areas on a page as the user gets them: text, selector, XPath."""

from collections.abc import Container, Iterable, Sequence

from webstencil import markup
from webstencil.geometry import Rect
from webstencil.markup import Node
from webstencil.model import (
    NO_PARENT,
    Area,
    LaidPiece,
    Located,
    Miss,
    Page,
    PageArea,
    Stencil,
    make_page_area,
)

NOTHING = ("", "", "")
UNLIKE = Area(Rect(0.0, 0.0, 0.0, 0.0), ())  # stands for an area unlike any of the stencil


def describe_own(page: Page, areas: Sequence[Area]) -> tuple[PageArea, ...]:
    """Describe the areas of a segmented page."""
    return tuple(
        describe((number, area.around, number), area, page.markup.nodes(area.nodes), 1.0)
        for number, area in enumerate(map(Area.with_floats, areas))
    )


def describe_located(
    stencil: Stencil, answers: Iterable[Located | Miss], same: Sequence[PageArea | None]
) -> tuple[PageArea, ...]:
    """Describe the areas of a stencil that were found on another page.

    `same` has those that are equal on all pages (`describe_same`).
    """
    described = list(same)
    for found in answers:
        if type(found) is Located:
            number = found.area
            area = stencil.areas[number]
            place = number, area.around, number
            described[number] = describe(place, area, found.nodes, found.confidence)
    return tuple([area for area in described if area is not None])


def describe_same(stencil: Stencil) -> tuple[PageArea | None, ...]:
    """Describe the areas of a stencil without nodes of their own, None for the others."""
    return tuple(
        None if area.nodes else describe((number, area.around, number), area, (), 1.0)
        for number, area in enumerate(stencil.areas)
    )


def describe_pieces(stencil: Stencil, pieces: Iterable[LaidPiece]) -> tuple[PageArea, ...]:
    """Describe the pieces of a page, below the parents of their areas in the stencil."""
    described: list[PageArea] = []
    placed: dict[int, int | None] = {NO_PARENT: None}  # numbers of parents on this page
    for nodes, number, confidence in pieces:
        like = stencil.areas[number] if number is not None else UNLIKE
        if like.parent not in placed:
            for parent in parents(stencil.areas, like.parent, placed):
                area = stencil.areas[parent]
                around = placed[area.parent]
                placed[parent] = len(described)
                described.append(describe((len(described), around, parent), area, (), 1.0))
        place = len(described), placed[like.parent], number
        described.append(describe(place, like, nodes, confidence))
    return tuple(described)


def parents(areas: Sequence[Area], number: int, placed: Container[int]) -> list[int]:
    """List an area and its ancestors up to one that is on the page, outermost first."""
    found = []
    while number not in placed:
        found.append(number)
        number = areas[number].parent
    return found[::-1]


def describe(
    place: tuple[int, int | None, int | None],
    like: Area,
    nodes: Sequence[Node],
    confidence: float,
) -> PageArea:
    """Describe one area by its nodes on the page.

    `place` has its number, its parent's, and its number in the stencil.
    """
    number, parent, stencil_area = place
    text, selector, xpath = markup.described(nodes) if nodes else NOTHING
    return make_page_area(
        number,
        parent,
        like.kind,
        text,
        selector,
        xpath,
        like.rect,
        len(nodes),
        confidence,
        stencil_area,
        like.attributes,
    )
