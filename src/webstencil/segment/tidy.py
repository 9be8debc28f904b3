"""The last steps of every segmenter, on the areas that it found.

Running text is kept together before what looks alike is cut alike, because most uneven cuts go
through it; and once more afterwards, so that rules from short texts do not cut long ones.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from webstencil.geometry import Rect
from webstencil.model import NO_PARENT, Area, Box, BoxKind, Snapshot, is_content
from webstencil.segment.boxes import (
    IN_NO_AREA,
    Draft,
    area_beside,
    find_head,
    place_between,
    rebuilt,
    start_draft,
    weigh_areas,
)

# Keep running text in one area.
#
# Segmenters go by space, and a heading, a list or a piece of code has space around it. So a few
# pixels decide where an article is cut on each page. A reader sees one text, and so do people who
# mark blocks by hand.
#
# A *flow* is a run of adjacent boxes in one column, each a paragraph, a heading, a list or the
# like, with prose among them. What is between two flows of one parent (a table, a picture) is in
# the flow. In long texts, which are often wrapped piece by piece, a box around a single box is
# ignored. Text that is indented below a line, a term or a name, belongs to it. A box of paragraphs
# is a text of its own, and what is above and below it (a title, a date, links) is not a part of it,
# unless there are several such boxes.
#
# A *section* is a box that begins with a title and has mostly prose, all in one column. However
# deep sections are nested, each is as simple as a box of paragraphs, and below the title of a
# larger one it is a part of that. A box with only a title and a box of paragraphs is not a section
# but a post: posts below each other stay as the segmenter has them.
#
# A divided flow goes to the area with most of it. If that area has other content, the flow becomes
# an area beside it: a rectangle around both might cover half the page.


SENTENCE_LENGTH = 40  # characters; a block with so many is prose
LEAST_PROSE = 100  # characters of prose in a flow
LONG_PROSE = 600  # characters of prose from which wrappers are ignored
SIMPLE = 2  # levels of blocks: a paragraph has one, a list of paragraphs two
SEVERAL_BOXES = 3  # boxes of paragraphs beside each other are pieces of one text
MOSTLY_PROSE_SECTION = 0.5  # of a section's characters; so many are prose
LINE_INDENT = 8.0  # px; text indented this far below a line belongs to the line
STACKING_SLACK = 2.0  # px by which stacked boxes may overlap
NOT_IN_FLOW = frozenset({"absolute", "fixed"})  # CSS positions
LONGEST_TITLE = 100  # characters


@dataclass(frozen=True, slots=True)
class FlowColumns:
    """The boxes of a page as columns, to find flows; entry i belongs to box i."""

    boxes: tuple[Box, ...]
    children: list[list[int]]  # with visible content, in document order
    characters: list[int]
    lasts: list[int]  # the last box within
    titled: list[bool]  # whether it begins with a title


def keep_together(columns: FlowColumns, found: Iterable[list[int]], draft: Draft) -> bool:
    """Give each divided flow to one area; return whether there were any."""
    parted = [give(columns, flow, draft) for flow in found]
    return any(parted)


def columns_of(boxes: tuple[Box, ...]) -> FlowColumns:
    """Compute the columns, from the last box to the first."""
    children: list[list[int]] = [[] for _ in boxes]
    characters = [len(box.text) if is_content(box) else 0 for box in boxes]
    lasts = list(range(len(boxes)))
    seen = [is_content(box) for box in boxes]
    for index in range(len(boxes) - 1, -1, -1):
        children[index].reverse()
        parent = boxes[index].parent
        if parent != NO_PARENT:
            lasts[parent] = max(lasts[parent], lasts[index])
            if seen[index]:
                seen[parent] = True
                characters[parent] += characters[index]
                children[parent].append(index)
    return FlowColumns(boxes, children, characters, lasts, titled_of(boxes, children, characters))


def flows(columns: FlowColumns) -> Iterator[list[int]]:
    """Yield the outermost flows of a page, each as boxes of one parent."""
    for least, looking_through in ((LEAST_PROSE, False), (LONG_PROSE, True)):
        levels = levels_of(columns, looking_through=looking_through)
        prose = prose_of(columns, levels)
        covered: set[int] = set()
        for index in range(len(columns.boxes)):
            if index not in covered and levels[index] > 1:
                for flow in flows_in(columns, index, levels, prose, least):
                    if len(flow) > 1:
                        covered.update(range(flow[0], columns.lasts[flow[-1]] + 1))
                        yield flow


def levels_of(columns: FlowColumns, *, looking_through: bool) -> list[int]:
    """Count the levels of blocks in each box: 0 in a line, 1 in a paragraph."""
    levels = [0] * len(columns.boxes)
    told = [0] * len(columns.boxes)  # characters of prose
    heads = heads_of(columns)
    for index in range(len(levels) - 1, -1, -1):
        box, children = columns.boxes[index], columns.children[index]
        if box.kind is not BoxKind.ELEMENT or beside_lines(columns, index, heads):
            continue
        stand = standing(columns.boxes, children, levels)
        inside = max(stand.values(), default=0)
        told[index] = told_in(columns, index, stand, told)
        if inside >= SIMPLE and _is_section(columns, index, stand, told[index]):
            levels[index] = SIMPLE
        elif looking_through and len(children) == 1 and inside:
            levels[index] = inside
        elif inside or not in_a_line(box):
            levels[index] = inside + 1
    return levels


def told_in(columns: FlowColumns, index: int, stand: Mapping[int, int], told: Sequence[int]) -> int:
    """Return the characters of prose in a box, given the levels and prose of its children.

    Fewer than SEVERAL boxes of paragraphs without a title, such as a post, do not count.
    """
    blocks = [child for child, level in stand.items() if level]
    own = columns.characters[index] - sum(columns.characters[child] for child in blocks)
    found = own if own >= SENTENCE_LENGTH else 0
    telling = [child for child in blocks if told[child] and stand[child] <= SIMPLE]
    several = sum(stand[child] == SIMPLE for child in telling) >= SEVERAL_BOXES
    for child in telling:
        alone = (
            stand[child] == SIMPLE and not columns.titled[child] and not _is_list(columns, child)
        )
        if several or not alone:
            found += told[child]
    return found


def _is_list(columns: FlowColumns, index: int) -> bool:
    """Return whether a box has items of a list."""
    return any(columns.boxes[it].style.display == "list-item" for it in columns.children[index])


def _is_section(columns: FlowColumns, index: int, stand: Mapping[int, int], told: int) -> bool:
    """Return whether a box is a text with a title: mostly prose, and all in one column."""
    if not columns.titled[index] or told < max(
        LEAST_PROSE, MOSTLY_PROSE_SECTION * columns.characters[index]
    ):
        return False
    boxes = columns.boxes
    return all(boxes[child].style.floating == "none" for child in stand) and all(
        below_each_other(boxes, *pair, stand) for pair in pairwise(stand)
    )


def beside_lines(columns: FlowColumns, index: int, heads: Set[int]) -> bool:
    """Return whether a box is a few words that float beside other lines: a link, a date."""
    box = columns.boxes[index]
    few = box.style.floating != "none" and columns.characters[index] < SENTENCE_LENGTH
    return few and box.parent not in heads


def heads_of(columns: FlowColumns) -> set[int]:
    """Return the first children whose own children all float, such as a title and a date.

    There is no line beside them, so they are blocks, however short they are.
    """
    firsts = (within[0] for within in columns.children if len(within) > 1)
    return {first for first in firsts if floats_only(columns, first)}


def floats_only(columns: FlowColumns, index: int) -> bool:
    """Return whether a box has several children, and all of them float."""
    within = columns.children[index]
    return len(within) > 1 and all(columns.boxes[one].style.floating != "none" for one in within)


def in_a_line(box: Box) -> bool:
    """Return whether a box is part of a line."""
    return box.style.display.startswith("inline")


def standing(
    boxes: Sequence[Box], children: Sequence[int], levels: Sequence[int]
) -> dict[int, int]:
    """Return the levels of the children of a box; indented below a line they are paragraphs."""
    stand: dict[int, int] = {}
    line: int | None = None
    below = False
    for child in children:
        level = levels[child]
        if level and line is not None and (below or levels[line] == 1):
            below = set_in(boxes[line].rect, boxes[child].rect)
            level = 1 if below else level
        line = line if below else child
        stand[child] = level
    return stand


def set_in(line: Rect, rect: Rect) -> bool:
    """Return whether a rectangle is indented below a line, with the same right end."""
    return (
        rect.left >= line.left + LINE_INDENT
        and rect.top >= line.bottom - STACKING_SLACK
        and abs(rect.right - line.right) < LINE_INDENT
    )


def prose_of(columns: FlowColumns, levels: Sequence[int]) -> list[int]:
    """Return the characters of the longest paragraph in each box."""
    longest = [0] * len(levels)
    for index in range(len(levels) - 1, -1, -1):
        if levels[index] == 1 and not any(map(levels.__getitem__, columns.children[index])):
            longest[index] = columns.characters[index]
        parent = columns.boxes[index].parent
        if parent != NO_PARENT:
            longest[parent] = max(longest[parent], longest[index])
    return longest


def flows_in(
    columns: FlowColumns, parent: int, levels: Sequence[int], prose: Sequence[int], least: int
) -> list[list[int]]:
    """Return the flows among the children of a box; several in one column are one."""
    boxes = columns.boxes
    children = [
        child
        for child in columns.children[parent]
        if boxes[child].style.position not in NOT_IN_FLOW
    ]
    stand = standing(boxes, children, levels)
    longest = {it: prose[it] if stand[it] else columns.characters[it] for it in children}
    said = [child for child in children if longest[child] >= SENTENCE_LENGTH]
    if sum(stand[child] == SIMPLE for child in said) < SEVERAL_BOXES:
        titled = columns.titled
        said = [it for it in said if stand[it] < SIMPLE or (titled[parent] and titled[it])]
    told = {child: columns.characters[child] for child in said}
    found = [run for run in runs(boxes, stand) if sum(told.get(child, 0) for child in run) >= least]
    if len(found) < 2:
        return found
    span = [child for child in children if found[0][0] <= child <= found[-1][-1]]
    one_column = all(below_each_other(boxes, *pair, stand) for pair in pairwise(span))
    return [span] if one_column else found


def runs(boxes: Sequence[Box], levels: Mapping[int, int]) -> Iterator[list[int]]:
    """Yield the runs of simple children below each other, given their levels."""
    run: list[int] = []
    for child, level in levels.items():
        simple = level <= SIMPLE and boxes[child].style.floating == "none"
        if run and not (simple and below_each_other(boxes, run[-1], child, levels)):
            yield run
            run = []
        if simple:
            run.append(child)
    if run:
        yield run


def below_each_other(
    boxes: Sequence[Box], upper: int, lower: int, levels: Mapping[int, int]
) -> bool:
    """Return whether two adjacent boxes are in one column; parts of one line are.

    The last card of a row and the first one of the next row are not.
    """
    if not (levels[upper] and levels[lower]):
        return True
    above, below = boxes[upper].rect, boxes[lower].rect
    beside = below.right <= above.left or below.left >= above.right
    return below.top >= above.bottom - STACKING_SLACK and not beside


def give(columns: FlowColumns, flow: Sequence[int], draft: Draft) -> bool:
    """Give a divided flow to one area; return whether it was divided.

    That is the area with most of it, or a new one beside it if it has other content.
    """
    inside = [index for child in flow for index in range(child, columns.lasts[child] + 1)]
    weights = weigh_areas(columns.boxes, draft.owners, inside)
    if len(weights) < 2:
        return False
    taker = max(weights, key=lambda area: (weights[area], -area))
    if draft.weights[taker] > weights[taker]:
        taker = area_beside(draft, taker)
    draft.weights.subtract(weights)
    draft.weights[taker] += weights.total()
    for index in inside:
        draft.owners[index] = taker
    return True


def titled_of(
    boxes: Sequence[Box], children: Sequence[Sequence[int]], characters: Sequence[int]
) -> list[bool]:
    """Tell of each box whether it begins with a title; `children` have something to see."""
    longest = longest_of(boxes, children)
    return [
        len(within) > 1
        and characters[within[0]] < LONGEST_TITLE
        and larger(boxes[longest[within[0]]], boxes[longest[index]])
        for index, within in enumerate(children)
    ]


def longest_of(boxes: Sequence[Box], children: Sequence[Sequence[int]]) -> list[int]:
    """Return the longest text in each box, the first of several; the box itself if it has none."""
    longest = list(range(len(boxes)))
    for index in range(len(boxes) - 1, -1, -1):
        for child in reversed(children[index]):
            if len(boxes[longest[child]].text) >= len(boxes[longest[index]].text):
                longest[index] = longest[child]
    return longest


def larger(title: Box, text: Box) -> bool:
    """Return whether a text is set larger than another one, or as large and bolder."""
    one, other = title.style, text.style
    sizes = (one.font_size, one.font_weight), (other.font_size, other.font_weight)
    return bool(title.text) and sizes[0] > sizes[1]


# Then, what looks alike is cut in the same way.
#
# Segmenters go by space and size: the longest item of a list is cut and the others are not; two
# entries without text below them are in one area, those with text are not. To a reader they are the
# same thing several times.
#
# Between two adjacent texts or pictures there is a boundary: the smallest box around both, its
# child that ends and its child that begins. Boundaries are alike if these look the same in
# surroundings that look the same. Of similar boundaries, areas end at all or at none, as at most of
# them; they stay as they are if areas end at half. What is in no area is between areas: across it,
# areas end.


# The looks of a boundary's container and both sides, and whether these have blocks in them.
BoundaryKind: TypeAlias = tuple[int, int, int, bool, bool]


def cut_alike(boxes: Sequence[Box], draft: Draft) -> bool:
    """Let areas end at all or none of similar boundaries; return whether this changed anything."""
    shown = [n for n, box in enumerate(boxes) if is_content(box)]
    seen = [n for n in shown if draft.owners[n] != IN_NO_AREA]
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


def agree(kinds: Sequence[BoundaryKind | None], borders: Sequence[bool]) -> list[bool]:
    """Return whether an area ends at each boundary, once similar ones agree.

    Where something in no area is between, there is no kind, and the boundary stays as it is.
    """
    places = Counter(kinds)
    ends = Counter(kind for kind, border in zip(kinds, borders, strict=True) if border)
    return [
        border if kind is None else 2 * ends[kind] + border > places[kind]
        for kind, border in zip(kinds, borders, strict=True)
    ]


def kinds_of(boxes: Sequence[Box], seen: Sequence[int]) -> list[BoundaryKind]:
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
            leaders[number] = find_head(leaders, number - 1)
        apart = last.get(draft.owners[box], number)
        if apart < number - 1:
            leaders[find_head(leaders, number)] = find_head(leaders, apart)
        last[draft.owners[box]] = number
    groups: dict[int, list[int]] = {}
    for number, box in enumerate(seen):
        groups.setdefault(find_head(leaders, number), []).append(box)
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


def tidied(
    snapshot: Snapshot, areas: tuple[Area, ...], *, flow: bool, even: bool
) -> tuple[Area, ...]:
    """Return the areas, parents before children, after the last steps."""
    boxes = snapshot.boxes
    draft = start_draft(boxes, areas)
    columns = columns_of(boxes)
    found = list(flows(columns)) if flow else []
    changed = keep_together(columns, found, draft)
    changed = (even and cut_alike(boxes, draft)) or changed
    changed = keep_together(columns, found, draft) or changed
    return rebuilt(boxes, draft) if changed else areas
