"""Blocks of links against hand-marked ones: Tables 1 and 2, Figures 5 and 6 of the paper.

Links outside of marked blocks are clustered with the others but not judged.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from statistics import fmean
from typing import TypeAlias

from webstencil.evaluate.navigation import learning
from webstencil.evaluate.navigation.gold import MarkedPage
from webstencil.evaluate.partitions import adjusted_information
from webstencil.navigation.links import (
    TIMES,
    PaperRule,
    Spread,
    gap_threshold,
    link_gaps,
    paper_links,
)
from webstencil.output.plot import PlotLine
from webstencil.site.templates import adjusted_rand

Labels: TypeAlias = Sequence[int]  # the block of each link
Method: TypeAlias = Callable[[MarkedPage], Labels]

FOLDS = 10  # a site is in one of them
FACTORS = (1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 4.0)  # tried for the threshold
STEPS = 50  # points of a cumulative curve


@dataclass(frozen=True, slots=True)
class BlockScore:
    """The agreement of the blocks of a page with the marked ones."""

    method: str
    page: str
    ari: float
    ami: float
    blocks: int


@dataclass(frozen=True, slots=True)
class ClusterScore:
    """The mean score of a method on all pages."""

    method: str
    pages: int
    ari: float
    ami: float
    blocks: float  # per page


def methods() -> dict[str, Method]:
    """Return the methods to compare, by name."""
    return {
        "CHD": lambda page: numbered(PaperRule().blocks(page.page)),
        "CHD-HD": lambda page: numbered(PaperRule(gamma=1.0).blocks(page.page)),
        "CHD, set of distances": lambda page: numbered(PaperRule(distinct=True).blocks(page.page)),
        "CHD-HD, set of distances": lambda page: numbered(
            PaperRule(gamma=1.0, distinct=True).blocks(page.page)
        ),
        "single linkage": single_linkage,
        "DBSCAN": by_density,
        "K-Means, true K": lambda page: with_true_k(page, learning.k_means),
        "spectral, true K": lambda page: with_true_k(page, learning.spectral),
        "ours": lambda page: numbered(Spread().blocks(page.page)),
    }


def numbered(blocks: Sequence[range]) -> list[int]:
    """Return the number of each link's block."""
    return [number for number, block in enumerate(blocks) for _ in block]


def single_linkage(page: MarkedPage) -> Labels:
    """Cluster at the paper's threshold: on a line, that is a cut at each larger gap."""
    distances = link_gaps(paper_links(page.page).places)
    threshold = gap_threshold(distances)
    return list(accumulate((int(gap > threshold) for gap in distances), initial=0))


def by_density(page: MarkedPage) -> Labels:
    """Run DBSCAN at the paper's threshold."""
    positions = paper_links(page.page).places
    return learning.dbscan(positions, gap_threshold(link_gaps(positions)))


def with_true_k(page: MarkedPage, method: Callable[[Sequence[int], int], list[int]]) -> Labels:
    """Run a method that is given the number of blocks and the judged links only."""
    positions, judged = paper_links(page.page).places, page.marked
    count = len({page.blocks[link] for link in judged})
    found = method([positions[link] for link in judged], count)
    labels = [-1] * len(positions)
    for link, label in zip(judged, found, strict=True):
        labels[link] = label
    return labels


def score_pages(pages: Sequence[MarkedPage], wanted: dict[str, Method]) -> list[BlockScore]:
    """Score all methods on all pages with at least two judged links."""
    return [
        score(name, page, method(page))
        for name, method in wanted.items()
        for page in pages
        if len(page.marked) > 1
    ]


def score(name: str, page: MarkedPage, labels: Labels) -> BlockScore:
    """Compare blocks with the marked ones, over the links that are in any of these."""
    judged = page.marked
    ours, theirs = [labels[link] for link in judged], [page.blocks[link] for link in judged]
    return BlockScore(
        method=name,
        page=page.name,
        ari=adjusted_rand(ours, theirs),
        ami=adjusted_information(ours, theirs),
        blocks=len(set(labels)),
    )


def average(scores: Sequence[BlockScore]) -> list[ClusterScore]:
    """Average over pages, method by method."""
    groups: dict[str, list[BlockScore]] = {}
    for known in scores:
        groups.setdefault(known.method, []).append(known)
    return [
        ClusterScore(
            method=name,
            pages=len(group),
            ari=fmean(known.ari for known in group),
            ami=fmean(known.ami for known in group),
            blocks=fmean(known.blocks for known in group),
        )
        for name, group in groups.items()
    ]


def cross_validated(pages: Sequence[MarkedPage]) -> list[BlockScore]:
    """Score our rule with its factor chosen, for each fold of sites, on the other folds."""
    judged = [page for page in pages if len(page.marked) > 1]
    table = {
        factor: [score("", page, numbered(Spread(factor).blocks(page.page))) for page in judged]
        for factor in FACTORS
    }
    found = []
    for number, page in enumerate(judged):
        others = [index for index in range(len(judged)) if index % FOLDS != number % FOLDS]
        means = {
            factor: fmean(scores[index].ari for index in others) for factor, scores in table.items()
        }
        best = max(means, key=means.__getitem__) if others else TIMES
        chosen = table[best][number]
        found.append(
            BlockScore("ours, cross-validated", page.name, chosen.ari, chosen.ami, chosen.blocks)
        )
    return found


def factors(pages: Sequence[MarkedPage]) -> list[ClusterScore]:
    """Score our rule with each factor, with and without whole lists."""
    rules = [Spread(factor, lists) for lists in (True, False) for factor in FACTORS]
    scores = [
        score(str(rule), page, numbered(rule.blocks(page.page)))
        for rule in rules
        for page in pages
        if len(page.marked) > 1
    ]
    return average(scores)


def cumulative(scores: Sequence[BlockScore], measure: str) -> list[PlotLine]:
    """Return the share of pages below each score, method by method (Figures 5 and 6)."""
    groups: dict[str, list[float]] = {}
    for known in scores:
        groups.setdefault(known.method, []).append(getattr(known, measure))
    levels = [step / STEPS for step in range(STEPS + 1)]
    return [
        PlotLine(
            name,
            tuple(
                (level, sum(value < level for value in values) / len(values)) for level in levels
            ),
        )
        for name, values in groups.items()
    ]
