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
from webstencil.evaluate.hand_marked import (
    GRAINS,
    Agreement,
    LabelledPage,
    compare_areas,
    marked_areas,
)
from webstencil.evaluate.scores import AgreementScore, harmonic_mean
from webstencil.model import ROOT, Area, BoxKind, Page, Snapshot
from webstencil.protocols import Renderer, Segmenter
from webstencil.segment import make_segmenter
from webstencil.site.represent import represent
from webstencil.testing import StackRenderer

# Baselines for segmenters: the whole page, and each leaf of it.


@dataclass(frozen=True, slots=True)
class WholePage:
    """Returns the page as one area."""

    def segment(self, snapshot: Snapshot) -> tuple[Area, ...]:
        """Return the page."""
        return (Area(snapshot.rect, (ROOT,)),)


@dataclass(frozen=True, slots=True)
class EachLeaf:
    """Returns each visible text and image as an area."""

    def segment(self, snapshot: Snapshot) -> tuple[Area, ...]:
        """Return an area for each of them."""
        return tuple(
            Area(box.clip, (box.node,))
            for box in snapshot.boxes
            if box.visible and box.kind is not BoxKind.ELEMENT
        )


log = logging.getLogger(__name__)

BASELINES: dict[str, Segmenter] = {"whole page": WholePage(), "each leaf": EachLeaf()}
MEASURES = ("nodes", "characters", "pixels")
SEGMENTATION_STEPS = 100  # a floor is F, rounded down to 1/100: fonts and browsers differ a little
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
class MeanAgreement:
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
    nodes: MeanAgreement
    characters: MeanAgreement
    pixels: MeanAgreement
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
    blocks = tuple(marked_areas(labelled.labels, grain, tree, snapshot) for grain in GRAINS)
    return SegmentationCase(labelled.name, labelled.page, snapshot, blocks, problem)


def judge_page(
    case: SegmentationCase, method: str, segmenter: Segmenter
) -> tuple[SegmentationScore, ...]:
    """Score what a segmenter finds on a page, for each grain of which the page has blocks."""
    found = timed_areas(case, segmenter)
    areas = WholePage().segment(case.snapshot) if found.problem else found.areas
    holding = sum(1 for area in areas if area.nodes)
    tree = case.page.tree
    return tuple(
        SegmentationScore(
            method=method,
            page=case.name,
            grain=grain,
            agreement=compare_areas(tree, case.snapshot, areas, blocks),
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


def timed_areas(case: SegmentationCase, segmenter: Segmenter) -> SegmentedPage:
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
        for score in judge_page(case, f"{name}, best {setting}", segmenter):
            scores[score.grain].append(score)
    return tuple(max(tried, key=lambda score: score.agreement.nodes.f) for tried in scores.values())


def by_hand(case: SegmentationCase) -> Iterator[SegmentationScore]:
    """Score the blocks against themselves: 1 everywhere, but it gives their number."""
    for grain, blocks in zip(GRAINS, case.blocks, strict=True):
        if blocks:
            same = compare_areas(case.page.tree, case.snapshot, blocks, blocks)
            yield SegmentationScore("by hand", case.name, grain, same, len(blocks), 0.0)


def average_segmentation(scores: Iterable[SegmentationScore]) -> tuple[SegmentationRow, ...]:
    """Average over pages, for each grain and method in their order."""
    groups: dict[tuple[str, str], list[SegmentationScore]] = {}
    for score in scores:
        groups.setdefault((score.grain, score.method), []).append(score)
    return tuple(
        segmentation_row(groups[key])
        for key in sorted(groups, key=lambda key: GRAINS.index(key[0]))
    )


def segmentation_row(scores: Sequence[SegmentationScore]) -> SegmentationRow:
    """Average over the pages of one method and grain."""
    return SegmentationRow(
        method=scores[0].method,
        grain=scores[0].grain,
        pages=len(scores),
        failed=sum(1 for score in scores if score.problem),
        nodes=mean_agreement([score.agreement.nodes for score in scores]),
        characters=mean_agreement([score.agreement.characters for score in scores]),
        pixels=mean_agreement([score.agreement.pixels for score in scores]),
        areas=fmean(score.areas for score in scores),
        seconds=fmean(score.seconds for score in scores),
    )


def mean_agreement(scores: Sequence[AgreementScore]) -> MeanAgreement:
    """Average the scores of pages."""
    precision = fmean(score.precision for score in scores)
    recall = fmean(score.recall for score in scores)
    f = fmean(score.f for score in scores)
    return MeanAgreement(precision, recall, f, harmonic_mean(precision, recall))


def tuning_half(pages: Sequence[LabelledPage], which: str) -> list[LabelledPage]:
    """Return the pages on which settings are chosen (`tune`), the others (`check`), or `all`.

    Every other page is for choosing, except those whose two files are different pages.
    """
    tuning = [page for page in pages if not page.swapped][::2]
    if which == "all":
        return list(pages)
    names = {page.name for page in tuning}
    return [page for page in pages if (page.name in names) == (which == "tune")]


def score_segmenters(
    cases: Iterable[SegmentationCase], methods: Mapping[str, Segmenter], *, oracle: bool = False
) -> tuple[SegmentationScore, ...]:
    """Score methods and baselines on pages; with `oracle`, also the best setting of each page."""
    scores: list[SegmentationScore] = []
    for case in cases:
        for name, segmenter in {**methods, **BASELINES}.items():
            scores.extend(judge_page(case, name, segmenter))
            if oracle and name in SWEEPS:
                scores.extend(best_settings(case, name, segmenter))
        scores.extend(by_hand(case))
    return tuple(scores)


def held_segmentation(rows: Iterable[SegmentationRow]) -> dict[tuple[str, ...], float]:
    """Return the F of each segmenter that may not fall, by method, grain and measure."""
    return {
        (row.method, row.grain, measure): getattr(row, measure).f
        for row in rows
        if row.method not in BASELINES and row.method != "by hand"
        for measure in MEASURES
    }


# Scores of segmenters from the literature, on other pages: context, not a comparison.
#
# Extended B-cubed on Webis-WebSeg-20, 8,490 pages with 9.1 blocks each: Kiesel et al., "An
# Empirical Comparison of Web Page Segmentation Algorithms" (ECIR 2021), as reprinted in Table 2 of
# the WebSAM-Adapter paper. The whole-page baseline: Huynh et al., on 1,969 of these pages. There,
# nodes are all visible elements and texts that lie inside a drawn block.


SOURCE = "published, other pages: Webis-WebSeg-20 (ECIR 2021; whole page: Huynh et al., a subset)"


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """The published scores of a method."""

    method: str
    areas: float
    nodes: MeanAgreement
    characters: MeanAgreement
    pixels: MeanAgreement


PUBLISHED = (
    PublishedRow(
        "VIPS, PDoC 6",
        16.1,
        MeanAgreement(0.69, 0.71, 0.63, 0.70),
        MeanAgreement(0.77, 0.72, 0.67, 0.75),
        MeanAgreement(0.36, 0.67, 0.38, 0.47),
    ),
    PublishedRow(
        "Cormier et al.",
        15.3,
        MeanAgreement(0.53, 0.82, 0.52, 0.65),
        MeanAgreement(0.61, 0.84, 0.61, 0.71),
        MeanAgreement(0.39, 0.80, 0.36, 0.53),
    ),
    PublishedRow(
        "HEPS",
        36.1,
        MeanAgreement(0.63, 0.46, 0.43, 0.54),
        MeanAgreement(0.73, 0.51, 0.50, 0.60),
        MeanAgreement(0.36, 0.56, 0.33, 0.44),
    ),
    PublishedRow(
        "MMDetection",
        23.0,
        MeanAgreement(0.74, 0.51, 0.52, 0.61),
        MeanAgreement(0.79, 0.60, 0.61, 0.69),
        MeanAgreement(0.51, 0.57, 0.42, 0.54),
    ),
    PublishedRow(
        "whole page",
        1.0,
        MeanAgreement(0.32, 1.00, 0.45, 0.49),
        MeanAgreement(0.44, 1.00, 0.57, 0.61),
        MeanAgreement(0.15, 1.00, 0.23, 0.26),
    ),
)
