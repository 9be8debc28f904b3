"""What rendered pages say of a slot: its kind, where it stands, whether it repeats."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median

from webstencil.geometry import EMPTY, Rect
from webstencil.model import Area
from webstencil.site.lay import LaidArea

HALF = 0.5  # share of the votes above which a kind or an attribute is taken
SOME = 0.25  # share of the witnesses that have to see a kind; the others abstain


@dataclass(slots=True)
class SlotVotes:
    """What witnesses say of a slot."""

    kinds: Counter[str | None] = field(default_factory=Counter)
    rects: list[Rect] = field(default_factory=list)  # of the first on each page
    attributes: dict[str, list[float]] = field(default_factory=dict)
    tops: Counter[int] = field(default_factory=Counter)  # places of its node
    sure: list[float] = field(default_factory=list)  # confidences
    pages: int = 0
    several: int = 0  # pages on which it stands several times


def vote(
    votes: dict[tuple[int, int], SlotVotes],
    template: int,
    laid: Sequence[LaidArea],
    drawn: Sequence[Area],
) -> None:
    """Add what a page of a template says of the slots that it has, where they are drawn."""
    found: dict[int, list[int]] = {}
    for number, area in enumerate(laid):
        if area.slot is not None:
            found.setdefault(area.slot, []).append(number)
    for slot, members in found.items():
        said = votes.setdefault((template, slot), SlotVotes())
        said.pages += 1
        said.several += len(members) > 1
        said.kinds[largest_kind([drawn[member] for member in members])] += 1
        shown = [drawn[member] for member in members if not drawn[member].rect.empty]
        said.rects += [area.rect for area in shown[:1]]
        for name, value in shown[0].attributes if shown else ():
            said.attributes.setdefault(name, []).append(value)
        said.tops.update(laid[member].top for member in members)
        said.sure.append(fmean(laid[member].confidence for member in members))


def largest_kind(areas: Sequence[Area]) -> str | None:
    """Return the kind that covers most of a page, among areas of one slot."""
    sizes: dict[str | None, float] = {}
    for area in areas:
        sizes[area.kind] = sizes.get(area.kind, 0.0) + area.rect.area
    return max(sizes, key=lambda kind: (sizes[kind], kind or ""))


def added(parts: Iterable[SlotVotes]) -> SlotVotes:
    """Add up what witnesses say of a slot."""
    whole = SlotVotes()
    for said in parts:
        whole.kinds += said.kinds
        whole.rects += said.rects
        for name, values in said.attributes.items():
            whole.attributes.setdefault(name, []).extend(values)
        whole.tops += said.tops
        whole.sure += said.sure
        whole.pages += said.pages
        whole.several += said.several
    return whole


def kind_by(said: SlotVotes) -> str | None:
    """Return the kind that witnesses see, None if they see none or disagree.

    Those that see none abstain: a short post is no running text, and a post nevertheless.
    """
    named = Counter({kind: votes for kind, votes in said.kinds.items() if kind is not None})
    if not named:
        return None
    kind, votes = max(named.items(), key=lambda one: (one[1], one[0]))
    wins = votes > HALF * named.total() and votes >= SOME * said.pages
    return kind if wins else None


def typical(rects: Sequence[Rect]) -> Rect:
    """Return the rectangle of the median sides."""
    if not rects:
        return EMPTY
    return Rect(
        median(rect.left for rect in rects),
        median(rect.top for rect in rects),
        median(rect.right for rect in rects),
        median(rect.bottom for rect in rects),
    )
