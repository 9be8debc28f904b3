"""Segmenters against hand-marked blocks: scores of pages, then averages.

A page on which a segmenter fails is scored as one whole area, and named: leaving it out would
reward a segmenter for failing on difficult pages.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from time import perf_counter

from webstencil.errors import BrowserMissing, RenderError
from webstencil.evaluate.baselines import EachLeaf, WholePage
from webstencil.evaluate.bcubed import AgreementScore, harmonic_mean
from webstencil.evaluate.compare import GRAINS, Agreement, blocks_of, compare
from webstencil.evaluate.kreuzer import LabelledPage
from webstencil.model import Area, Page, Snapshot
from webstencil.paper.stencils import represent
from webstencil.protocols import Renderer, Segmenter
from webstencil.segment import make_segmenter
from webstencil.testing import StackRenderer

log = logging.getLogger(__name__)

BASELINES: dict[str, Segmenter] = {"whole page": WholePage(), "each leaf": EachLeaf()}
MEASURES = ("nodes", "characters", "pixels")
FLOOR_STEPS = 100  # a floor is F, rounded down to 1/100: fonts and browsers differ a little
SWEEPS = {  # the setting that decides how fine the areas are, and the values to try
    "vips": ("pdoc", tuple(range(1, 11))),
    "bcs": ("threshold", tuple(number / 100 for number in range(5, 65, 5))),
}


@dataclass(frozen=True, slots=True)
class SegmentationCase:
    """A labelled page, rendered."""

    name: str
    page: Page
    snapshot: Snapshot
    blocks: tuple[tuple[Area, ...], ...]  # by hand, for each of GRAINS
    problem: str = ""  # why it could not be rendered


@dataclass(frozen=True, slots=True)
class SegmentationScore:
    """The score of a method on a page, against blocks of one grain."""

    method: str
    page: str
    grain: str
    agreement: Agreement
    areas: int  # with nodes of their own
    seconds: float  # for finding the areas
    problem: str = ""  # why the page counts as one area


@dataclass(frozen=True, slots=True)
class Mean:
    """An average over pages."""

    precision: float
    recall: float
    f: float  # mean of the pages' F
    f_star: float  # F of the mean precision and the mean recall


@dataclass(frozen=True, slots=True)
class SegmentationRow:
    """The mean score of a method against blocks of one grain, over all pages that have some."""

    method: str
    grain: str
    pages: int
    failed: int  # pages that count as one area
    nodes: Mean
    characters: Mean
    pixels: Mean
    areas: float
    seconds: float  # a page


def render_case(labelled: LabelledPage, renderer: Renderer) -> SegmentationCase:
    """Render a labelled page and find the rectangles of its blocks.

    Scores need boxes: if rendering fails, the texts of the page are stacked.
    """
    problem = ""
    try:
        snapshot = renderer.render(labelled.page, labelled.source)
    except BrowserMissing:
        raise
    except RenderError as error:
        snapshot = StackRenderer().render(labelled.page, labelled.source)
        problem = f"cannot be rendered: {error}"
    tree = labelled.page.tree
    blocks = tuple(blocks_of(labelled.labels, grain, tree, snapshot) for grain in GRAINS)
    return SegmentationCase(labelled.name, labelled.page, snapshot, blocks, problem)


def judge(
    case: SegmentationCase, method: str, segmenter: Segmenter
) -> tuple[SegmentationScore, ...]:
    """Score what a segmenter finds on a page, for each grain of which the page has blocks."""
    found = find_areas(case, segmenter)
    areas = WholePage().segment(case.snapshot) if found.problem else found.areas
    holding = sum(1 for area in areas if area.nodes)
    tree = case.page.tree
    return tuple(
        SegmentationScore(
            method=method,
            page=case.name,
            grain=grain,
            agreement=compare(tree, case.snapshot, areas, blocks),
            areas=holding,
            seconds=found.seconds,
            problem=found.problem,
        )
        for grain, blocks in zip(GRAINS, case.blocks, strict=True)
        if blocks
    )


@dataclass(frozen=True, slots=True)
class SegmentedPage:
    """The areas that a segmenter found on a page."""

    areas: tuple[Area, ...]
    seconds: float
    problem: str = ""


def find_areas(case: SegmentationCase, segmenter: Segmenter) -> SegmentedPage:
    """Find the areas of a page, and check that they can be kept as a stencil."""
    if case.problem:
        return SegmentedPage((), 0.0, case.problem)
    began = perf_counter()
    try:
        areas = segmenter.segment(case.snapshot.tagged(case.page))
        seconds = perf_counter() - began
        represent(case.page, case.snapshot, areas, repr(segmenter))
    except Exception as error:  # the one loop over pages: the evaluation goes on
        log.warning("failed page=%s by=%r", case.name, segmenter, exc_info=True)
        return SegmentedPage((), perf_counter() - began, f"{type(error).__name__}: {error}")
    nowhere = not any(area.nodes for area in areas)
    return SegmentedPage(areas, seconds, "no area has any node" if nowhere else "")


def best_settings(
    case: SegmentationCase, name: str, start: Segmenter
) -> tuple[SegmentationScore, ...]:
    """Score a page with its best value of one setting, by F over nodes, for each grain."""
    setting, values = SWEEPS[name]
    scores = defaultdict(list)
    for value in values:
        segmenter = make_segmenter(name, [f"{setting}={value}"], start=start)
        for score in judge(case, f"{name}, best {setting}", segmenter):
            scores[score.grain].append(score)
    return tuple(max(tried, key=lambda score: score.agreement.nodes.f) for tried in scores.values())


def by_hand(case: SegmentationCase) -> Iterator[SegmentationScore]:
    """Score the blocks against themselves: 1 everywhere, but it gives their number."""
    for grain, blocks in zip(GRAINS, case.blocks, strict=True):
        if blocks:
            same = compare(case.page.tree, case.snapshot, blocks, blocks)
            yield SegmentationScore("by hand", case.name, grain, same, len(blocks), 0.0)


def average(scores: Iterable[SegmentationScore]) -> tuple[SegmentationRow, ...]:
    """Average over pages, for each grain and method in their order."""
    groups: dict[tuple[str, str], list[SegmentationScore]] = {}
    for score in scores:
        groups.setdefault((score.grain, score.method), []).append(score)
    return tuple(
        row_of(groups[key]) for key in sorted(groups, key=lambda key: GRAINS.index(key[0]))
    )


def row_of(scores: Sequence[SegmentationScore]) -> SegmentationRow:
    """Average over the pages of one method and grain."""
    return SegmentationRow(
        method=scores[0].method,
        grain=scores[0].grain,
        pages=len(scores),
        failed=sum(1 for score in scores if score.problem),
        nodes=mean([score.agreement.nodes for score in scores]),
        characters=mean([score.agreement.characters for score in scores]),
        pixels=mean([score.agreement.pixels for score in scores]),
        areas=fmean(score.areas for score in scores),
        seconds=fmean(score.seconds for score in scores),
    )


def mean(scores: Sequence[AgreementScore]) -> Mean:
    """Average the scores of pages."""
    precision = fmean(score.precision for score in scores)
    recall = fmean(score.recall for score in scores)
    f = fmean(score.f for score in scores)
    return Mean(precision, recall, f, harmonic_mean(precision, recall))


def half(pages: Sequence[LabelledPage], which: str) -> list[LabelledPage]:
    """Return the pages on which settings are chosen (`tune`), the others (`check`), or `all`.

    Every other page is for choosing, except those whose two files are different pages.
    """
    tuning = [page for page in pages if not page.swapped][::2]
    if which == "all":
        return list(pages)
    names = {page.name for page in tuning}
    return [page for page in pages if (page.name in names) == (which == "tune")]


def score_pages(
    cases: Iterable[SegmentationCase], methods: Mapping[str, Segmenter], *, oracle: bool = False
) -> tuple[SegmentationScore, ...]:
    """Score methods and baselines on pages; with `oracle`, also the best setting of each page."""
    scores: list[SegmentationScore] = []
    for case in cases:
        for name, segmenter in {**methods, **BASELINES}.items():
            scores.extend(judge(case, name, segmenter))
            if oracle and name in SWEEPS:
                scores.extend(best_settings(case, name, segmenter))
        scores.extend(by_hand(case))
    return tuple(scores)


def held_scores(rows: Iterable[SegmentationRow]) -> dict[tuple[str, ...], float]:
    """Return the F of each segmenter that may not fall, by method, grain and measure."""
    return {
        (row.method, row.grain, measure): getattr(row, measure).f
        for row in rows
        if row.method not in BASELINES and row.method != "by hand"
        for measure in MEASURES
    }
