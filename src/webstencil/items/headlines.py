"""Headlines and article bodies as in the CPS paper's scenario (section 7).

With VIPS and Burget's method a headline is an area whose font size is significantly above the
page's average; with Box Clustering an article's body is an area significantly bigger than the mean.
Both need a rendering, so both are decided on the learned page (`mark`) and kept as attributes of
its stencil's areas; they hold for the areas of hits (`marked_items`).

The rules are blunt: by size alone, galleries are bodies and prices are headlines. The kinds of
areas are the same two rules, narrowed by the content of the areas; `kind_items` uses these.

The paper does not define "significantly": here it is a factor. Only leaf areas count, and the
average font size is over characters, so that an article outweighs the labels around it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from webstencil.model import NO_PARENT, Area, BoxKind, Item, PageArea, Snapshot, innermost_areas

HEADLINE, BODY = "headline", "body"  # kinds of items, and names of the attributes
LARGER_FONT = 1.2  # times the page's average; chosen on articles of ten sites (notebook/items.md)
LARGER_AREA = 1.5  # times the mean of the areas; chosen likewise
MARKED, NAMED = 0.7, 0.8  # 0..1, confidence of the blunt rules, and of kinds


@dataclass(slots=True)
class Letters:
    """The characters of an area."""

    number: int = 0
    sizes: float = 0.0  # px, sum of their font sizes

    @property
    def mean(self) -> float:
        """Return their mean font size, in px; 0 without any."""
        return self.sizes / self.number if self.number else 0.0


def mark(snapshot: Snapshot, areas: Sequence[Area]) -> tuple[Area, ...]:
    """Return the areas of a rendered page, headlines and bodies with an attribute.

    Its value is the font size or area, divided by the page's average.
    """
    *own, whole = letters_of(snapshot, areas)
    parents = {area.parent for area in areas}
    leaves = [index for index in range(len(areas)) if index not in parents]
    mean_area = sum(areas[index].rect.area for index in leaves) / max(len(leaves), 1)
    marked = list(areas)
    for index in leaves:
        area, letters = areas[index], own[index]
        if not letters.number:
            continue
        font, size = letters.mean / whole.mean, area.rect.area / mean_area if mean_area else 0.0
        said = [(HEADLINE, font)] if font >= LARGER_FONT else []
        said += [(BODY, size)] if size >= LARGER_AREA else []
        marked[index] = replace(area, attributes=(*area.attributes, *said))
    return tuple(marked)


def letters_of(snapshot: Snapshot, areas: Sequence[Area]) -> list[Letters]:
    """Count the visible characters of each area; the last entry is of the whole page."""
    boxes = snapshot.boxes
    owners = innermost_areas(areas, [box.node for box in boxes], [box.parent for box in boxes])
    found = [Letters() for _ in range(len(areas) + 1)]
    for box, owner in zip(boxes, owners, strict=True):
        if box.visible and box.kind is BoxKind.TEXT:
            for place in {owner, len(areas)} - {NO_PARENT}:
                found[place].number += len(box.text)
                found[place].sizes += len(box.text) * box.style.font_size
    return found


def marked_items(located: Iterable[PageArea]) -> tuple[Item, ...]:
    """Return the headlines and bodies of a page by the attributes of its areas."""
    found = []
    for area in located:
        for name, value in area.attributes:
            if name in {HEADLINE, BODY} and area.text:
                how = f"{'font size' if name == HEADLINE else 'area'} {value:.1f} times the mean"
                found.append(_item(name, area, MARKED, how))
    return tuple(found)


def kind_items(located: Iterable[PageArea]) -> tuple[Item, ...]:
    """Return the headlines and bodies of a page by the kinds of its areas."""
    return tuple(
        _item(area.kind, area, NAMED, "kind of area")
        for area in located
        if area.kind in {HEADLINE, BODY} and area.text
    )


def _item(kind: str, area: PageArea, confidence: float, how: str) -> Item:
    """Return an area as an item."""
    return Item(
        kind=kind,
        text=area.text,
        selector=area.selector,
        xpath=area.xpath,
        confidence=confidence * area.confidence,
        how=how,
        area=area.id,
    )
