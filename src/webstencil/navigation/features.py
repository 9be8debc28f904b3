"""What a block of links looks like, in numbers.

`paper` has the three features of Zhao et al. (section 4.1): the number of links, and the mean and
variance of the lengths of their texts after Gaussian smoothing over the page. `full` has more, all
read from the page alone and cheap: no style, no address of the page, no name of a class.
"""

from collections.abc import Callable, Sequence
from math import exp, log1p, sqrt
from typing import Literal, TypeAlias

from webstencil.markup import Node, tag
from webstencil.model import NO_PARENT, Page
from webstencil.navigation.links import Links

Features: TypeAlias = Literal["full", "paper"]
Row: TypeAlias = tuple[float, ...]

SIGMA = 2.0  # links; section 5.3.2
REACH = 3  # sigmas from the middle of the Gaussian to where it is cut off

PAPER_NAMES = ("links", "mean of text lengths", "variance of text lengths")
AROUND = ("nav", "header", "footer", "aside", "main", "article", "p", "table", "form")
FULL_NAMES = (
    "links (log)",
    "mean text length (log)",
    "spread of text lengths (log)",
    "without text",
    "one word",
    "sentence",
    "starts in lower case",
    "to other hosts",
    "within the page",
    "with digits in the address",
    "parts of the address",
    "same target twice",
    "elements to a link (log)",
    "share of text in links",
    "text outside of links (log)",
    "share of the page's text",
    "place of the first link",
    "place of the last link",
    "in a list",
    "depth (log)",
    *(f"in {name}" for name in AROUND),
)
SENTENCE = (".", "!", "?", "…", "。")


def smooth(values: Sequence[float], sigma: float = SIGMA) -> list[float]:
    """Smooth a column with a Gaussian, weights renormalised at both ends."""
    reach = int(REACH * sigma)
    weights = [exp(-(step * step) / (2 * sigma * sigma)) for step in range(-reach, reach + 1)]
    smoothed = []
    for place in range(len(values)):
        low, high = max(0, place - reach), min(len(values), place + reach + 1)
        near = weights[low - place + reach : high - place + reach]
        total = sum(weight * value for weight, value in zip(near, values[low:high], strict=True))
        smoothed.append(total / sum(near))
    return smoothed


def paper_rows(page: Page, links: Links, blocks: Sequence[range]) -> list[Row]:
    """Return the three features of the paper for each block."""
    del page
    lengths = smooth([float(len(text)) for text in links.texts])
    rows = []
    for block in blocks:
        own = lengths[block.start : block.stop]
        mean = sum(own) / len(own)
        rows.append((float(len(own)), mean, sum((x - mean) ** 2 for x in own) / len(own)))
    return rows


def full_rows(page: Page, links: Links, blocks: Sequence[range]) -> list[Row]:
    """Return all features for each block."""
    elements = list(page.markup.outline().numbers)
    text = max(1, len(page.markup.root.text))
    return [
        words(links, block) + targets(links, block) + place(links, block, elements, text)
        for block in blocks
    ]


def words(links: Links, block: range) -> Row:
    """Describe the texts of a block's links."""
    count = len(block)
    texts = links.texts[block.start : block.stop]
    lengths = list(map(len, texts))
    mean = sum(lengths) / count
    spread = sqrt(max(0.0, sum(x * x for x in lengths) / count - mean * mean))
    return (
        log1p(count),
        log1p(mean),
        log1p(spread),
        texts.count("") / count,
        sum(" " not in text for text in texts) / count,
        sum(text.endswith(SENTENCE) for text in texts) / count,
        sum(text[:1].islower() for text in texts) / count,
    )


def targets(links: Links, block: range) -> Row:
    """Describe where a block's links lead."""
    count = len(block)
    hrefs = links.hrefs[block.start : block.stop]
    return (
        sum(href.startswith(("http:", "https:", "//")) for href in hrefs) / count,
        sum(href.startswith("#") for href in hrefs) / count,
        sum(any(map(str.isdigit, href)) for href in hrefs) / count,
        sum(href.count("/") for href in hrefs) / count,
        1.0 - len(set(hrefs)) / count,
    )


def place(links: Links, block: range, elements: Sequence[Node], text: int) -> Row:
    """Describe where a block stands on its page."""
    places = links.places
    first, last = places[block.start], places[block.stop - 1]
    root = first if first == last else common(first, last, links.parents)
    written = sum(map(len, links.texts[block.start : block.stop]))
    held = max(written, len(elements[root].text))
    path = way_up(root, links.parents)
    names = {tag(elements[element]) for element in path}
    item = links.parents[links.parents[first]] if links.parents[first] != NO_PARENT else NO_PARENT
    in_list = item in links.lists or not links.lists.keys().isdisjoint(path)
    return (
        log1p((last - first) / len(block)),
        written / max(1, held),
        log1p(held - written),
        held / text,
        first / len(elements),
        last / len(elements),
        float(in_list),
        log1p(len(path)),
        *(float(name in names) for name in AROUND),
    )


def common(first: int, last: int, parents: Sequence[int]) -> int:
    """Return the innermost element around two, the first of which comes first in the page."""
    while last > first:
        last = parents[last]
    return last


def way_up(element: int, parents: Sequence[int]) -> list[int]:
    """Return an element and those around it, the root last."""
    path = []
    while element != NO_PARENT:
        path.append(element)
        element = parents[element]
    return path


ROWS: dict[Features, Callable[[Page, Links, Sequence[range]], list[Row]]] = {
    "full": full_rows,
    "paper": paper_rows,
}
NAMES: dict[Features, tuple[str, ...]] = {"full": FULL_NAMES, "paper": PAPER_NAMES}
