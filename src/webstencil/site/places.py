"""The places of a site: the outlines of its pages laid over each other, as one tree.

A place is a chain of labels, each with the names that the site's vocabulary has for it. Chains that
repeat a label fold: a list in an item of a list of the same name is the same list, since how deep
lists and sections nest is content. A bare `div` in another does not fold: they are no list.

Neighbours tell where a border can be: which place ends and which begins, in one container.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from webstencil.site.outline import HEAD_LABELS, NO_PLACE, TOP_PLACE, Outline, OutlinedPage

# Which class and id tokens name parts of a site's templates, and which name single things.
#
# Templates name their parts: `div.sidebar`, `section#comments`. Content names itself, too: every
# method of a manual has an id, every post its tags. The two differ in what comes next. The names of
# parts are soon known; single things never end. So for each tag, and for its ids and its classes
# apart, the chance is estimated that the next token is one that no page had before: the share of
# all tokens so far that were seen on one page only (Good and Turing). A token is a name if two
# pages have it, and if its share of the pages is not below that chance.


FEWEST_WITH_NAME = 2  # pages that have a name


class LabelToken(NamedTuple):
    """A class or an id of elements with a tag."""

    tag: str
    sign: str  # "." for a class, "#" for an id
    name: str


def label_parts(label: str) -> tuple[str, tuple[LabelToken, ...]]:
    """Return the tag and the tokens of a label.

    >>> label_parts("div.post#main")[0]
    'div'
    """
    if label.startswith(HEAD_LABELS):
        return label, ()
    classes, _, identifier = label.partition("#")
    tag, *names = classes.split(".")
    tokens = [LabelToken(tag, ".", name) for name in names if name]
    if identifier:
        tokens.append(LabelToken(tag, "#", identifier))
    return tag, tuple(tokens)


class Vocabulary:
    """The tokens that name parts of a site's templates."""

    def __init__(self, known: Mapping[LabelToken, int]) -> None:
        self.names = known  # with the pages that have them
        self._labels: dict[str, str] = {}

    @classmethod
    def of(cls, outlines: Iterable[Outline]) -> "Vocabulary":
        """Find the vocabulary of some pages."""
        return cls(names_among(count_tokens(outlines)))

    def label(self, written: str) -> str:
        """Return a label of an outline with its names only: an id, and the most frequent class."""
        label = self._labels.get(written)
        if label is None:
            tag, tokens = label_parts(written)
            known = [token for token in tokens if token in self.names]
            classes = [token for token in known if token.sign == "."]
            often = max(classes, key=lambda token: (self.names[token], token), default=None)
            chosen = [often, *(token for token in known if token.sign == "#")]
            label = tag + "".join(f"{token.sign}{token.name}" for token in chosen if token)
            self._labels[written] = label
        return label


class TokenCounts(NamedTuple):
    """On how many pages there are tokens."""

    tokens: Counter[LabelToken]
    slots: Counter[tuple[str, str]]  # by tag and sign: pages with any such token


def count_tokens(outlines: Iterable[Outline]) -> TokenCounts:
    """Count the pages with each token."""
    counts = TokenCounts(Counter(), Counter())
    tokens_of = cache(lambda label: label_parts(label)[1])
    for outline in outlines:
        found = {token for label in set(outline.labels) for token in tokens_of(label)}
        counts.tokens.update(found)
        counts.slots.update({(token.tag, token.sign) for token in found})
    return counts


def names_among(counts: TokenCounts) -> dict[LabelToken, int]:
    """Return the tokens that are names, with the number of pages that have them."""
    seen: Counter[tuple[str, str]] = Counter()
    once: Counter[tuple[str, str]] = Counter()
    for token, pages in counts.tokens.items():
        seen[token.tag, token.sign] += pages
        once[token.tag, token.sign] += pages == 1
    return {
        token: pages
        for token, pages in counts.tokens.items()
        if pages >= FEWEST_WITH_NAME
        and pages * seen[slot := (token.tag, token.sign)] >= once[slot] * counts.slots[slot]
    }


INLINE_TEXT = -2  # instead of a place: text in a block with other blocks in it
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
        return page_view(url, outline, self._numbers_of(outline, self._known_or_new))

    def view(self, url: str, outline: Outline) -> PageView:
        """Look at a page by the known places."""
        return page_view(url, outline, self._numbers_of(outline, self.known))

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

    def _known_or_new(self, container: int, label: str) -> int:
        number = self.known(container, label)
        if number == NO_PLACE:
            number = self._numbers[container, label] = len(self.labels)
            self.labels.append(label)
            self.containers.append(container)
        return number


def page_view(url: str, outline: Outline, numbers: tuple[int, ...]) -> PageView:
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
        if ends == TOP_PLACE or not (share := min(means[ends], means[begins]) / size):
            continue
        kind = NeighbourKind(numbers[outline.containers[begins]], numbers[ends], numbers[begins])
        if NO_PLACE not in kind:
            kinds[kind] = max(kinds.get(kind, 0.0), share)
    return kinds


@dataclass(frozen=True, slots=True)
class SitePlaces:
    """The places of a site, and its pages as these see them."""

    places: Places
    views: tuple[PageView, ...]  # in the order of the model

    def pages(self) -> Counter[int]:
        """Return the number of pages with each place."""
        return Counter(place for view in self.views for place in view.places)


def lay_out(pages: Iterable[OutlinedPage]) -> SitePlaces:
    """Lay the outlines of a site over each other."""
    known = tuple(pages)
    places = Places(Vocabulary.of(page.outline for page in known))
    return SitePlaces(places, tuple(places.add(page.url, page.outline) for page in known))


def text_shares(views: Sequence[PageView]) -> Counter[int]:
    """Return how much text stands at each place: a page counts for one."""
    shares: Counter[int] = Counter()
    for view in views:
        for place, size in view.sizes.items():
            shares[place] += size / view.size  # type: ignore[assignment]  # floats count as well
    return shares
