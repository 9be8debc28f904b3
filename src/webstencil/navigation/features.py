"""The features of a block of links.

`paper` has the three features of Zhao et al. (section 4.1): the number of links, and the mean and
variance of the lengths of their texts after Gaussian smoothing over the page. `full` has more, all
from the page alone, without styles.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import exp, log1p, sqrt
from typing import Literal, TypeAlias

from webstencil.markup import Node, called, tag
from webstencil.model import NO_PARENT, Page
from webstencil.navigation.classify import Row
from webstencil.navigation.links import Links

# Words in classes, ids and labels hint at the purpose of a part of a page. A hint is one feature
# among others; models learn its weight.


HINT_GROUPS = {
    "navigation": "nav navi navbar navigation mainnav topnav subnav menu dropdown",
    "header": "header head masthead top topbar banner logo brand",
    "footer": "footer foot bottom copyright colophon legal",
    "sidebar": "sidebar side aside rail widget",
    "content": "content entry post article main body story text page document section markdown",
    "comments": "comment comments reply respond",
    "sharing": "share sharing social follow",
    "details": "meta tag tags category categories cat cats author byline date",
    "teasers": "related recent latest popular archive archives teaser card item featured",
    "pages": "pagination pager paging pagenavi pagenav pagelinks pages numbers prev previous next "
    "older newer",
    "ways": "toc contents breadcrumb breadcrumbs crumbs skip anchor",
}
HINT_NAMES = tuple(HINT_GROUPS)
HINT_BITS = {
    word: 1 << number for number, words in enumerate(HINT_GROUPS.values()) for word in words.split()
}
HINT_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")  # site-header, siteHeader, SITE_HEADER
UNHINTED_ELEMENTS = frozenset({"html", "body"})  # their classes describe other parts of the page
MOST_NAMES_READ = 1 << 15  # names; a site uses the same ones on all its pages


@lru_cache(maxsize=MOST_NAMES_READ)
def read_hints(names: str) -> int:
    """Return the hints in some names, one bit per group."""
    found = 0
    for word in HINT_WORD.findall(names):
        found |= HINT_BITS.get(word.lower(), 0)
    return found


def hints_of(node: Node) -> int:
    """Return the hints at an element, one bit per group."""
    names = called(node)
    return read_hints(names) if names and tag(node) not in UNHINTED_ELEMENTS else 0


def hint_columns(hints: int) -> tuple[float, ...]:
    """Return 1 for each group with a hint, 0 for the others."""
    return tuple([float(hints >> number & 1) for number in range(len(HINT_NAMES))])


class HintReader:
    """Reads the hints at the elements of one page, each once."""

    def __init__(self, elements: Sequence[Node]) -> None:
        self._elements = elements
        self._known: dict[int, int] = {}

    def at(self, element: int) -> int:
        """Return the hints at an element."""
        known = self._known.get(element)
        if known is None:
            known = self._known[element] = hints_of(self._elements[element])
        return known

    def along(self, path: Sequence[int]) -> int:
        """Return the hints at any of these elements."""
        found = 0
        for element in path:
            found |= self.at(element)
        return found


Features: TypeAlias = Literal["full", "paper"]

SIGMA = 2.0  # links; section 5.3.2
REACH = 3  # sigmas at which the Gaussian is cut off
EDGE_SHARE = 0.02  # share of the page's running text: with less beyond it, a block is at an edge
NEAREST_ANCESTORS = 2  # ancestors of a block whose names are features of their own

MOST_ANCESTORS = 100  # ancestors of a block that count; pages nest 100,000 deep

AROUND = ("nav", "header", "footer", "aside", "main", "article", "p", "table", "form")
HEADINGS_OF_BLOCKS = frozenset({"h1", "h2", "h3", "h4"})
DIGIT = re.compile(r"\d")
SENTENCE_SIGNS = (".", "!", "?", "…", "。")
FULL_ADDRESSES = ("http:", "https:", "//")
FULL_NAMES = (
    *("links (log)", "mean text length (log)", "spread of text lengths (log)", "without text"),
    *("one word", "a sentence", "starts in lower case", "to a full address", "within the page"),
    *("digits in the address", "parts of the address", "same target twice"),
    *("elements to a link (log)", "share of text in links", "text to a link (log)"),
    *("text beside links (log)", "place of the first", "place of the last"),
    *("links before it", "links up to its end"),
    *("running text before", "running text after", "running text at the nearer side"),
    *("at the start", "at the end", "text right before (log)", "text right after (log)"),
    *("in a list", "depth (log)", "in a paragraph", "in a heading"),
    *(f"inside {name}" for name in AROUND),
    *(f"hint around: {name}" for name in HINT_NAMES),
    *(f"hint at: {name}" for name in HINT_NAMES),
)


@dataclass(frozen=True, slots=True)
class Text:
    """The positions of links in the text of a page."""

    total: int  # characters
    starts: list[int]  # of each link's text
    ends: list[int]
    linked: list[int]  # characters in links before each link, then in all links


def smooth(values: Sequence[float]) -> list[float]:
    """Smooth a column with a Gaussian, weights renormalised at both ends."""
    reach = int(REACH * SIGMA)
    weights = [exp(-(step * step) / (2 * SIGMA * SIGMA)) for step in range(-reach, reach + 1)]
    smoothed = []
    for place in range(len(values)):
        low, high = max(0, place - reach), min(len(values), place + reach + 1)
        near = weights[low - place + reach : high - place + reach]
        total = sum(weight * value for weight, value in zip(near, values[low:high], strict=True))
        smoothed.append(total / sum(near))
    return smoothed


def paper_rows(page: Page, links: Links, blocks: Sequence[range]) -> list[Row]:
    """Return the three features of the paper for each block, lengths in characters."""
    del page  # the links suffice
    return paper_features([float(len(text)) for text in links.all_texts()], blocks)


def paper_features(sizes: Sequence[float], blocks: Sequence[range]) -> list[Row]:
    """Return the three features of the paper, from the lengths of all link texts of a page."""
    lengths = smooth(sizes)
    rows: list[Row] = []
    for block in blocks:
        own = lengths[block.start : block.stop]
        mean = sum(own) / len(own)
        rows.append((float(len(own)), mean, sum((x - mean) ** 2 for x in own) / len(own)))
    return rows


def full_rows(page: Page, links: Links, blocks: Sequence[range]) -> list[Row]:
    """Return all features for each block."""
    elements = links.elements
    text, reader = text_positions(page, links), HintReader(elements)
    return [
        _words(links, block)
        + _targets(links, block)
        + _prose(links, block, text, len(elements))
        + _surroundings(links, block, elements, reader)
        for block in blocks
    ]


def text_positions(page: Page, links: Links) -> Text:
    """Find the links in the text of their page.

    Each is searched from the end of the one before, at the parser's speed. If its text occurs
    earlier, the position is a little too low, for a few links.
    """
    written = " ".join(page.markup.root.text.split())  # indentation means nothing
    texts = links.all_texts()
    starts, ends, place = [], [], 0
    for text in texts:
        found = written.find(text, place)
        starts.append(max(found, place))
        place = starts[-1] + len(text)
        ends.append(place)
    linked = list(accumulate(map(len, texts), initial=0))
    return Text(max(len(written), place, 1), starts, ends, linked)


def _words(links: Links, block: range) -> Row:
    """Describe the texts of a block's links."""
    count = len(block)
    texts = list(map(links.text, block))
    lengths = list(map(len, texts))
    mean = sum(lengths) / count
    spread = sqrt(max(0.0, sum(x * x for x in lengths) / count - mean * mean))
    return (
        log1p(count),
        log1p(mean),
        log1p(spread),
        texts.count("") / count,
        sum(" " not in text for text in texts) / count,
        sum(text.endswith(SENTENCE_SIGNS) for text in texts) / count,
        sum(text[:1].islower() for text in texts) / count,
    )


def _targets(links: Links, block: range) -> Row:
    """Describe the targets of a block's links."""
    count = len(block)
    hrefs = links.hrefs[block.start : block.stop]
    return (
        sum(href.startswith(FULL_ADDRESSES) for href in hrefs) / count,
        sum(href.startswith("#") for href in hrefs) / count,
        sum(DIGIT.search(href) is not None for href in hrefs) / count,
        sum(href.count("/") for href in hrefs) / count,
        1.0 - len(set(hrefs)) / count,
    )


def _prose(links: Links, block: range, text: Text, elements: int) -> Row:
    """Describe the position of a block in the page, and the text in, before and after it."""
    start, stop = block.start, block.stop
    first, last = links.places[start], links.places[stop - 1]
    begin, end = text.starts[start], text.ends[stop - 1]
    linked = text.linked[stop] - text.linked[start]
    running = max(1, text.total - text.linked[-1])
    before = (begin - text.linked[start]) / running
    after = (text.total - end - (text.linked[-1] - text.linked[stop])) / running
    gap_before = begin - (text.ends[start - 1] if start else 0)
    gap_after = (text.starts[stop] if stop < len(links) else text.total) - end
    return (
        log1p((last - first) / len(block)),
        linked / max(1, end - begin),
        log1p(max(0, end - begin - linked) / len(block)),
        log1p(max(0, end - begin - linked)),
        first / elements,
        last / elements,
        start / len(links),
        stop / len(links),
        before,
        after,
        min(before, after),
        float(before < EDGE_SHARE),
        float(after < EDGE_SHARE),
        log1p(max(0, gap_before)),
        log1p(max(0, gap_after)),
    )


def _surroundings(links: Links, block: range, elements: Sequence[Node], reader: HintReader) -> Row:
    """Describe the elements around a block."""
    parents = links.parents
    first, last = links.places[block.start], links.places[block.stop - 1]
    path = way_up(element_around(first, last, parents), parents)
    parent = parents[first]
    item = parents[parent] if parent != NO_PARENT else NO_PARENT
    names = {tag(elements[element]) for element in path}
    own = tag(elements[parent])
    return (
        float(item in links.lists or not links.lists.isdisjoint(path)),
        log1p(len(path)),
        float(own == "p" or "p" in names),
        float(own in HEADINGS_OF_BLOCKS),
        *[float(name in names) for name in AROUND],
        *hint_columns(reader.along(path)),
        *hint_columns(reader.along((*path[:NEAREST_ANCESTORS], first, parent))),
    )


def element_around(first: int, last: int, parents: Sequence[int]) -> int:
    """Return the lowest common ancestor of two elements in document order."""
    while last > first:
        last = parents[last]
    return last


def way_up(element: int, parents: Sequence[int]) -> list[int]:
    """Return an element and its ancestors, innermost first, at most DEEPEST."""
    path: list[int] = []
    while element != NO_PARENT and len(path) < MOST_ANCESTORS:
        path.append(element)
        element = parents[element]
    return path


ROWS: dict[Features, Callable[[Page, Links, Sequence[range]], list[Row]]] = {
    "full": full_rows,
    "paper": paper_rows,
}
