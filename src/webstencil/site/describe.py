"""Areas on a page as the user gets them: text, selector, XPath."""

from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

from webstencil import markup
from webstencil.geometry import EMPTY
from webstencil.markup import Node
from webstencil.model import NO_PARENT, Area, Located, Miss, Page, PageArea, Stencil

NOTHING = ("", "", "")
UNLIKE = Area(EMPTY, ())  # stands for the area of the stencil where none is like a piece


class LaidPiece(NamedTuple):
    """A part of a page that stencils make one area."""

    nodes: tuple[Node, ...]
    area: int | None  # the most similar area of the stencil, None if there is none
    confidence: float  # 0..1


def describe_own(page: Page, areas: Sequence[Area]) -> tuple[PageArea, ...]:
    """Describe the areas of a segmented page."""
    return tuple(
        describe(number, area.around, number, area, page.markup.nodes(area.nodes), 1.0)
        for number, area in enumerate(map(Area.with_floats, areas))
    )


def describe_located(
    stencil: Stencil, answers: Iterable[Located | Miss], same: Sequence[PageArea | None]
) -> tuple[PageArea, ...]:
    """Describe the areas of a stencil that were found on another page.

    `same` has the areas that are the same on all pages (`describe_same`).
    """
    described = list(same)
    for found in answers:
        if type(found) is Located:
            number = found.area
            area = stencil.areas[number]
            described[number] = describe(
                number, area.around, number, area, found.nodes, found.confidence
            )
    return tuple([area for area in described if area is not None])


def describe_same(stencil: Stencil) -> tuple[PageArea | None, ...]:
    """Describe the areas of a stencil without nodes of their own, None for the others."""
    return tuple(
        None if area.nodes else describe(number, area.around, number, area, (), 1.0)
        for number, area in enumerate(stencil.areas)
    )


def describe_pieces(stencil: Stencil, pieces: Iterable[LaidPiece]) -> tuple[PageArea, ...]:
    """Describe the pieces of a page, below the parents that their areas have in the stencil."""
    described: list[PageArea] = []
    ids: dict[int, int | None] = {NO_PARENT: None}  # on this page, by the parent's number
    for nodes, number, confidence in pieces:
        like = stencil.areas[number] if number is not None else UNLIKE
        if like.parent not in ids:
            for parent in parents(stencil.areas, like.parent, ids):
                area = stencil.areas[parent]
                ids[parent] = len(described)
                described.append(describe(len(described), ids[area.parent], parent, area, (), 1.0))
        around = ids[like.parent]
        described.append(describe(len(described), around, number, like, nodes, confidence))
    return tuple(described)


def parents(areas: Sequence[Area], number: int, known: Container[int]) -> list[int]:
    """List an area and the areas around it up to a known one, outermost first."""
    found = []
    while number not in known:
        found.append(number)
        number = areas[number].parent
    return found[::-1]


def describe(
    number: int,
    parent: int | None,
    stencil_area: int | None,
    like: Area,
    nodes: Sequence[Node],
    confidence: float,
) -> PageArea:
    """Describe one area by its nodes on the page; `like` is the area of the stencil."""
    text, selector, xpath = markup.described(nodes) if nodes else NOTHING
    return PageArea(
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
