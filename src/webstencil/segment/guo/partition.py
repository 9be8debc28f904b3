"""Guo et al., the Partition Finder: repeated patterns of presentation style (paper, section 4).

The children of a frame are cut at separators into sequences; similar sequences, one after the
other, become the patterns of a group. Each sequence is first partitioned itself.

Where the paper is silent, or fails on today's pages, and what is done here:
- Without a separator nothing would ever be grouped, and submenus of different length would never
  match (figure 1). So siblings of the same style are joined where no separator is between them.
- The result is a *run*, not a group, if there is nothing to distinguish in it: lines of text, or
  frames that are too small to be areas of their own (a grid of thumbnails, the rows of a table).
  Everything else that repeats is a group of patterns.
- A leaf is never joined with a frame that has frames inside: a title is not a story.
- White space counts on the axis on which two siblings follow each other. So a list that wraps, as
  grids do, has a gap at the end of each row instead of none.
- P is a separator after its own content, the last P of several: before it there is the headline
  that belongs to it. White space is looked for between these, since P says more: with `margin: 0`
  the widest gap of a story can be the one below its headline.
- The style of a node with several nodes in it is that of most of its letters, so that a long title
  decides about a submenu (figure 1). With `all_styles` two such nodes are similar, too, if enough
  of their styles are, in the same order. On hand-marked pages that gains .003 at level 2 and costs
  as much at level 1.
- Patterns that overlap on the page are not a visible repetition: they stay ungrouped.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise
from typing import TypeVar

from webstencil.geometry import Rect, bounding
from webstencil.segment.guo.frames import Frame, FrameStyle, look_of_most, one_each

Sign = TypeVar("Sign", bound=Hashable)

PX_PER_PT = 96 / 72  # CSS
ROUNDING = 0.01  # px; browsers give font sizes with a few decimals
NOTABLE_OVERLAP = 0.05  # of the smaller rectangle's size; borders and shadows overlap by a few px


class PartKind(Enum):
    """The kind of a part."""

    FRAME = auto()
    RUN = auto()  # siblings that stay together
    GROUP = auto()  # of patterns
    PATTERN = auto()


@dataclass(frozen=True, slots=True)
class PartitionNode:
    """A node of the partition tree: a frame of the list, or several that were joined."""

    kind: PartKind
    rect: Rect
    look: FrameStyle
    letters: int
    ruled: bool  # a level line follows it
    looks: tuple[FrameStyle, ...]  # each once; of a leaf only that of most of its letters
    paragraph: bool = False  # it is a P
    frame: int = -1  # index among the frames
    leaf: bool = False  # a frame without frames inside
    parts: tuple["PartitionNode", ...] = ()

    @property
    def plain(self) -> bool:
        """Return whether there is nothing to distinguish in it."""
        return self.leaf or self.kind is PartKind.RUN


@dataclass(frozen=True, slots=True)
class Likeness:
    """When frames and sequences are alike, and what separates them."""

    size_difference: float  # pt, between the fonts of similar styles
    common_share: float  # 0..1, common part of each of two similar sequences
    excess: float  # px above the mean from which white space is a separator
    pattern_side: float  # px; a single frame smaller than a square of this side is not a pattern
    pattern_row: float  # em; nor is one that is no higher than this
    all_styles: bool = False  # nodes are also similar if enough of their styles are


def part_of(frames: Sequence[Frame], frame: int) -> PartitionNode:
    """Return a frame as a part."""
    known = frames[frame]
    return PartitionNode(
        PartKind.FRAME,
        known.seen,
        known.look,
        known.letters,
        known.ruled,
        (known.look,) if known.leaf else known.looks,
        known.paragraph,
        frame,
        leaf=known.leaf,
    )


def partition_list(parts: Sequence[PartitionNode], likeness: Likeness) -> tuple[PartitionNode, ...]:
    """Find the repeated patterns in a list of siblings (paper, algorithm PartitionList)."""
    spans = nested_sequences(parts, likeness.excess)
    done: list[tuple[PartitionNode, ...]] = [()] * len(spans)
    for index in range(len(spans) - 1, -1, -1):
        span = spans[index]
        if span.inside:
            done[index] = group_similar([done[inner] for inner in span.inside], likeness)
        else:
            done[index] = join_same(parts[span.start : span.end], likeness)
    return done[0]


@dataclass(frozen=True, slots=True)
class NeighbourSpan:
    """A sequence of siblings, and the sequences into which separators cut it."""

    start: int
    end: int
    inside: tuple[int, ...] = ()  # indexes among the spans


def nested_sequences(parts: Sequence[PartitionNode], excess: float) -> list[NeighbourSpan]:
    """Cut a list at its separators, and each sequence again at its own; the first is the list."""
    spans = [NeighbourSpan(0, len(parts))]
    index = 0
    while index < len(spans):
        start, end = spans[index].start, spans[index].end
        cuts = [start + cut for cut in separators(parts[start:end], excess)]
        if cuts:
            first = len(spans)
            spans.extend(NeighbourSpan(*ends) for ends in pairwise((start, *cuts, end)))
            spans[index] = NeighbourSpan(start, end, tuple(range(first, len(spans))))
        index += 1
    return spans


def separators(parts: Sequence[PartitionNode], excess: float) -> list[int]:
    """Return the positions of separators: the end of a P, a line, more white space than usual."""
    ends = [
        position
        for position, (one, other) in enumerate(pairwise(parts), start=1)
        if one.paragraph and not other.paragraph
    ]
    if ends:
        return ends
    gaps = [white_space(one.rect, other.rect) for one, other in pairwise(parts)]
    if not gaps:
        return []
    usual = sum(gaps) / len(gaps) + excess
    return [
        position
        for position, gap in enumerate(gaps, start=1)
        if gap > usual or parts[position - 1].ruled
    ]


def white_space(one: Rect, other: Rect) -> float:
    """Return the distance of a rectangle from the one before it, below or to the right, in px."""
    return max(0.0, other.left - one.right, other.top - one.bottom)


def join_same(parts: Sequence[PartitionNode], likeness: Likeness) -> tuple[PartitionNode, ...]:
    """Join adjacent parts of the same style."""
    repeats: list[list[tuple[PartitionNode, ...]]] = []
    for part in parts:
        before = repeats[-1][-1][0] if repeats else None
        if before and before.leaf == part.leaf and _alike(before, part, likeness):
            repeats[-1].append((part,))
        else:
            repeats.append([(part,)])
    return tuple(part for repeat in repeats for part in put_together(repeat, likeness))


def group_similar(
    sequences: Iterable[tuple[PartitionNode, ...]], likeness: Likeness
) -> tuple[PartitionNode, ...]:
    """Group adjacent similar sequences; a different one ends a group."""
    repeats: list[list[tuple[PartitionNode, ...]]] = []
    for sequence in sequences:
        if repeats and similar_sequences(repeats[-1][-1], sequence, likeness):
            repeats[-1].append(sequence)
        else:
            repeats.append([sequence])
    return tuple(part for repeat in repeats for part in put_together(repeat, likeness))


def put_together(
    sequences: Sequence[tuple[PartitionNode, ...]], likeness: Likeness
) -> tuple[PartitionNode, ...]:
    """Make a run or a group of several sequences that repeat each other."""
    parts = tuple(part for sequence in sequences for part in sequence)
    if len(sequences) == 1:
        return parts
    single = len(parts) == len(sequences)
    if single and all(part.plain for part in parts):
        return (_join(PartKind.RUN, _unpacked(parts)),)
    patterns = tuple(_join(PartKind.PATTERN, sequence) for sequence in sequences)
    if any(cover(one.rect, other.rect) for one, other in pairwise(patterns)):
        return parts
    if single and _low_or_small(patterns, likeness):
        return (_join(PartKind.RUN, _unpacked(parts)),)
    return (_join(PartKind.GROUP, patterns),)


def cover(one: Rect, other: Rect) -> bool:
    """Return whether two rectangles overlap notably."""
    shared = one.clip(other).area if one.overlaps(other) else 0.0
    return shared > NOTABLE_OVERLAP * min(one.area, other.area)


def similar(one: FrameStyle, other: FrameStyle, likeness: Likeness) -> bool:
    """Return whether two styles are similar: same font and face, about the same size."""
    within = likeness.size_difference * PX_PER_PT + ROUNDING
    same = (one.family, one.face) == (other.family, other.face)
    return same and abs(one.size - other.size) <= within


def _alike(one: PartitionNode, other: PartitionNode, likeness: Likeness) -> bool:
    """Return whether two parts have a similar style, or several that are similar."""
    if similar(one.look, other.look, likeness):
        return True
    longer = max(len(one.looks), len(other.looks))
    if not likeness.all_styles or min(len(one.looks), len(other.looks)) < 2:
        return False
    common = common_length(one.looks, other.looks, lambda a, b: similar(a, b, likeness))
    return common >= likeness.common_share * longer


def similar_sequences(
    one: Sequence[PartitionNode], other: Sequence[PartitionNode], likeness: Likeness
) -> bool:
    """Return whether two sequences have enough in common (paper, method SimilarSequence)."""
    styles = {(part.look, part.looks): part for part in (*one, *other)}
    common = common_length(
        [(part.look, part.looks) for part in one],
        [(part.look, part.looks) for part in other],
        lambda a, b: _alike(styles[a], styles[b], likeness),
    )
    return common >= likeness.common_share * max(len(one), len(other))


def common_length(
    one: Sequence[Sign], other: Sequence[Sign], same: Callable[[Sign, Sign], bool]
) -> int:
    """Return the length of the longest common subsequence.

    Bit i of `free` is set while one[i] ends no longer subsequence than one[i - 1] does: a row of
    the usual table, whose steps are 0 or 1, in one number (Hyyrö 2004).
    """
    everything = (1 << len(one)) - 1
    matches: dict[Sign, int] = {}
    free = everything
    for sign in other:
        if sign not in matches:
            matches[sign] = sum(1 << bit for bit, known in enumerate(one) if same(known, sign))
        taken = free & matches[sign]
        free = ((free + taken) | (free - taken)) & everything
    return len(one) - free.bit_count()


def frames_in(parts: Iterable[PartitionNode]) -> list[int]:
    """Return the frames in some parts, in order."""
    found = []
    pending = list(parts)[::-1]
    while pending:
        part = pending.pop()
        pending.extend(reversed(part.parts))
        if part.kind is PartKind.FRAME:
            found.append(part.frame)
    return found


def _join(kind: PartKind, parts: tuple[PartitionNode, ...]) -> PartitionNode:
    look, letters = look_of_most((part.look, part.letters) for part in parts)
    return PartitionNode(
        kind,
        bounding(part.rect for part in parts),
        look,
        letters,
        parts[-1].ruled,
        one_each(*(part.looks for part in parts)),
        parts=parts,
    )


def _unpacked(parts: Iterable[PartitionNode]) -> tuple[PartitionNode, ...]:
    """Replace runs by their parts."""
    return tuple(
        inner for part in parts for inner in (part.parts if part.kind is PartKind.RUN else (part,))
    )


def _low_or_small(patterns: Sequence[PartitionNode], likeness: Likeness) -> bool:
    """Return whether patterns are, on average, too small to be areas of their own."""
    size = sum(pattern.rect.area for pattern in patterns) / len(patterns)
    height = sum(pattern.rect.height for pattern in patterns) / len(patterns)
    em = sum(pattern.look.size for pattern in patterns) / len(patterns)
    return size < likeness.pattern_side**2 or height <= likeness.pattern_row * em
