"""Pagination links against those that people marked: pages of many sites in one packed file."""

import json
import lzma
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from webstencil.errors import SourceError
from webstencil.evaluate.navigation import learning
from webstencil.evaluate.navigation.classes import shares
from webstencil.markup import Node, descendants
from webstencil.markup.parse import parse
from webstencil.model import Page, RawPage
from webstencil.navigation.classify import Row, read_weights
from webstencil.navigation.links import HYPERLINKS, Links, links_of
from webstencil.navigation.pagination import link_rows
from webstencil.navigation.sequences import Judge

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
    """How well pagination links were found."""

    method: str
    sites: int
    pages: int
    links: int  # that are to be found
    precision: float
    recall: float
    f1: float


def read(file: Path) -> Iterator[PagedPage]:
    """Read marked pages."""
    try:
        with lzma.open(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                raw = RawPage(row["url"], row["html"].encode("latin-1"), charset=row["encoding"])
                page = parse(raw)
                links = links_of(page)
                yield PagedPage(row["site"], page, links, marked(page, links, row["selectors"]))
    except (OSError, lzma.LZMAError, EOFError, ValueError, LookupError) as error:
        raise SourceError(f"{file} does not hold a marked page a line: {error!r}") from error


def marked(page: Page, links: Links, selectors: dict[str, str]) -> frozenset[int]:
    """Return the links that selectors mean: what they fit, or lies around or in that."""
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


def teach(pages: Sequence[PagedPage]) -> str:
    """Fit a model to all links of some pages."""
    rows: list[Row] = []
    labels: list[bool] = []
    for known in pages:
        for link, row in link_rows(known.page, known.links, range(len(known.links))).items():
            rows.append(row)
            labels.append(link in known.gold)
    return learning.fit_logistic(rows, labels, [1.0] * len(rows))


def found_by(model: str, known: PagedPage) -> frozenset[int]:
    """Return the links that a model finds, asked only of those that may be some."""
    return Judge(read_weights(model)).found(known.page, known.links, range(len(known.links)))


def cross_validate(pages: Sequence[PagedPage]) -> SequenceScore:
    """Score models that have seen no page of the fold's sites."""
    names = sorted({page.site for page in pages})
    fold = {name: number % FOLDS for number, name in enumerate(names)}
    pairs: list[tuple[bool, bool]] = []
    for number in range(FOLDS):
        model = teach([page for page in pages if fold[page.site] != number])
        for page in pages:
            if fold[page.site] == number:
                answers = found_by(model, page)
                pairs += [(link in answers, link in page.gold) for link in range(len(page.links))]
    return scored("cross-validated by site", pages, pairs)


def scored(
    method: str, pages: Sequence[PagedPage], pairs: Sequence[tuple[bool, bool]]
) -> SequenceScore:
    """Sum answers up."""
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
    """Score the model that comes with the package, which may have seen these pages."""
    pairs = []
    for page in pages:
        answers = found_by(model, page)
        pairs += [(link in answers, link in page.gold) for link in range(len(page.links))]
    return scored("shipped model", pages, pairs)
