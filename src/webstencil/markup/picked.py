"""The values of picking: what was picked on one page, and found on others or lost."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webstencil.markup import Node


class Evidence(StrEnum):
    """What identifies a picked node."""

    BEFORE = "before"  # the text leaf before it
    BEFORE_2 = "before 2"
    BEFORE_3 = "before 3"
    AFTER = "after"  # the text leaf after it
    AFTER_2 = "after 2"
    PLACE = "place"  # ordinals among siblings of a tag, from the root down
    LABELS = "labels"  # ids and class tokens of all ancestors
    NEAR = "near"  # ids and class tokens of the nearest ancestor that has any
    LEAD = "lead"  # words before a colon at the start of its own text


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
    below: tuple[str, ...]  # tags from there to the node, without the node's own


@dataclass(frozen=True, slots=True)
class Trust:
    """How often an evidence held on the pages where the node was found."""

    evidence: Evidence
    held: int = 0  # pages
    failed: int = 0  # pages


@dataclass(frozen=True, slots=True)
class Pick:
    """A node picked on one page, to be found on others of its template."""

    name: str
    text: str  # of a text leaf; empty for an element with several
    tags: tuple[str, ...]  # from the root down, TEXT last if it is a text leaf
    ordinals: tuple[int, ...]  # among the siblings of the same tag, from the root down
    labels: frozenset[tuple[str, str]]  # tag and token
    near: Near | None
    lead: str
    anchors: tuple[Anchor, ...]
    other_labels: frozenset[str]  # other texts at the tags of the text before it
    trust: tuple[Trust, ...] = ()
    pages: int = 0  # where it was found since
    mean: float = 0.0  # 0..1, confidence on these


class LostReason(StrEnum):
    """Why a picked node is not found on a page."""

    NO_CANDIDATE = "no candidate"  # no node at any possible position
    UNLIKE = "unlike"  # the best one is too different
    AMBIGUOUS = "ambiguous"  # the two best are too similar


@dataclass(frozen=True, slots=True)
class Found:
    """A picked node on another page."""

    name: str
    node: "Node"
    confidence: float  # 0..1
    held: tuple[tuple[Evidence, float], ...]  # 0..1 for each evidence


@dataclass(frozen=True, slots=True)
class Lost:
    """A picked node that is not on the page, and why."""

    name: str
    reason: LostReason
    confidence: float  # 0..1, of the best candidate
