"""Areas on a page in the form people read: text, selector, XPath."""

from collections.abc import Iterable, Sequence

from webstencil import markup
from webstencil.markup import Node
from webstencil.model import NO_PARENT, Area, Located, Page, PageArea, Stencil


def describe_own(page: Page, areas: Sequence[Area]) -> tuple[PageArea, ...]:
    """Describe the areas of a segmented page."""
    return tuple(
        describe(number, area, page.markup.nodes(area.nodes), 1.0)
        for number, area in enumerate(areas)
    )


def describe_located(stencil: Stencil, located: Iterable[Located]) -> tuple[PageArea, ...]:
    """Describe the areas of a stencil where they were found on another page."""
    return tuple(
        describe(found.area, stencil.areas[found.area], found.nodes, found.confidence)
        for found in located
    )


def describe(number: int, area: Area, nodes: Sequence[Node], confidence: float) -> PageArea:
    """Describe one area by its nodes on the page."""
    return PageArea(
        id=number,
        parent=None if area.parent == NO_PARENT else area.parent,
        kind=area.kind,
        text=markup.text(nodes),
        selector=", ".join(dict.fromkeys(map(markup.selector, nodes))),
        xpath=" | ".join(map(markup.xpath, nodes)),
        rect=area.rect,
        nodes=len(nodes),
        confidence=confidence,
    )
