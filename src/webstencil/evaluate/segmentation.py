"""Segmenters against hand-marked blocks: scores of pages, then averages.

A page on which a segmenter fails is scored as one whole area, and named: leaving it out would
reward a segmenter for failing on difficult pages.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean
from time import perf_counter
from typing import TypeAlias

from webstencil.errors import BrowserMissing, RenderError
from webstencil.evaluate.floors import Measured
from webstencil.evaluate.hand_marked import (
    FINEST,
    GRAINS,
    Agreement,
    LabelledPage,
    compare_areas,
    marked_areas,
    marked_corpus,
)
from webstencil.evaluate.scores import AgreementScore
from webstencil.evaluate.tables import (
    Evaluated,
    ScoreTable,
    grouped,
    joined_tables,
    mean_row,
    score_table,
)
from webstencil.model import ROOT, Area, BoxKind, Page, Snapshot
from webstencil.paper.stencils import represent
from webstencil.protocols import Renderer, Segmenter
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


BY_HAND = "by hand"

SEGMENTATION_STEPS = 100  # a floor is F, rounded down to 1/100: fonts and browsers differ a little


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


AlsoScored: TypeAlias = Callable[[SegmentationCase, str, Segmenter], Iterable[SegmentationScore]]


def nothing(case: SegmentationCase, name: str, segmenter: Segmenter) -> tuple[()]:
    """Score nothing else."""
    del case, name, segmenter
    return ()


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


def by_hand(case: SegmentationCase) -> Iterator[SegmentationScore]:
    """Score the blocks against themselves: 1 everywhere, but it gives their number."""
    for grain, blocks in zip(GRAINS, case.blocks, strict=True):
        if blocks:
            same = compare_areas(case.page.tree, case.snapshot, blocks, blocks)
            yield SegmentationScore(BY_HAND, case.name, grain, same, len(blocks), 0.0)


def average_segmentation(scores: Iterable[SegmentationScore]) -> tuple[SegmentationRow, ...]:
    """Average over pages, for each grain and method in their order."""
    groups = grouped(scores, "grain", "method")
    return tuple(
        SegmentationRow(
            method=method,
            grain=grain,
            pages=len(own),
            failed=sum(1 for score in own if score.problem),
            nodes=mean_agreement([score.agreement.nodes for score in own]),
            characters=mean_agreement([score.agreement.characters for score in own]),
            pixels=mean_agreement([score.agreement.pixels for score in own]),
            areas=fmean(score.areas for score in own),
            seconds=fmean(score.seconds for score in own),
        )
        for (grain, method), own in sorted(
            groups.items(), key=lambda pair: GRAINS.index(pair[0][0])
        )
    )


def mean_agreement(scores: Sequence[AgreementScore]) -> MeanAgreement:
    """Average the scores of pages."""
    mean = mean_row(scores)
    f = fmean(score.f for score in scores)
    return MeanAgreement(mean.precision, mean.recall, f, mean.f)


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
    cases: Iterable[SegmentationCase], methods: Mapping[str, Segmenter], also: AlsoScored = nothing
) -> tuple[SegmentationScore, ...]:
    """Score methods and baselines on pages; also variants of methods, page by page."""
    scores: list[SegmentationScore] = []
    for case in cases:
        for name, segmenter in {**methods, **BASELINES}.items():
            scores += [*judge_page(case, name, segmenter), *also(case, name, segmenter)]
        scores.extend(by_hand(case))
    return tuple(scores)


def held_segmentation(rows: Iterable[SegmentationRow]) -> dict[tuple[str, ...], float]:
    """Return the F of each segmenter that may not fall, by method, grain and measure."""
    return {
        (row.method, row.grain, measure): getattr(row, measure).f
        for row in rows
        if row.method not in BASELINES and row.method != BY_HAND
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


def published_row(line: str) -> PublishedRow:
    """Read a row: the method, its areas, and P, R, F and F* over nodes, characters and pixels."""
    method, areas, *scores = line.split("|")
    means = (MeanAgreement(*map(float, four.split())) for four in scores)
    return PublishedRow(method.strip(), float(areas), *means)


PUBLISHED_ROWS = tuple(
    map(
        published_row,
        (
            "VIPS, PDoC 6   | 16.1 | .69  .71 .63 .70 | .77  .72 .67 .75 | .36  .67 .38 .47",
            "Cormier et al. | 15.3 | .53  .82 .52 .65 | .61  .84 .61 .71 | .39  .80 .36 .53",
            "HEPS           | 36.1 | .63  .46 .43 .54 | .73  .51 .50 .60 | .36  .56 .33 .44",
            "MMDetection    | 23.0 | .74  .51 .52 .61 | .79  .60 .61 .69 | .51  .57 .42 .54",
            "whole page     |  1.0 | .32 1.00 .45 .49 | .44 1.00 .57 .61 | .15 1.00 .23 .26",
        ),
    )
)


# What is shown.


GRAIN_TITLES = {
    "1": "against the {blocks:.1f} blocks of level 1 a page",
    "2": "against the {blocks:.1f} blocks of level 2 a page",
    FINEST: "against the smallest block around each node ({blocks:.1f} a page)",
}


def score_columns(digits: int) -> tuple[str, ...]:
    """Return the columns of precision, recall, F and F* of each method."""
    short = {"nodes": "nodes", "characters": "chars", "pixels": "pixels"}
    sums = {"P": "precision", "R": "recall", "F": "f", "F*": "f_star"}
    return (
        "method",
        *(
            f"{short[name]} {sign}={name}.{figure}:.{digits}f"
            for name in MEASURES
            for sign, figure in sums.items()
        ),
        "areas:.1f",
    )


def segmentation_tables(rows: Sequence[SegmentationRow]) -> Iterator[ScoreTable]:
    """Show a table for each grain, then the published scores; these have two digits, no times."""
    blocks = {row.grain: row.areas for row in rows if row.method == BY_HAND}
    for grain, own in grouped((row for row in rows if row.method != BY_HAND), "grain").items():
        title = f"{own[0].pages} pages, {GRAIN_TITLES[grain].format(blocks=blocks[grain])}"
        yield score_table(title, (*score_columns(3), "s/page=seconds:.3f", "failed"), own)
    untold = score_table(SOURCE, score_columns(2), PUBLISHED_ROWS)
    yield replace(untold, columns=(*untold.columns, "s/page", "failed"))


def notes(pages: Sequence[LabelledPage], scores: Sequence[SegmentationScore]) -> Iterator[str]:
    """Tell the pages that failed or whose files differ."""
    for page in pages:
        if page.swapped:
            yield f"{page.name}: X.dom.html is another page; X.blocks.html is rendered instead"
        if page.lost:
            yield f"{page.name}: X.dom.html lacks the nodes of {page.lost} labels"
    failed = {(score.method, score.page): score.problem for score in scores if score.problem}
    for (method, name), problem in failed.items():
        yield f"{method} failed on {name}, which counts as one area: {problem}"


def evaluate_segmentation(
    pages: Sequence[LabelledPage],
    methods: Mapping[str, Segmenter],
    renderer: Renderer,
    left_out: Sequence[str] = (),
    also: AlsoScored = nothing,
) -> Evaluated:
    """Render pages and score segmenters on them."""
    cases = [render_case(page, renderer) for page in pages]
    scores = score_segmenters(cases, methods, also)
    rows, corpus = average_segmentation(scores), marked_corpus(pages)
    told = [
        {"name": page.name, "lost_labels": page.lost, "swapped": page.swapped} for page in pages
    ]
    values = {
        "corpus": corpus,
        "pages": told,
        "rows": [asdict(row) for row in rows],
        "scores": [asdict(score) for score in scores],
        "published": {"source": SOURCE, "rows": [asdict(row) for row in PUBLISHED_ROWS]},
    }
    tables = list(segmentation_tables(rows))
    grains = [grain for grain in GRAINS if any(row.grain == grain for row in rows)]
    return Evaluated(
        [*tables, *notes(pages, scores)],
        values,
        every_row=joined_tables("grain", *zip(grains, tables, strict=False)),
        measured=[Measured(corpus, held_segmentation(rows))],
        left_out=left_out,
    )
