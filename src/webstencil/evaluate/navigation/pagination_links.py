"""Pagination links against those that people marked on pages of many sites."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from webstencil.evaluate.labelled_data import LeftOut, nobody, read_rows, readable, row_body
from webstencil.evaluate.navigation import learning
from webstencil.evaluate.navigation.classes import shares
from webstencil.markup import Node, descendants
from webstencil.model import Page, RawPage
from webstencil.navigation.classify import Row, read_weights
from webstencil.navigation.links import HYPERLINKS, Links, page_hyperlinks
from webstencil.navigation.pagination import Judge, link_rows

FOLDS = 5  # a site is in one of them


@dataclass(frozen=True, slots=True)
class PagedPage:
    """A page with its links, and which of them lead to other pages of its sequence."""

    site: str
    page: Page
    links: Links
    gold: frozenset[int]


@dataclass(frozen=True, slots=True)
class SequenceScore:
    """The scores of pagination links."""

    method: str
    sites: int
    pages: int
    links: int  # in the gold
    precision: float
    recall: float
    f1: float


def read(file: Path, left_out: LeftOut = nobody) -> Iterator[PagedPage]:
    """Read marked pages."""
    for row in read_rows(file, ("site", "url", "html", "encoding", "selectors")):
        page = readable(RawPage(row["url"], row_body(row), charset=row["encoding"]), left_out)
        if page is not None:
            links = page_hyperlinks(page)
            yield PagedPage(row["site"], page, links, marked(page, links, row["selectors"]))


def marked(page: Page, links: Links, selectors: dict[str, str]) -> frozenset[int]:
    """Return the links that selectors match, or that are around or in what they match."""
    numbers: dict[Node, int] = dict(zip(links.nodes, range(len(links)), strict=True))
    found: set[int] = set()
    for selector in filter(None, selectors.values()):
        for node in page.markup.select(selector):
            above: Node | None = node
            while above is not None and above not in numbers:
                above = above.parent
            inside = descendants(node, HYPERLINKS) if above is None else [above]
            found.update(numbers[link] for link in inside)
    return frozenset(found)


def train(pages: Sequence[PagedPage]) -> str:
    """Fit a model to all links of some pages."""
    rows: list[Row] = []
    labels: list[bool] = []
    for known in pages:
        for link, row in link_rows(known.page, known.links, range(len(known.links))).items():
            rows.append(row)
            labels.append(link in known.gold)
    return learning.fit_logistic(rows, labels, [1.0] * len(rows))


def found_by(model: str, known: PagedPage) -> frozenset[int]:
    """Return the links that a model finds."""
    return Judge(read_weights(model)).found(known.page, known.links, range(len(known.links)))


def cross_validate(pages: Sequence[PagedPage]) -> SequenceScore:
    """Score models that have seen no page of the fold's sites."""
    names = sorted({page.site for page in pages})
    fold = {name: number % FOLDS for number, name in enumerate(names)}
    pairs: list[tuple[bool, bool]] = []
    for number in range(FOLDS):
        model = train([page for page in pages if fold[page.site] != number])
        for page in pages:
            if fold[page.site] == number:
                answers = found_by(model, page)
                pairs += [(link in answers, link in page.gold) for link in range(len(page.links))]
    return scored("cross-validated by site", pages, pairs)


def scored(
    method: str, pages: Sequence[PagedPage], pairs: Sequence[tuple[bool, bool]]
) -> SequenceScore:
    """Make the score of answers."""
    precision, recall, f1 = shares(pairs)
    return SequenceScore(
        method=method,
        sites=len({page.site for page in pages}),
        pages=len(pages),
        links=sum(len(page.gold) for page in pages),
        precision=precision,
        recall=recall,
        f1=f1,
    )


def with_shipped(pages: Sequence[PagedPage], model: str) -> SequenceScore:
    """Score the shipped model, which may have been trained on these pages."""
    pairs = []
    for page in pages:
        answers = found_by(model, page)
        pairs += [(link in answers, link in page.gold) for link in range(len(page.links))]
    return scored("shipped model", pages, pairs)
