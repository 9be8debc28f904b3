"""Areas on a page as the user gets them: text, selector, XPath."""

from collections.abc import Iterable, Mapping, Sequence

from webstencil import markup
from webstencil.geometry import EMPTY
from webstencil.markup import Node
from webstencil.model import NO_PARENT, Area, Located, Miss, Page, PageArea, Stencil
from webstencil.site.lay import LaidArea
from webstencil.site.site_areas import Slot, SlotView

NOTHING = ("", "", "")
UNSEEN = "unseen"  # attribute: characters where no rendered page has anything


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


def describe_laid(
    laid: Sequence[LaidArea],
    slots: Mapping[int, Slot],
    views: Mapping[int, SlotView],
) -> tuple[PageArea, ...]:
    """Describe the areas of a site on one of its pages.

    `slots` are those of the site by number, `views` those of the page's template.
    """
    return tuple([_laid(number, area, slots, views) for number, area in enumerate(laid)])


def _laid(
    number: int, area: LaidArea, slots: Mapping[int, Slot], views: Mapping[int, SlotView]
) -> PageArea:
    slot = slots.get(area.slot) if area.slot is not None else None
    view = views.get(area.slot) if area.slot is not None else None
    if area.leaf:
        text, selector, xpath = markup.described(area.nodes)
    else:  # what it says, the areas in it do
        text, selector, xpath = "", markup.selector(area.nodes[0]), markup.xpath(area.nodes[0])
    said = slot.attributes if slot is not None else ()
    unseen = ((UNSEEN, float(area.unseen)),) if area.unseen else ()
    return PageArea(
        number,
        None if area.parent == NO_PARENT else area.parent,
        (view.kind if view is not None else None) or (slot.kind if slot is not None else None),
        text,
        selector,
        xpath,
        view.rect if view is not None else slot.rect if slot is not None else EMPTY,
        len(area.nodes),
        area.confidence,
        area.slot,
        said + unseen,
        slot.name if slot is not None else "",
    )


def describe(
    number: int,
    parent: int | None,
    slot: int | None,
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
        slot,
        like.attributes,
    )
