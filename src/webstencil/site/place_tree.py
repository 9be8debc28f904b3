"""The places of a site as a tree to look at: which pages have them, and what they say there.

Places with text are shown that several pages have, those with most text first if there are too
many. A container that holds one place and nothing else is one with it. The tree is a tuple of nodes
with depths, since pages may nest deeper than Python recurses and browsers nest elements.

A place that says the same on all pages is furniture; one that says something else on each page
holds data. Agreement tells: the share of the other pages that say the same there. Digits do not
count (`outline.py`), so dates look the same; what the pages say tells them from furniture.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from webstencil.site.outline import HASH_BITS, NO_PLACE, Excerpts
from webstencil.site.places import PageView, lay_out, text_shares
from webstencil.site.site_model import SiteModel

SHARED_BY = 2  # pages that have a place
MOST_NODES = 2_000  # of a tree; the largest of seven sites has 430
MOST_JOINED = 6  # places of a node
DEEPEST_NODES = 40  # levels of nodes
SAYINGS = 3  # texts of a place
# Agreement of furniture, and of data, 0..1. Of 767 places on seven sites three in four are below
# 0.05 or above 0.95; in between are menus with a current entry, categories, names of authors.
USUALLY_AT = 0.8
SELDOM_AT = 0.1

_DIGITS = re.compile(r"\d+")


class Says(StrEnum):
    """How what a place says, or where its links lead, differs from page to page."""

    NOTHING = "nothing"
    SAME = "same"  # everywhere
    NUMBERS = "numbers"  # the same but for its numbers
    MIXED = "mixed"  # many pages agree, others do not
    VARIES = "varies"  # something else on each page


@dataclass(frozen=True, slots=True)
class Saying:
    """What a place says on some pages."""

    text: str  # its beginning
    url: str  # of a page that says so
    pages: int  # of those with excerpts that say so


@dataclass(frozen=True, slots=True)
class PlaceNode:
    """A place in the tree."""

    labels: tuple[str, ...]  # containers that hold nothing else, then the place
    depth: int  # 0 for the root
    pages: int  # of the model
    share: float  # of the model's pages, 0..1
    times: float  # elements on a page that has it, on average
    text: float  # share of the site's text that stands in it, 0..1; a page counts for one
    says: Says  # its own text
    links: Says
    sayings: tuple[Saying, ...]  # its own text, the most frequent first
    url: str  # of a page that has it

    @property
    def repeats(self) -> bool:
        """Return whether a page has it several times."""
        return self.times > 1.0


@dataclass(frozen=True, slots=True)
class PlaceTree:
    """The places of a site."""

    nodes: tuple[PlaceNode, ...] = ()  # a container comes before what it holds
    counted: int = 0  # pages of the model
    pages: int = 0  # of the site
    more: int = 0  # places with text that several pages have and the tree has not


def place_tree(model: SiteModel, excerpts: Iterable[tuple[str, Excerpts]]) -> PlaceTree:
    """Make the tree of a site; `excerpts` are of some of its pages, with their URLs."""
    laid = lay_out(model)
    views, containers = laid.views, laid.places.containers
    pages = laid.pages()
    times: Counter[int] = Counter()  # elements on all pages
    urls: dict[int, str] = {}  # of a page that has a place
    for view in views:
        times.update(view.places)
        for place in view.places.keys() - urls.keys():
            urls[place] = view.url
    own = text_shares(views)
    inside = [own.get(place, 0.0) for place in range(len(containers))]  # with the places in it
    for place in range(len(containers) - 1, 0, -1):
        inside[containers[place]] += inside[place]
    outlines = [page.outline for page in model]
    said = [zip(one.text_places, one.texts, strict=True) for one in outlines]
    texts = agreement_by_place(zip(views, said, strict=True))
    linked = [zip(one.link_places, one.links, strict=True) for one in outlines]
    links = agreement_by_place(zip(views, linked, strict=True))
    samples = sayings({view.url: view for view in views}, excerpts)

    shared = [p for p, size in enumerate(inside) if size > 0.0 and pages[p] >= SHARED_BY]
    # Containers have at least the text of what they hold, and smaller numbers: they are kept, too.
    kept = sorted(shared, key=lambda place: (-inside[place], place))[:MOST_NODES]
    positions = mean_positions(views)  # the order in which pages have the places of a container
    below: dict[int, list[int]] = {}
    for place in sorted(kept, key=lambda place: (positions[place], place)):
        below.setdefault(containers[place], []).append(place)
    nodes: list[PlaceNode] = []
    shown = 0
    waiting = [(place, 0) for place in reversed(below.get(NO_PLACE, ()))]
    while waiting:
        place, depth = waiting.pop()
        joined = [place]  # down to the first that is not alone in its container
        while len(joined) < MOST_JOINED and not own.get(place):
            held = below.get(place, ())
            if len(held) != 1 or pages[held[0]] != pages[place]:
                break
            place = held[0]
            joined.append(place)
        nodes.append(
            PlaceNode(
                labels=tuple(laid.places.labels[one] for one in joined),
                depth=depth,
                pages=pages[place],
                share=pages[place] / len(views),
                times=times[place] / pages[place],
                text=inside[place] / max(inside[0], 1e-9),
                says=says_of(texts.get(place), samples.get(place, ())),
                links=says_of(links.get(place)),
                sayings=samples.get(place, ()),
                url=urls[place],
            )
        )
        shown += len(joined)
        if depth + 1 < DEEPEST_NODES:
            waiting += [(one, depth + 1) for one in reversed(below.get(place, ()))]
    return PlaceTree(tuple(nodes), len(model), model.pages, len(shared) - shown)


def mean_positions(views: Iterable[PageView]) -> dict[int, float]:
    """Return where on a page places come, on average: 0 at its beginning, 1 at its end."""
    sums: dict[int, float] = {}
    counts: Counter[int] = Counter()
    for view in views:
        whole = len(view.numbers)
        for order, place in enumerate(view.numbers):
            sums[place] = sums.get(place, 0.0) + order / whole
        counts.update(view.numbers)
    return {place: total / counts[place] for place, total in sums.items()}


def agreement_by_place(
    pages: Iterable[tuple[PageView, Iterable[tuple[int, int]]]],
) -> dict[int, float]:
    """Return how far pages agree at each place, 0..1: the share of others that have the same there.

    That is the mean over all that pages have there; a page with nothing at a place does not count.
    """
    having: Counter[int] = Counter()  # pages, by place and hash in one number
    speaking: Counter[int] = Counter()  # pages, by place
    for view, things in pages:
        starts = [number << HASH_BITS for number in view.numbers]
        found = {starts[place] | thing for place, thing in things}
        having.update(found)
        speaking.update({both >> HASH_BITS for both in found})
    again: Counter[int] = Counter()
    total: Counter[int] = Counter()
    for both, count in having.items():
        again[both >> HASH_BITS] += count * (count - 1)
        total[both >> HASH_BITS] += count
    return {
        place: again[place] / (total[place] * (speaking[place] - 1)) if speaking[place] > 1 else 0.0
        for place in total
    }


def sayings(
    views: Mapping[str, PageView], excerpts: Iterable[tuple[str, Excerpts]]
) -> dict[int, tuple[Saying, ...]]:
    """Return what places say, by place: the most frequent texts, of equals the first."""
    counts: dict[int, Counter[str]] = {}
    urls: dict[tuple[int, str], str] = {}
    for url, said in excerpts:
        view = views.get(url)
        if view is None:  # it has changed meanwhile
            continue
        first: dict[int, str] = {}
        for place, text in said.texts:
            if text and place < len(view.numbers):
                first.setdefault(view.numbers[place], text)
        for place, text in first.items():
            counts.setdefault(place, Counter())[text] += 1
            urls.setdefault((place, text), url)
    return {
        place: tuple(
            Saying(text, urls[place, text], pages) for text, pages in found.most_common(SAYINGS)
        )
        for place, found in counts.items()
    }


def says_of(agreeing: float | None, said: Sequence[Saying] = ()) -> Says:
    """Say in a word how far pages agree; `said` tells numbers from furniture."""
    if agreeing is None:
        return Says.NOTHING
    if agreeing >= USUALLY_AT:
        plain = {_DIGITS.sub("", one.text).lower() for one in said}
        differing = {one.text.lower() for one in said}
        return Says.NUMBERS if len(plain) < len(differing) else Says.SAME
    return Says.VARIES if agreeing <= SELDOM_AT else Says.MIXED
