"""Cut what looks alike in the same way.

Segmenters go by space and size: the longest item of a list is cut and the others are not; two
entries without text below them are in one area, those with text are not. To a reader they are the
same thing several times.

Between two adjacent texts or pictures there is a boundary: the smallest box around both, its child
that ends and its child that begins. Boundaries are alike if these look the same in surroundings
that look the same. Of similar boundaries, areas end at all or at none, as at most of them; they
stay as they are if areas end at half. What is in no area is between areas: across it, areas end.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

from webstencil.model import NO_PARENT, Box, BoxKind, is_content
from webstencil.segment.area_nodes import NOBODY
from webstencil.segment.boundaries import place_between
from webstencil.segment.draft import Draft, area_beside
from webstencil.segment.union_find import find

# The looks of a boundary's container and both sides, and whether these have blocks in them.
Kind: TypeAlias = tuple[int, int, int, bool, bool]


def cut_alike(boxes: Sequence[Box], draft: Draft) -> bool:
    """Let areas end at all or none of similar boundaries; return whether this changed anything."""
    shown = [n for n, box in enumerate(boxes) if is_content(box)]
    seen = [n for n in shown if draft.owners[n] != NOBODY]
    beside = set(pairwise(shown))
    kinds = [
        kind if pair in beside else None
        for kind, pair in zip(kinds_of(boxes, seen), pairwise(seen), strict=True)
    ]
    borders = [draft.owners[one] != draft.owners[other] for one, other in pairwise(seen)]
    agreed = agree(kinds, borders)
    if agreed == borders:
        return False
    hand_out(boxes, draft, seen, pieces(draft, seen, agreed))
    return True


def agree(kinds: Sequence[Kind | None], borders: Sequence[bool]) -> list[bool]:
    """Return whether an area ends at each boundary, once similar ones agree.

    Where something in no area is between, there is no kind, and the boundary stays as it is.
    """
    places = Counter(kinds)
    ends = Counter(kind for kind, border in zip(kinds, borders, strict=True) if border)
    return [
        border if kind is None else 2 * ends[kind] + border > places[kind]
        for kind, border in zip(kinds, borders, strict=True)
    ]


def kinds_of(boxes: Sequence[Box], seen: Sequence[int]) -> list[Kind]:
    """Return the kind of boundary between each two adjacent boxes."""
    looks = looks_of(boxes)
    parents = [box.parent for box in boxes]
    holding = {box.parent for box in boxes if is_block(box)}
    found = []
    for one, other in pairwise(seen):
        place = place_between(parents, one, other)
        blocks = place.ends in holding, place.begins in holding
        found.append((looks[place.container], looks[place.ends], looks[place.begins], *blocks))
    return found


def looks_of(boxes: Sequence[Box]) -> list[int]:
    """Number the looks of boxes and their surroundings; similar boxes have the same number."""
    numbers: dict[tuple[object, ...], int] = {}
    looks: list[int] = []
    for box in boxes:
        style = box.style
        above = looks[box.parent] if box.parent != NO_PARENT else NO_PARENT
        font = style.font_family, style.font_size, style.font_weight
        own = above, box.kind, style.display, style.position, style.floating, *font
        looks.append(numbers.setdefault(own, len(numbers)))
    return looks


def is_block(box: Box) -> bool:
    """Return whether a box breaks the line."""
    return box.kind is BoxKind.ELEMENT and not box.style.display.startswith("inline")


def pieces(draft: Draft, seen: Sequence[int], borders: Sequence[bool]) -> list[list[int]]:
    """Group visible boxes: those without a border between them, and those of one area before."""
    leaders = list(range(len(seen)))
    last: dict[int, int] = {}  # by area
    for number, box in enumerate(seen):
        if number and not borders[number - 1]:
            leaders[number] = find(leaders, number - 1)
        apart = last.get(draft.owners[box], number)
        if apart < number - 1:
            leaders[find(leaders, number)] = find(leaders, apart)
        last[draft.owners[box]] = number
    groups: dict[int, list[int]] = {}
    for number, box in enumerate(seen):
        groups.setdefault(find(leaders, number), []).append(box)
    return list(groups.values())


def hand_out(
    boxes: Sequence[Box], draft: Draft, seen: Sequence[int], groups: Sequence[list[int]]
) -> None:
    """Give each group to the area with most of it, the heaviest first; others get a new area."""
    size = {box: len(boxes[box].text) + 1 for box in seen}
    heaviest = sorted(groups, key=lambda group: -sum(map(size.__getitem__, group)))
    takers = []
    taken: set[int] = set()
    for group in heaviest:
        votes: Counter[int] = Counter()
        for box in group:
            votes[draft.owners[box]] += size[box]
        most = max(votes, key=lambda area: (votes[area], -area))
        takers.append(area_beside(draft, most) if most in taken else most)
        taken.add(most)
    draft.weights.clear()
    for group, taker in zip(heaviest, takers, strict=True):
        for box in group:
            draft.owners[box] = taker
            draft.weights[taker] += size[box]
