"""How often an area ends at places of a kind, over the learned pages of a site.

A place is looked up under several keys, from the most general (the tags that meet) to the most
particular (the fine labels that meet in one container); each key that is known pulls the chance
towards what it has seen. A page is one witness for a key, however often the key occurs on it.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from webstencil.model import NO_PARENT
from webstencil.site.transfer.lessons import Lesson
from webstencil.site.transfer.names import ElementLabel, Names

Key: TypeAlias = tuple[object, ...]

PRIOR = 0.35  # chance of a border at a place of which nothing is known
PULL = 0.5  # pages; how much the more general answer weighs against a key's own pages
MOST = 30.0  # pages; evidence beyond this adds nothing, sites change
TOP = -1  # the path above a root
NO_PATH = -2  # what no learned page has
OUTERMOST = 250  # containers around a place that it is evidence for

# Doubt that remains about a place, by the most particular key that is known; it falls with the
# square root of the pages behind the key.
UNKNOWN_DOUBT = 0.4
DOUBTS = {
    "tags": 0.3,
    "labels": 0.2,
    "parent": 0.2,
    "within": 0.3,
    "within above": 0.08,
    "tags within": 0.05,
    "tags within above": 0.03,
    "at": 0.12,
    "after": 0.06,
    "before": 0.04,
    "pair": 0.02,
    "fine": 0.015,
}
CAUTION = 0.5  # how far a doubt is raised towards these values


@dataclass(frozen=True, slots=True)
class Chance:
    """How likely an area ends at a place."""

    border: float  # 0..1
    doubt: float  # 0..1, chance that the likelier answer is wrong


class Paths:
    """Numbers chains of labels from the root."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, str], int] = {}

    def add(self, parent: int, label: str) -> int:
        return self._numbers.setdefault((parent, label), len(self._numbers))

    def find(self, parent: int, label: str) -> int:
        """Return a path's number, `NO_PATH` if no learned page has it."""
        return self._numbers.get((parent, label), NO_PATH)


@dataclass(frozen=True, slots=True)
class LabelledSpot:
    """A container or child as places name it: its labels and where they lead from the root."""

    label: ElementLabel
    coarse: int  # path
    fine: int  # path


@dataclass(slots=True)
class BorderTally:
    """Pages that say no and yes."""

    no: float = 0.0
    yes: float = 0.0

    @property
    def pages(self) -> float:
        return self.no + self.yes


class TemplateKnowledge:
    """What some learned pages of a site teach, under the names of their template."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.coarse = Paths()
        self.fine = Paths()
        self.most_texts: dict[int, int] = {}  # in a container, by coarse path
        self._tallies: dict[str, dict[Key, BorderTally]] = {kind: {} for kind in DOUBTS}

    def learn(self, lesson: Lesson) -> tuple[LabelledSpot, ...]:
        """Take in a learned page; return the spots of its nodes."""
        spots = self._spots(lesson)
        shares: dict[tuple[str, Key], list[int]] = {}
        for around, ends, begins, counts in alike(lesson, spots):
            for kind, key in keys(around, ends, begins, own=True):
                share = shares.setdefault((kind, key), [0, 0])
                share[0] += counts[0]
                share[1] += counts[1]
        for (kind, key), (no, yes) in shares.items():
            tally = self._tallies[kind].setdefault(key, BorderTally())
            tally.no += no / (no + yes)
            tally.yes += yes / (no + yes)
        self._measure(lesson, spots)
        return spots

    def within(self, path: int) -> BorderTally | None:
        """Return what is known of borders anywhere in a container."""
        return self._tallies["within"].get((path,))

    def whole(self, path: int) -> bool:
        """Return whether a container is known and has no border on any learned page."""
        tally = self.within(path)
        return self.most_texts.get(path) == 1 if tally is None else tally.yes == 0.0

    def chance(
        self, around: list[LabelledSpot], ends: ElementLabel, begins: ElementLabel
    ) -> Chance:
        """Return how likely an area ends at a place; `around` are its containers, inner first."""
        near = next(
            (n for n, spot in enumerate(around) if self.within(spot.coarse) is not None),
            len(around),
        )
        border, doubt = PRIOR, UNKNOWN_DOUBT
        for kind, key in keys(around, ends, begins, own=False, near=near):
            tally = self._tallies[kind].get(key)
            if tally is not None:
                scale = min(1.0, MOST / tally.pages)
                border = (tally.yes * scale + PULL * border) / (tally.pages * scale + PULL)
                above = " above" if near and "within" in kind else ""
                doubt = DOUBTS[kind + above] / math.sqrt(max(1.0, tally.pages))
        wrong = min(border, 1.0 - border)
        return Chance(border, wrong + CAUTION * max(0.0, doubt - wrong))

    def _spots(self, lesson: Lesson) -> tuple[LabelledSpot, ...]:
        spots: list[LabelledSpot] = []
        for name, parent in zip(lesson.names, lesson.parents, strict=True):
            label = self.names.label(name)
            above = spots[parent] if parent != NO_PARENT else None
            coarse = self.coarse.add(above.coarse if above else TOP, label.coarse)
            fine = self.fine.add(above.fine if above else TOP, label.fine)
            spots.append(LabelledSpot(label, coarse, fine))
        return tuple(spots)

    def _measure(self, lesson: Lesson, spots: tuple[LabelledSpot, ...]) -> None:
        texts = [0] * len(spots)
        for leaf in lesson.leaves:
            texts[leaf] = 1
        for node in range(len(spots) - 1, 0, -1):
            texts[lesson.parents[node]] += texts[node]
        for spot, count in zip(spots, texts, strict=True):
            if count > self.most_texts.get(spot.coarse, 0):
                self.most_texts[spot.coarse] = count


def alike(
    lesson: Lesson, spots: tuple[LabelledSpot, ...]
) -> Iterator[tuple[list[LabelledSpot], ElementLabel, ElementLabel, list[int]]]:
    """Yield the kinds of places of a page, each with how many of them have no border and one."""
    found: dict[tuple[int, int, ElementLabel, ElementLabel], tuple[int, list[int]]] = {}
    for place, border in zip(lesson.places, lesson.borders, strict=True):
        spot = spots[place.container]
        ends, begins = spots[place.ends].label, spots[place.begins].label
        kind = (spot.coarse, spot.fine, ends, begins)
        _, counts = found.setdefault(kind, (place.container, [0, 0]))
        counts[border] += 1
    for (_, _, ends, begins), (container, counts) in found.items():
        yield containers(lesson, spots, container), ends, begins, counts


def containers(lesson: Lesson, spots: tuple[LabelledSpot, ...], node: int) -> list[LabelledSpot]:
    """List a container and those around it, inner first."""
    around: list[LabelledSpot] = []
    while node != NO_PARENT and len(around) < OUTERMOST:
        around.append(spots[node])
        node = lesson.parents[node]
    return around


def keys(
    around: list[LabelledSpot],
    ends: ElementLabel,
    begins: ElementLabel,
    *,
    own: bool,
    near: int = 0,
) -> Iterator[tuple[str, Key]]:
    """Yield the keys of a place, general ones first.

    A learned page's `own` place is evidence for all containers around it; another page's asks only
    the nearest one that is known, the `near`-th.
    """
    spot = around[0]
    parent = around[1].label.coarse if len(around) > 1 else ""
    yield "tags", (spot.label.tag, ends.tag, begins.tag)
    yield "labels", (spot.label.coarse, ends.coarse, begins.coarse)
    yield "parent", (parent, spot.label.coarse, ends.coarse, begins.coarse)
    yield from _inside(around if own else around[near : near + 1], ends, begins)
    yield "at", (spot.coarse,)
    yield "after", (spot.coarse, ends.coarse)
    yield "before", (spot.coarse, begins.coarse)
    yield "pair", (spot.coarse, ends.coarse, begins.coarse)
    yield "fine", (spot.fine, ends.fine, begins.fine)


def _inside(
    around: Iterable[LabelledSpot], ends: ElementLabel, begins: ElementLabel
) -> Iterator[tuple[str, Key]]:
    for spot in around:
        yield "within", (spot.coarse,)
        yield "tags within", (spot.coarse, ends.tag, begins.tag)
