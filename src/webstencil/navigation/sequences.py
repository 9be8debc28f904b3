"""Find links to the other pages of a sequence, by a model over their features (`pagination`).

The model is linear: the score of a text is computed once, and each link is read only as far as
needed for a decision.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from operator import mul
from typing import NamedTuple

from webstencil.model import Page
from webstencil.navigation.classify import LinkWeights, Row, read_weights, shipped_text
from webstencil.navigation.links import Links
from webstencil.navigation.pagination import (
    ADDRESSES,
    FAR,
    KNOWN,
    LONGEST,
    MARKS,
    NONE,
    PICTURE,
    SAID,
    TELLING,
    UNMARKED,
    WEAK,
    Marks,
    is_own,
    likeliness,
    names_page,
    own_path,
    said,
    telling,
)

REMEMBERED = 1 << 14  # texts; the pages of a site share most of them


class Worth(NamedTuple):
    """The scores of a text."""

    likely: int  # see `pagination.likeliness`
    own: float  # as text of a link, with the bias of the model
    before: float  # as text of the link before
    after: float  # as text of the link after


NOTHING = Worth(NONE, 0.0, 0.0, 0.0)


class Judge:
    """Recognises links of a sequence by the weights of their features."""

    def __init__(self, model: LinkWeights) -> None:
        ends = accumulate((len(SAID), len(MARKS), len(ADDRESSES), TELLING, TELLING), initial=0)
        parts = [model.weights[start:end] for start, end in pairwise(ends)]
        self._said, self._marks, self._address, self._before, self._after = parts
        self._bias = model.bias
        self._worth = lru_cache(maxsize=REMEMBERED)(self._worth_of)

    def found(self, page: Page, links: Links, wanted: Sequence[int]) -> frozenset[int]:
        """Return those links that are to other pages of a sequence."""
        worths = self._worths(wanted, links.texts(wanted))
        marks = Marks()
        found = []
        for link, worth in worths.items():
            mark = marks.of(links.nodes[link])
            if mark == UNMARKED and worth.likely == WEAK:
                continue  # a number in the page's frame needs a mark
            score = self._by_texts(links, link, worths)
            if mark != UNMARKED:
                score += dot(mark, self._marks)
            if self._with_address(score, links.hrefs[link], page.url) > 0:
                found.append(link)
        return frozenset(found)

    def _worths(self, wanted: Sequence[int], texts: Sequence[str]) -> dict[int, Worth]:
        """Return the scores of those texts of links that may be of a sequence."""
        glanced = [  # most others are words, none of them known
            (link, text)
            for link, text in zip(wanted, texts, strict=True)
            if len(text) <= LONGEST
            and not (text.replace(" ", "").isalpha() and KNOWN.isdisjoint(text.lower().split()))
        ]
        worths = {link: worth for link, text in glanced if (worth := self._worth(text)).likely}
        return {
            link: worth
            for link, worth in worths.items()
            if worth.likely != PICTURE or is_beside(link, worths)
        }

    def _by_texts(self, links: Links, link: int, worths: Mapping[int, Worth]) -> float:
        """Return the score of the texts of a link and those beside it."""
        score, places = worths[link].own, links.places
        if link - 1 in worths and places[link] - places[link - 1] <= FAR:
            score += worths[link - 1].before
        if link + 1 in worths and places[link + 1] - places[link] <= FAR:
            score += worths[link + 1].after
        return score

    def _with_address(self, score: float, href: str, url: str) -> float:
        """Add the score of a URL on this page, if it can matter."""
        paged, own = self._address
        if score + max(paged, 0.0) + max(own, 0.0) > 0 and names_page(href):
            score += paged
        if score + max(own, 0.0) > 0 and is_own(own_path(url), href):
            score += own
        return score

    def _worth_of(self, text: str) -> Worth:
        """Compute the scores of a text."""
        likely = likeliness(text)
        if likely == NONE:
            return NOTHING
        row = telling(text)
        own = self._bias + dot(said(text), self._said)
        return Worth(likely, own, dot(row, self._before), dot(row, self._after))


def is_beside(link: int, worths: Mapping[int, Worth]) -> bool:
    """Return whether a text (no picture) right before or after a link is likely."""
    before, after = worths.get(link - 1, NOTHING), worths.get(link + 1, NOTHING)
    return before.likely > PICTURE or after.likely > PICTURE


def dot(row: Row, weights: Row) -> float:
    """Return the weighted sum of a row."""
    total: float = sum(map(mul, row, weights))
    return total


@lru_cache(maxsize=1)
def shipped_judge() -> Judge:
    """Return the judge with the model of the package."""
    return Judge(read_weights(shipped_text("pagination")))


def pagination_links(page: Page, links: Links, wanted: Sequence[int]) -> frozenset[int]:
    """Return those links that are to other pages of a sequence."""
    return shipped_judge().found(page, links, wanted)
