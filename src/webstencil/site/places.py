"""The places of a site: the outlines of its pages laid over each other, as one tree.

A place is a chain of labels, each with the names that the site's vocabulary has for it. Chains that
repeat a label fold: a list in an item of a list of the same name is the same list, since how deep
lists and sections nest is content. A bare `div` in another does not fold: they are no list.

Neighbours tell where a border can be: which place ends and which begins, in one container.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from webstencil.site.outline import NO_PLACE, TOP, Outline
from webstencil.site.vocabulary import Vocabulary

INLINE = -2  # instead of a place: text in a block with other blocks in it
UNFOLDED = frozenset({"div"})  # labels that may stand for anything


class NeighbourKind(NamedTuple):
    """Places in one container: where a border can be."""

    container: int
    ends: int
    begins: int


@dataclass(frozen=True, slots=True)
class PageView:
    """A page as its site's places see it."""

    url: str
    places: dict[int, int]  # place to the number of its elements
    sizes: dict[int, int]  # place to the bytes of its own text, if there are any
    kinds: dict[NeighbourKind, float]  # to the share of the page's text on the smaller side, 0..1
    size: int  # bytes of all text
    unknown: int  # bytes of text where no known page has anything
    numbers: tuple[int, ...]  # site's place of each place of the outline, NO_PLACE if unknown


class Places:
    """The tree of a site's places; a place is a number, containers come first."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.labels: list[str] = []
        self.containers: list[int] = []
        self._numbers: dict[tuple[int, str], int] = {}

    @classmethod
    def restored(
        cls, vocabulary: Vocabulary, labels: Sequence[str], containers: Sequence[int]
    ) -> "Places":
        """Return the tree with these places."""
        places = cls(vocabulary)
        places.labels, places.containers = list(labels), list(containers)
        places._numbers = {
            (container, label): place
            for place, (container, label) in enumerate(zip(containers, labels, strict=True))
        }
        return places

    def __len__(self) -> int:
        return len(self.labels)

    def add(self, url: str, outline: Outline) -> PageView:
        """Take in the places of a page; return what they are."""
        return seen(url, outline, self._numbers_of(outline, self._place))

    def view(self, url: str, outline: Outline) -> PageView:
        """Look at a page by the known places."""
        return seen(url, outline, self._numbers_of(outline, self.known))

    def chain(self, place: int) -> tuple[str, ...]:
        """Return the labels from the root to a place."""
        labels: list[str] = []
        while place != NO_PLACE:
            labels.append(self.labels[place])
            place = self.containers[place]
        return tuple(reversed(labels))

    def _numbers_of(self, outline: Outline, place_of: Callable[[int, str], int]) -> tuple[int, ...]:
        """Return the site's place of each place of an outline, NO_PLACE if it is unknown."""
        label = self.vocabulary.label
        numbers: list[int] = []
        for written, around in zip(outline.labels, outline.containers, strict=True):
            container = numbers[around] if around != NO_PLACE else NO_PLACE
            lost = around != NO_PLACE and container == NO_PLACE
            numbers.append(NO_PLACE if lost else place_of(container, label(written)))
        return tuple(numbers)

    def known(self, container: int, label: str) -> int:
        """Return a known place, folded if its label repeats one near it."""
        if container != NO_PLACE and label not in UNFOLDED:
            if self.labels[container] == label:
                return container
            above = self.containers[container]
            if above != NO_PLACE and self.labels[above] == label:
                return above
        return self._numbers.get((container, label), NO_PLACE)

    def _place(self, container: int, label: str) -> int:
        """Return a place, a new one if needed."""
        number = self.known(container, label)
        if number == NO_PLACE:
            number = self._numbers[container, label] = len(self.labels)
            self.labels.append(label)
            self.containers.append(container)
        return number


def seen(url: str, outline: Outline, numbers: tuple[int, ...]) -> PageView:
    """Look at a page by the site's place of each of its places."""
    places: dict[int, int] = {}
    sizes: dict[int, int] = {}
    unknown = 0
    for number, times, size in zip(numbers, outline.times, outline.sizes, strict=True):
        if number == NO_PLACE:
            unknown += size
            continue
        places[number] = places.get(number, 0) + times
        if size:
            sizes[number] = sizes.get(number, 0) + size
    whole = unknown + sum(sizes.values())
    kinds = neighbour_kinds(outline, numbers, whole)
    return PageView(url, places, sizes, kinds, whole, unknown, numbers)


def neighbour_kinds(
    outline: Outline, numbers: tuple[int, ...], size: int
) -> dict[NeighbourKind, float]:
    """Return the kinds of neighbours of a page, with the share of its text on the smaller side."""
    if not size:
        return {}
    below = list(outline.sizes)
    for place in range(len(below) - 1, 0, -1):
        below[outline.containers[place]] += below[place]
    means = [total / max(1, times) for total, times in zip(below, outline.times, strict=True)]
    kinds: dict[NeighbourKind, float] = {}
    for ends, begins in outline.neighbours:
        if ends == TOP or not (share := min(means[ends], means[begins]) / size):
            continue
        kind = NeighbourKind(numbers[outline.containers[begins]], numbers[ends], numbers[begins])
        if NO_PLACE not in kind:
            kinds[kind] = max(kinds.get(kind, 0.0), share)
    return kinds
