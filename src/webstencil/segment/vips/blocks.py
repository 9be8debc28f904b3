"""VIPS, first step: the blocks of a page or sub-page.

Cai, Yu, Wen, Ma: VIPS, a Vision-based Page Segmentation Algorithm, MSR-TR-2003-79, section 4.1.
From its roots downwards each box of a sub-page is divided, kept as a block, or cut. The rules are
tried in ascending order; the first that has an answer decides. Which rules apply depends on the
class of the box.

Where this differs from the report, and why:
- Classes come from the computed display, not from tags: today's tables, cells and paragraphs are
  often DIVs. Degrees of coherence "by tag and size" are by class and size.
- Rule 3 passes down a chain of wrappers to the first box with several children. A later round
  would get there anyway, but rounds are limited and wrappers are many.
- Rule 3 leaves a box of nothing but text to rule 4: parts of a line of text are not blocks.
- Rule 4 also keeps a box of paragraphs. On wide screens a paragraph of an article is large enough
  for the later rules to take the article apart.
- A block has the rectangle of the outermost box around it with nothing else in it: rule 2 goes
  through a coloured button to the words on it, but a reader sees the button.
- Rule 6 takes a line for a division only if there is enough on both sides of it; one before the
  last line of an article does not take the article apart.
- Rule 8 keeps every child with another background, not only the first. It also applies to boxes
  that are not tables, before rules 6 and 7: up to a size, a card is like a coloured cell.
- Rule 10 finds a box of small children less coherent if its text is in columns: in the report the
  degree depends on tag and size, which do not distinguish a list and a row of lists.
- Rule 11 is read as "if the previous sibling was divided, divide this one too"; the literal
  reading ("... was not divided, do not divide") adds nothing to rule 13.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from webstencil.geometry import Rect
from webstencil.model import BoxKind
from webstencil.segment.boxes import is_framed
from webstencil.segment.vips.canvas import VipsCanvas, in_columns, is_box_of_text

MAX_DOC = 10  # degree of coherence of a block without parts; report, section 3
MIXED_FONTS_DOC = 9  # rule 4
RUNNING_TEXT_DOC = 8  # rule 4, of paragraphs with headlines and pictures between them
FRAME_DOC = 8  # rule 8, of a card, a teaser, a box in the margin
SMALL_CHILDREN_DOC = 8  # rule 10
COLUMNS_DOC = 7  # rule 10, of text in columns
OVERFLOW = 1.1  # rule 7: of a box's size; less overflow is padding, not a float

# Rules 8 and 13: the larger the share of the sub-page, the less coherent. So the next round sees
# the cells of a layout table, which only rule 13 keeps.
SIZE_DOCS = ((0.25, 6), (0.05, 7), (0.0, 8))


@dataclass(frozen=True, slots=True)
class BlockLimits:
    """How small a box must be to be left whole."""

    node_share: float  # of the sub-page's area (rule 9)
    child_share: float  # of the sub-page's area (rules 6 and 10)
    side: float  # px; a box smaller than a square of this side is always small enough
    frame: float = 0.0  # px²; a smaller framed or coloured box is left whole
    page: float = math.inf  # px²; a sub-page counts as no larger: nobody sees more at once


@dataclass(frozen=True, slots=True)
class VisualBlock:
    """A box that is left whole in this round."""

    box: int  # index into Snapshot.boxes
    rect: Rect
    doc: int  # degree of coherence by the rule that kept it, 1..10


class Action(Enum):
    """What to do with a box."""

    DIVIDE = auto()
    DIVIDE_BY_COLOUR = auto()  # as DIVIDE, but children with another background are kept whole
    KEEP = auto()
    CUT = auto()


class BoxClass(Enum):
    """The classes of boxes, each with rules of its own (report, table 2)."""

    INLINE = auto()
    TABLE = auto()
    ROW = auto()
    CELL = auto()
    PARAGRAPH = auto()  # nothing but inline boxes and text inside
    ITEM = auto()  # a list item: OTHER, except for its degree of coherence
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A box to judge, with what the rules need of its surroundings."""

    canvas: VipsCanvas
    box: int
    page_area: float  # px², of the page or sub-page, at most `limits.page`
    limits: BlockLimits
    opened: bool  # it is, or counts as, the only root of the sub-page
    after_divided: bool  # its previous sibling was divided

    @property
    def children(self) -> tuple[int, ...]:
        return self.canvas.children[self.box]

    def share(self, box: int) -> float:
        """Return the size of a box relative to the sub-page, 0..1."""
        return self.canvas.rects[box].area / self.page_area

    def small(self, share: float) -> float:
        """Return the size below which something is small, in px²."""
        return max(share * self.page_area, self.limits.side**2)


Verdict: TypeAlias = tuple[Action, int]  # with the degree of coherence of a kept block
Rule: TypeAlias = Callable[[Candidate], Verdict | None]

CUT: Verdict = (Action.CUT, 0)
DIVIDED: Verdict = (Action.DIVIDE, 0)
DIVIDED_BY_COLOUR: Verdict = (Action.DIVIDE_BY_COLOUR, 0)


def extract_blocks(
    canvas: VipsCanvas,
    roots: Iterable[int],
    sub_page: Rect,
    limits: BlockLimits,
    opened: int | None = None,
) -> tuple[VisualBlock, ...]:
    """Divide the boxes of a sub-page from its roots downwards; return the blocks left whole.

    `opened` is the root that rule 3 divides, if any.
    """
    page_area = min(sub_page.area, limits.page)
    blocks: list[VisualBlock] = []
    divided: dict[int, bool] = {}  # by parent: its last child so far was divided
    pending = [(box, box == opened, canvas.rects[box]) for box in sorted(roots, reverse=True)]
    while pending:
        box, open_it, rect = pending.pop()
        parent = canvas.boxes[box].parent
        after_divided = divided.get(parent, False)
        candidate = Candidate(canvas, box, page_area, limits, open_it, after_divided)
        action, doc = _judge(candidate)
        divided[parent] = action in {Action.DIVIDE, Action.DIVIDE_BY_COLOUR}
        children = candidate.children
        if action is Action.KEEP:
            blocks.append(VisualBlock(box, rect, doc))
        elif action is Action.DIVIDE and len(children) == 1:
            pending.append((children[0], open_it, rect))
        elif action is Action.DIVIDE:
            pending.extend((child, False, canvas.rects[child]) for child in reversed(children))
        elif action is Action.DIVIDE_BY_COLOUR:
            coloured = coloured_children(candidate)
            blocks.extend(coloured_block(candidate, child) for child in coloured)
            rest = (child for child in reversed(children) if child not in coloured)
            pending.extend((child, False, canvas.rects[child]) for child in rest)
    return tuple(sorted(blocks, key=lambda block: block.box))


def _judge(candidate: Candidate) -> Verdict:
    """Judge a box by the rules of its class; text and images are kept."""
    if candidate.canvas.atomic(candidate.box):
        return Action.KEEP, MAX_DOC
    rules = RULES_OF_CLASS[box_class(candidate.canvas, candidate.box)]
    verdicts = (rule(candidate) for rule in rules)
    return next(verdict for verdict in verdicts if verdict is not None)


def box_class(canvas: VipsCanvas, box: int) -> BoxClass:
    """Return the class of a box by its computed display and its content."""
    display = canvas.boxes[box].style.display
    if display == "table-cell":
        return BoxClass.CELL
    if display == "table-row":
        return BoxClass.ROW
    if display in {"table", "inline-table"} or display.endswith("-group"):
        return BoxClass.TABLE
    if canvas.inline[box]:
        return BoxClass.INLINE
    if display == "list-item":
        return BoxClass.ITEM
    only_inline = all(canvas.inline[child] for child in canvas.children[box])
    return BoxClass.PARAGRAPH if only_inline else BoxClass.OTHER


def rule_1(candidate: Candidate) -> Verdict | None:
    """Cut a box without content."""
    return None if candidate.children else CUT


def rule_2(candidate: Candidate) -> Verdict | None:
    """Divide a box whose only child is not text."""
    children, boxes = candidate.children, candidate.canvas.boxes
    return DIVIDED if len(children) == 1 and boxes[children[0]].kind is not BoxKind.TEXT else None


def rule_3(candidate: Candidate) -> Verdict | None:
    """Divide the only root of a sub-page, because each round must open it."""
    return DIVIDED if candidate.opened and candidate.canvas.divisible(candidate.box) else None


def rule_4(candidate: Candidate) -> Verdict | None:
    """Keep a box of nothing but text, and a box of running text.

    Several fonts make it a little less coherent, several paragraphs still less.
    """
    canvas, box = candidate.canvas, candidate.box
    if canvas.all_text(box):
        return Action.KEEP, MAX_DOC if canvas.fonts[box].uniform else MIXED_FONTS_DOC
    return (Action.KEEP, RUNNING_TEXT_DOC) if is_box_of_text(canvas, box) else None


def rule_5(candidate: Candidate) -> Verdict | None:
    """Divide a box with a child that breaks the line."""
    inline = candidate.canvas.inline
    return None if all(inline[child] for child in candidate.children) else DIVIDED


def rule_6(candidate: Candidate) -> Verdict | None:
    """Divide a box with a line (HR) that has much on both sides."""
    much = candidate.small(candidate.limits.child_share)
    return DIVIDED if candidate.canvas.parted[candidate.box] >= much else None


def rule_7(candidate: Candidate) -> Verdict | None:
    """Divide a box that is smaller than its children together: they float or overflow."""
    rects = candidate.canvas.rects
    inside = sum(rects[child].area for child in candidate.children)
    own = candidate.canvas.boxes[candidate.box].clip.area
    return DIVIDED if inside > own * OVERFLOW else None


def rule_8(candidate: Candidate) -> Verdict | None:
    """Divide a box with children of another background, and keep each of these whole."""
    return DIVIDED_BY_COLOUR if coloured_children(candidate) else None


def rule_8_for_frames(candidate: Candidate) -> Verdict | None:
    """Keep a small box with a frame or a background of its own."""
    canvas, box = candidate.canvas, candidate.box
    small = canvas.rects[box].area < candidate.limits.frame
    framed = small and not candidate.opened and is_framed(canvas.boxes, canvas.boxes[box])
    return (Action.KEEP, FRAME_DOC) if framed else None


def rule_9(candidate: Candidate) -> Verdict | None:
    """Keep a small box with text of its own."""
    canvas, box = candidate.canvas, candidate.box
    textual = any(canvas.textual[child] for child in candidate.children)
    small = canvas.rects[box].area < candidate.small(candidate.limits.node_share)
    return (Action.KEEP, SMALL_DOCS[box_class(canvas, box)]) if textual and small else None


def rule_10(candidate: Candidate) -> Verdict | None:
    """Keep a box whose children are all small; text in columns makes it less coherent."""
    canvas = candidate.canvas
    small = candidate.small(candidate.limits.child_share)
    if max(canvas.rects[child].area for child in candidate.children) >= small:
        return None
    if box_class(canvas, candidate.box) is BoxClass.INLINE:
        return Action.KEEP, MAX_DOC
    return Action.KEEP, COLUMNS_DOC if in_columns(canvas, candidate.box) else SMALL_CHILDREN_DOC


def rule_11(candidate: Candidate) -> Verdict | None:
    """Divide a cell if the cell before it was divided."""
    return DIVIDED if candidate.after_divided else None


def rule_12(_: Candidate) -> Verdict | None:
    """Divide whatever is left."""
    return DIVIDED


def rule_13(candidate: Candidate) -> Verdict | None:
    """Keep whatever is left."""
    return Action.KEEP, doc_by_size(candidate.share(candidate.box))


def coloured_children(candidate: Candidate) -> frozenset[int]:
    """Return the children whose background is not their parent's."""
    boxes = candidate.canvas.boxes
    ground = boxes[candidate.box].backdrop
    return frozenset(child for child in candidate.children if boxes[child].backdrop != ground)


def coloured_block(candidate: Candidate, child: int) -> VisualBlock:
    """Keep a child of another background whole."""
    return VisualBlock(child, candidate.canvas.rects[child], doc_by_size(candidate.share(child)))


def doc_by_size(share: float) -> int:
    """Return the degree of coherence for a share of the sub-page."""
    return next(doc for least, doc in SIZE_DOCS if share >= least)


# Rule 9: the degree of coherence of a small box.
SMALL_DOCS = {
    BoxClass.INLINE: 8,
    BoxClass.CELL: 6,
    BoxClass.PARAGRAPH: 7,
    BoxClass.ITEM: 6,
    BoxClass.OTHER: 5,
}

# Report, table 2, in the numbering of thirteen rules.
FIRST_RULES = (rule_1, rule_2, rule_3)
TEXT_RULES = (*FIRST_RULES, rule_4, rule_5, rule_6, rule_7, rule_9, rule_10, rule_12)
OTHER_RULES = (*FIRST_RULES, rule_4, rule_8_for_frames, rule_6, rule_7, rule_9, rule_10, rule_12)
RULES_OF_CLASS: dict[BoxClass, tuple[Rule, ...]] = {
    BoxClass.INLINE: TEXT_RULES,
    BoxClass.TABLE: (*FIRST_RULES, rule_8, rule_10, rule_13),
    BoxClass.ROW: (*FIRST_RULES, rule_7, rule_8, rule_10, rule_13),
    BoxClass.CELL: (*FIRST_RULES, rule_4, rule_9, rule_10, rule_11, rule_13),
    BoxClass.PARAGRAPH: TEXT_RULES,
    BoxClass.ITEM: OTHER_RULES,
    BoxClass.OTHER: OTHER_RULES,
}
