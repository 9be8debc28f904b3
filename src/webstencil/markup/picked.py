"""The values of extraction by example: what was picked on a page, found on another, or lost."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webstencil.markup import Node


class Evidence(StrEnum):
    """What tells that a node is the picked one."""

    BEFORE = "before"  # the text leaf before it
    BEFORE_2 = "before 2"
    BEFORE_3 = "before 3"
    AFTER = "after"  # the text leaf after it
    AFTER_2 = "after 2"
    PLACE = "place"  # ordinals among the siblings of a tag, from the root on
    LABELS = "labels"  # ids and class tokens of all ancestors
    NEAR = "near"  # ids and class tokens of the nearest ancestor that has any
    LEAD = "lead"  # words up to a colon at the start of its own text


@dataclass(frozen=True, slots=True)
class Anchor:
    """A text leaf near a picked node."""

    evidence: Evidence
    text: str
    tags: tuple[str, ...]  # from the root down to it
    there: tuple[str, ...]  # tags from below the lowest common ancestor down to the anchor
    here: tuple[str, ...]  # the same down to the picked node


@dataclass(frozen=True, slots=True)
class Near:
    """The nearest ancestor with a label."""

    tag: str
    tokens: frozenset[str]
    below: tuple[str, ...]  # tags from there to the node, the node's own left out


@dataclass(frozen=True, slots=True)
class Trust:
    """How an evidence did on the pages where the node was found."""

    evidence: Evidence
    held: int = 0  # pages
    failed: int = 0  # pages


@dataclass(frozen=True, slots=True)
class Pick:
    """A node picked on one page, as other pages of the template are asked for it."""

    name: str
    text: str  # of a text leaf; empty for an element with several
    tags: tuple[str, ...]  # from the root down, TEXT last if it is a text leaf
    ordinals: tuple[int, ...]  # among the siblings of the same tag, from the root down
    labels: frozenset[tuple[str, str]]  # tag and token
    near: Near | None
    lead: str
    anchors: tuple[Anchor, ...]
    other_labels: frozenset[str]  # texts that stood, elsewhere, at the tags of the one before it
    trust: tuple[Trust, ...] = ()
    pages: int = 0  # on which it was found since
    mean: float = 0.0  # 0..1: the confidence there


class LostReason(StrEnum):
    """Why a picked node is not found on a page."""

    NO_CANDIDATE = "no candidate"  # no node stands where it could
    UNLIKE = "unlike"  # the best one is too different
    AMBIGUOUS = "ambiguous"  # the two best are too much alike


@dataclass(frozen=True, slots=True)
class Found:
    """A picked node on another page."""

    name: str
    node: "Node"
    confidence: float  # 0..1
    held: tuple[tuple[Evidence, float], ...]  # how far each evidence holds, 0..1


@dataclass(frozen=True, slots=True)
class Lost:
    """A picked node that is not on the page, and why."""

    name: str
    reason: LostReason
    confidence: float  # 0..1: of the best candidate
