"""The ways through the pages of a site, with what is known along them.

A way stands for all elements with the same labels from the root. It remembers its answers, so that
a page asks for little more than a look into a dictionary at each step. Ways are made when a page
first goes there, and forgotten when the site learns a page.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from webstencil.model import TEXT
from webstencil.site.transfer.knowledge import NO_PATH, TOP, LabelledSpot, TemplateKnowledge
from webstencil.site.transfer.lessons import UNREAD
from webstencil.site.transfer.names import ElementLabel, Name

MOST_NAMES = 10_000  # names remembered below one way; single posts have names of their own
DEEPEST = 250  # containers around each other; what is deeper is not looked into
NOVEL = 2.0  # times the texts of any learned page; the doubt grows with the texts beyond that
FAMILIAR = 0.5  # share of the doubt that remains of what has no more texts than learned pages have
MOST_DOUBT = 0.3  # that a container is cut which was whole on the one page that has it


# An element as written: tag, id and class attribute. Only the tag, and None, where the template has
# no such names: they need not be read.
Written: TypeAlias = tuple[str, str | None, str | None]


@dataclass(frozen=True, slots=True)
class Meeting:
    """Where one child of a container ends and another begins."""

    border: bool
    doubt: float  # 0..1, chance that this is wrong
    kind: tuple[int, str, str]  # places of one kind fail together


FIRST = Meeting(border=True, doubt=0.0, kind=(TOP, "", ""))  # where a page begins


class Doubts(dict[int, float]):
    """Chance of a border in a container that was whole on all learned pages, by its texts now."""

    def __init__(self, doubt: float, texts: int) -> None:
        """Remember answers for a container with that `doubt`, and most `texts` on learned pages."""
        super().__init__()
        self._doubt = doubt
        self._texts = texts

    def __missing__(self, texts: int) -> float:
        known = self[texts] = self._found(texts)
        return known

    def _found(self, texts: int) -> float:
        if texts == self._texts == 1:
            return 0.0
        sure = self._doubt < MOST_DOUBT or texts == self._texts
        novelty = texts / (NOVEL * max(1, self._texts))
        return min(MOST_DOUBT, self._doubt * max(FAMILIAR if sure else 1.0, novelty))


@dataclass(slots=True, eq=False)
class Way:
    """Where a chain of labels leads."""

    spot: LabelledSpot
    path: int  # coarse
    around: list[LabelledSpot]  # itself and what is around it, inner first
    whole: bool  # read, and a text, or no learned page has a border in it and some have it
    known: bool  # some learned page has it
    unread: bool
    doubts: Doubts  # chance that it is cut, if it is whole
    names: dict[Written, "Way"] = field(default_factory=dict)
    labels: dict[ElementLabel, "Way"] = field(default_factory=dict)
    meetings: dict[tuple["Way", "Way"], Meeting] = field(default_factory=dict)


class Ways:
    """Finds ways, and what is known of where two of them meet."""

    def __init__(self, knowledge: TemplateKnowledge) -> None:
        self.knowledge = knowledge
        self.with_ids = knowledge.names.with_ids
        self.with_classes = knowledge.names.with_classes
        self._roots: dict[Name, Way] = {}

    def root(self, name: Name) -> Way:
        """Return the way of a page's root."""
        known = self._roots.get(name)
        if known is None:
            known = self._roots[name] = self._way(self.knowledge.names.label(name), None)
        return known

    def child(self, way: Way, written: Written) -> Way:
        """Return the way of a child."""
        tag, identifier, classes = written
        label = self.knowledge.names.label((tag, identifier or "", classes or ""))
        known = way.labels.get(label)
        if known is None:
            known = way.labels[label] = self._way(label, way)
        if len(way.names) < MOST_NAMES:
            way.names[written] = known
        return known

    def meeting(self, way: Way, ends: Way, begins: Way) -> Meeting:
        """Return whether an area ends where two children of a way meet."""
        chance = self.knowledge.chance(way.around, ends.spot.label, begins.spot.label)
        near = next(
            (spot for spot in way.around if self.knowledge.within(spot.coarse)), way.around[-1]
        )
        kind = (near.coarse, ends.spot.label.coarse, begins.spot.label.coarse)
        known = way.meetings[ends, begins] = Meeting(chance.border > 0.5, chance.doubt, kind)
        return known

    def _way(self, label: ElementLabel, above: Way | None) -> Way:
        knowledge = self.knowledge
        coarse, fine = (above.spot.coarse, above.spot.fine) if above else (TOP, TOP)
        spot = LabelledSpot(
            label,
            knowledge.coarse.find(coarse, label.coarse),
            knowledge.fine.find(fine, label.fine),
        )
        tally = knowledge.within(spot.coarse)
        around = [spot, *(above.around if above else ())]
        unread = label.tag in UNREAD or (above is not None and above.unread)
        whole = label.tag == TEXT or len(around) > DEEPEST or knowledge.whole(spot.coarse)
        doubt = MOST_DOUBT / tally.pages if tally else MOST_DOUBT
        if label.tag == TEXT:
            doubt = 0.0  # nothing can be cut
        return Way(
            spot=spot,
            path=spot.coarse,
            around=around,
            whole=whole and not unread,
            known=spot.coarse != NO_PATH,
            unread=unread,
            doubts=Doubts(doubt, knowledge.most_texts.get(spot.coarse, 0)),
        )
