"""Which class and id tokens name parts of a site's templates, and which name single things.

Templates name their parts: `div.sidebar`, `section#comments`. Content names itself, too: every
method of a manual has an id, every post its tags. The two differ in what comes next. The names of
parts are soon known; single things never end. So for each tag, and for its ids and its classes
apart, the chance is estimated that the next token is one that no page had before: the share of all
tokens so far that were seen on one page only (Good and Turing). A token is a name if two pages have
it, and if its share of the pages is not below that chance.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from webstencil.site.outline import HEAD, Outline

FEWEST = 2  # pages that have a name


class LabelToken(NamedTuple):
    """A class or an id of elements with a tag."""

    tag: str
    sign: str  # "." for a class, "#" for an id
    name: str


def parts(label: str) -> tuple[str, tuple[LabelToken, ...]]:
    """Return the tag and the tokens of a label.

    >>> parts("div.post#main")[0]
    'div'
    """
    if label.startswith(HEAD):
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
        return cls(names(counted(outlines)))

    def label(self, written: str) -> str:
        """Return a label of an outline with its names only: an id, and the most frequent class."""
        label = self._labels.get(written)
        if label is None:
            label = self._labels[written] = self._named(written)
        return label

    def _named(self, written: str) -> str:
        tag, tokens = parts(written)
        known = [token for token in tokens if token in self.names]
        classes = [token for token in known if token.sign == "."]
        often = max(classes, key=lambda token: (self.names[token], token), default=None)
        chosen = [often, *(token for token in known if token.sign == "#")]
        return tag + "".join(f"{token.sign}{token.name}" for token in chosen if token)


class TokenCounts(NamedTuple):
    """On how many pages there are tokens."""

    tokens: Counter[LabelToken]
    slots: Counter[tuple[str, str]]  # by tag and sign: pages with any such token


def counted(outlines: Iterable[Outline]) -> TokenCounts:
    """Count the pages with each token."""
    counts = TokenCounts(Counter(), Counter())
    known: dict[str, tuple[LabelToken, ...]] = {}
    for outline in outlines:
        found = set(_tokens(outline, known))
        counts.tokens.update(found)
        counts.slots.update({(token.tag, token.sign) for token in found})
    return counts


def _tokens(outline: Outline, known: dict[str, tuple[LabelToken, ...]]) -> Iterator[LabelToken]:
    for label in set(outline.labels):
        tokens = known.get(label)
        if tokens is None:
            tokens = known[label] = parts(label)[1]
        yield from tokens


def names(counts: TokenCounts) -> dict[LabelToken, int]:
    """Return the tokens that are names, with the number of pages that have them."""
    seen: Counter[tuple[str, str]] = Counter()
    once: Counter[tuple[str, str]] = Counter()
    for token, pages in counts.tokens.items():
        seen[token.tag, token.sign] += pages
        once[token.tag, token.sign] += pages == 1
    return {
        token: pages
        for token, pages in counts.tokens.items()
        if pages >= FEWEST
        and pages * seen[slot := (token.tag, token.sign)] >= once[slot] * counts.slots[slot]
    }
