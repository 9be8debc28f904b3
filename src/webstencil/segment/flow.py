"""Running text stays in one piece.

Segmenters go by space, and a heading, a list or a piece of code stands in space of its own. So they
cut an article in one place on this page and in another on the next, by a few pixels more or less.
A reader sees one text, and so do the people who mark blocks by hand.

A *flow* is a run of neighbours in one column, each a paragraph, a heading, a list or the like, with
prose among them. What is between two flows of one parent (a table, a picture) is in the flow. Long
texts are often wrapped piece by piece; there, a box around a single box is looked through. What is
set in below a line, a term or a name, belongs to it however much it is. A box of paragraphs is a
text of its own, and what stands above and below it (a title, a date, links) is not a part of it,
unless there are several such boxes.

A *section* is a box that begins with a title and holds mostly prose, all in one column. However
deep sections are nested, each is as simple as a box of paragraphs, and below the title of a larger
one it is a part of that. A box with a title, a box of paragraphs and nothing else to say is no
section but a post: posts below each other stay as the segmenter has them.

A flow that is parted goes to the area with most of it. If that holds other things, too, the flow
becomes an area beside it: a rectangle round both might cover half the page.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from webstencil.geometry import Rect
from webstencil.model import NO_PARENT, Box, BoxKind, is_content
from webstencil.segment.draft import Draft, area_beside, weigh

SENTENCE = 40  # characters; a block with so much text is prose
PROSE = 100  # characters of prose in a flow
LONG = 600  # characters of prose from which wrappers are looked through
SIMPLE = 2  # levels of blocks: a paragraph has one, a list of paragraphs two
SEVERAL = 3  # boxes of paragraphs beside each other are pieces of one text
MOSTLY = 0.5  # of a section's characters; so many are prose
INDENT = 8.0  # px; what is set in this far below a line belongs to that line
SLACK = 2.0  # px by which stacked boxes may overlap
OUT_OF_FLOW = frozenset({"absolute", "fixed"})  # CSS positions
LONGEST_TITLE = 100  # characters


@dataclass(frozen=True, slots=True)
class FlowColumns:
    """What of a page's boxes tells flows; entry i belongs to box i."""

    boxes: tuple[Box, ...]
    children: list[list[int]]  # those with something to see, in document order
    characters: list[int]
    lasts: list[int]  # the last box within
    titled: list[bool]  # whether it begins with a title


def keep_together(outline: FlowColumns, found: Iterable[list[int]], draft: Draft) -> bool:
    """Give each of the found flows that is parted to one area; return whether there were any."""
    parted = [give(outline, flow, draft) for flow in found]
    return any(parted)


def outline_of(boxes: tuple[Box, ...]) -> FlowColumns:
    """Look at the boxes once, from the last to the first."""
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


def flows(outline: FlowColumns) -> Iterator[list[int]]:
    """Yield the flows of a page, each as the boxes of one parent; outer ones only."""
    for least, looking_through in ((PROSE, False), (LONG, True)):
        levels = levels_of(outline, looking_through=looking_through)
        prose = prose_of(outline, levels)
        covered: set[int] = set()
        for index in range(len(outline.boxes)):
            if index not in covered and levels[index] > 1:
                for flow in flows_in(outline, index, levels, prose, least):
                    if len(flow) > 1:
                        covered.update(range(flow[0], outline.lasts[flow[-1]] + 1))
                        yield flow


def levels_of(outline: FlowColumns, *, looking_through: bool) -> list[int]:
    """Count the levels of blocks in each box: 0 in a line's, 1 in a paragraph's."""
    levels = [0] * len(outline.boxes)
    told = [0] * len(outline.boxes)  # characters of prose
    heads = heads_of(outline)
    for index in range(len(levels) - 1, -1, -1):
        box, children = outline.boxes[index], outline.children[index]
        if box.kind is not BoxKind.ELEMENT or beside_lines(outline, index, heads):
            continue
        stand = standing(outline.boxes, children, levels)
        inside = max(stand.values(), default=0)
        told[index] = told_in(outline, index, stand, told)
        if inside >= SIMPLE and is_section(outline, index, stand, told[index]):
            levels[index] = SIMPLE
        elif looking_through and len(children) == 1 and inside:
            levels[index] = inside
        elif inside or not in_a_line(box):
            levels[index] = inside + 1
    return levels


def told_in(outline: FlowColumns, index: int, stand: Mapping[int, int], told: Sequence[int]) -> int:
    """Return the characters of prose in a box, given the levels and the prose of what is in it.

    Fewer than several boxes of paragraphs without a title, say the text of a post, are not counted.
    """
    blocks = [child for child, level in stand.items() if level]
    own = outline.characters[index] - sum(outline.characters[child] for child in blocks)
    found = own if own >= SENTENCE else 0
    telling = [child for child in blocks if told[child] and stand[child] <= SIMPLE]
    several = sum(stand[child] == SIMPLE for child in telling) >= SEVERAL
    for child in telling:
        alone = stand[child] == SIMPLE and not outline.titled[child] and not is_list(outline, child)
        if several or not alone:
            found += told[child]
    return found


def is_list(outline: FlowColumns, index: int) -> bool:
    """Return whether a box holds items of a list."""
    return any(outline.boxes[it].style.display == "list-item" for it in outline.children[index])


def is_section(outline: FlowColumns, index: int, stand: Mapping[int, int], told: int) -> bool:
    """Return whether a box is a text with a title: mostly prose, and all in one column."""
    if not outline.titled[index] or told < max(PROSE, MOSTLY * outline.characters[index]):
        return False
    boxes = outline.boxes
    return all(boxes[child].style.floating == "none" for child in stand) and all(
        below_each_other(boxes, *pair, stand) for pair in pairwise(stand)
    )


def beside_lines(outline: FlowColumns, index: int, heads: Set[int]) -> bool:
    """Return whether a box is a few words that float beside the lines of others: a link, a date."""
    box = outline.boxes[index]
    few = box.style.floating != "none" and outline.characters[index] < SENTENCE
    return few and box.parent not in heads


def heads_of(outline: FlowColumns) -> set[int]:
    """Return the heads of boxes in which all floats, say a title and a date.

    There is no line that these could be beside: they are blocks, however short they are.
    """
    firsts = (within[0] for within in outline.children if len(within) > 1)
    return {first for first in firsts if floats_only(outline, first)}


def floats_only(outline: FlowColumns, index: int) -> bool:
    """Return whether there are several things in a box, and all of them float."""
    within = outline.children[index]
    return len(within) > 1 and all(outline.boxes[one].style.floating != "none" for one in within)


def in_a_line(box: Box) -> bool:
    """Return whether a box is a piece of a line."""
    return box.style.display.startswith("inline")


def standing(
    boxes: Sequence[Box], children: Sequence[int], levels: Sequence[int]
) -> dict[int, int]:
    """Return the levels of the children of a box; what is set in below a line is a paragraph."""
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
    """Return whether a rectangle stands below a line, further right, and ends where it ends."""
    return (
        rect.left >= line.left + INDENT
        and rect.top >= line.bottom - SLACK
        and abs(rect.right - line.right) < INDENT
    )


def prose_of(outline: FlowColumns, levels: Sequence[int]) -> list[int]:
    """Return the characters of the longest paragraph in each box."""
    longest = [0] * len(levels)
    for index in range(len(levels) - 1, -1, -1):
        if levels[index] == 1 and not any(map(levels.__getitem__, outline.children[index])):
            longest[index] = outline.characters[index]
        parent = outline.boxes[index].parent
        if parent != NO_PARENT:
            longest[parent] = max(longest[parent], longest[index])
    return longest


def flows_in(
    outline: FlowColumns, parent: int, levels: Sequence[int], prose: Sequence[int], least: int
) -> list[list[int]]:
    """Return the flows among the children of a box; one column of several is one."""
    boxes = outline.boxes
    children = [
        child
        for child in outline.children[parent]
        if boxes[child].style.position not in OUT_OF_FLOW
    ]
    stand = standing(boxes, children, levels)
    said = [child for child in children if spoken(outline, child, stand, prose)]
    if sum(stand[child] == SIMPLE for child in said) < SEVERAL:
        titled = outline.titled
        said = [it for it in said if stand[it] < SIMPLE or (titled[parent] and titled[it])]
    told = {child: outline.characters[child] for child in said}
    found = [run for run in runs(boxes, stand) if sum(told.get(child, 0) for child in run) >= least]
    if len(found) < 2:
        return found
    span = [child for child in children if found[0][0] <= child <= found[-1][-1]]
    one_column = all(below_each_other(boxes, *pair, stand) for pair in pairwise(span))
    return [span] if one_column else found


def runs(boxes: Sequence[Box], levels: Mapping[int, int]) -> Iterator[list[int]]:
    """Yield the runs of simple children that stand below each other, given their levels."""
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
    """Return whether two neighbours are in one column; pieces of one line are.

    The last card in a row of cards and the first one of the next row are not.
    """
    if not (levels[upper] and levels[lower]):
        return True
    above, below = boxes[upper].rect, boxes[lower].rect
    beside = below.right <= above.left or below.left >= above.right
    return below.top >= above.bottom - SLACK and not beside


def spoken(
    outline: FlowColumns, child: int, levels: Mapping[int, int], prose: Sequence[int]
) -> bool:
    """Return whether a box holds prose."""
    return (prose[child] if levels[child] else outline.characters[child]) >= SENTENCE


def give(outline: FlowColumns, flow: Sequence[int], draft: Draft) -> bool:
    """Give a flow that is parted to one area; return whether it was parted.

    That is the area with most of it, or a new one beside that if it has something else, too.
    """
    inside = [index for child in flow for index in range(child, outline.lasts[child] + 1)]
    weights = weigh(outline.boxes, draft.owners, inside)
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
