"""What authors say their pages are made of: landmarks, as a gold over many pages of a site.

Authors mark their own segmentation: `header`, `nav`, `main`, `article`, `aside`, `footer`, ARIA
roles, and classes and ids with such names. Segmenters see none of that. A text belongs to the
innermost landmark around it; the *fine* gold adds what authors name as a piece, as `section`,
`figure`, cards, posts, comments.

The program may use such names and the measure may not, so pages are blinded first: landmarks become
`div`, roles are removed, and each class and id is replaced by a hash of itself. Pages of a site
still align, and the names mean nothing.
"""

import logging
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import blake2b
from statistics import fmean

from webstencil.errors import BrowserMissing, ParseError, RenderError
from webstencil.evaluate.scores import AgreementScore, laid_homes, partition_score, told_apart
from webstencil.evaluate.site_pages import SiteSample, sampled
from webstencil.evaluate.tables import (
    NO_FIGURE,
    Evaluated,
    ScoreTable,
    cells_of,
    mean_row,
    table_headings,
)
from webstencil.markup import attribute
from webstencil.markup.parse import parse
from webstencil.markup.source import rewritten
from webstencil.model import NO_PARENT, TEXT, NodeId, Page, RawPage, Tree, innermost_areas
from webstencil.protocols import Renderer, Segmenter, Source
from webstencil.site.areas import WitnessVotes, decide_areas, doubts_of
from webstencil.site.lay import SiteSpots
from webstencil.site.outline import OutlinedPage, outline
from webstencil.site.places import PageView, SitePlaces, lay_out
from webstencil.site.plan import FIRST_SHARE, budget_for, plan_renderings, second_plan
from webstencil.site.site_model import SiteModel
from webstencil.site.survey_report import views_to_plan
from webstencil.site.templates import SiteTemplates, find_templates
from webstencil.site.votes import Witness, voted
from webstencil.stages import visible_texts

ELEMENTS = frozenset({"header", "nav", "main", "article", "aside", "footer"})
PIECES = ELEMENTS | {"section", "form", "figure"}
LANDMARK_ROLES = frozenset(
    {"banner", "navigation", "main", "complementary", "contentinfo", "article", "search"}
)
# In a class: names that are found in longer ones, as in "navheader", and names that are words.
LANDMARK_PARTS = frozenset(
    {"header", "footer", "sidebar", "menu", "navigation", "navbar", "comments", "breadcrumb"}
)
LANDMARK_WORDS = frozenset({"nav", "main", "aside", "toc", "content", "article"})
FINE_PARTS = LANDMARK_PARTS | {
    *("widget", "card", "module", "panel", "comment", "teaser", "entry", "product", "related"),
    *("share", "author", "section"),
}
FINE_WORDS = LANDMARK_WORDS | {"block", "item", "post", "meta", "tags"}
NAMED_ELEMENTS = frozenset(  # elements whose names count; rows of tables have headers, too
    {"div", "ul", "ol", "dl", "table", "form", "section", "article", "aside", "nav", "main"}
    | {"header", "footer", "details", "fieldset", "center"}
)
PAGE_ELEMENTS = frozenset({TEXT, "html", "body"})  # they name the page
NAME_HASH_BYTES = 5
LETTERS_OF_DIGITS = str.maketrans("0123456789", "ghijklmnop")  # numbers in names count for nothing

_WORD_START = re.compile(r"[-_]+|(?<=[a-z])(?=[A-Z])")


def landmarks(page: Page, *, fine: bool = False) -> list[NodeId]:
    """Return the innermost landmark around each node of a page, NO_PARENT if there is none."""
    tree = page.tree
    elements = page.markup.nodes(range(len(tree)))
    found: list[NodeId] = []
    for node, (tag, parent) in enumerate(zip(tree.tags, tree.parents, strict=True)):
        above = found[parent] if parent != NO_PARENT else NO_PARENT
        is_one = tag not in PAGE_ELEMENTS and (
            tag in (PIECES if fine else ELEMENTS)
            or attribute(elements[node], "role").lower() in LANDMARK_ROLES
            or (
                (tag in NAMED_ELEMENTS or (fine and tag == "p"))
                and is_landmark_name(tree.classes[node], tree.ids[node], fine=fine)
            )
        )
        found.append(node if is_one else above)
    return found


@lru_cache(maxsize=1 << 16)
def is_landmark_name(classes: str, identifier: str, *, fine: bool) -> bool:
    """Return whether an element has the name of a landmark.

    >>> is_named("navheader", "", fine=False), is_named("", "domain", fine=False)
    (True, False)
    """
    parts, words = (FINE_PARTS, FINE_WORDS) if fine else (LANDMARK_PARTS, LANDMARK_WORDS)
    for token in classes.split():
        if any(part in token.lower() for part in parts) or _has_word(token, words):
            return True
    return any(_has_word(token, words | parts) for token in identifier.split())


def _has_word(token: str, words: frozenset[str]) -> bool:
    return any(word.lower() in words for word in _WORD_START.split(token))


def blinded(raw: RawPage, page: Page) -> RawPage:
    """Return a page without the names of its parts; its nodes have the same numbers."""
    body = rewritten(page.body, page.encoding, PIECES, hashed_name)
    return RawPage(raw.url, body, "utf-8", raw.origin, resources=raw.resources)


@lru_cache(maxsize=1 << 16)
def hashed_name(token: str) -> str:
    """Return a name that means nothing, the same for the same token."""
    name = blake2b(token.encode("utf-8", "replace"), digest_size=NAME_HASH_BYTES).hexdigest()
    return "x" + name.translate(LETTERS_OF_DIGITS)


# Areas of a site and of its pages against the landmarks that authors set.
#
# Every page of a sample is rendered and segmented: its own areas. Some of these pages, those of the
# plan, are the witnesses from which the areas of the site are decided and laid over all pages; so
# are all pages, for comparison. The program sees blinded pages only. B-cubed over
# the visible characters compares each with both golds, on pages with at least `FEWEST_LANDMARKS`.
# Two more plans, from disjoint halves of the sample, tell how much chance is in the areas.


log = logging.getLogger(__name__)

FEWEST_LANDMARKS = 3  # landmarks with text of a page that is scored


@dataclass(frozen=True, slots=True)
class LandmarkSettings:
    """What to measure."""

    segmenter: Segmenter
    sample: SiteSample = SiteSample()
    budget: int | None = None  # renderings of a plan; None for as many as a job has


@dataclass(frozen=True, slots=True)
class LandmarkPage:
    """A page of the sample: blinded, with its own areas and the golds."""

    witness: Witness
    sizes: dict[NodeId, int]  # visible characters of each text
    coarse: tuple[NodeId, ...]  # landmark of each of these texts
    fine: tuple[NodeId, ...]

    @property
    def url(self) -> str:
        """Return the URL of the page."""
        return self.witness.page.url

    @property
    def counts(self) -> bool:
        """Return whether the page has enough landmarks to be scored."""
        return len(set(self.coarse) - {NO_PARENT}) >= FEWEST_LANDMARKS


@dataclass(frozen=True, slots=True)
class LandmarkScore:
    """How the areas of a site's pages agree with landmarks, on average over pages."""

    coarse: AgreementScore
    coarse_f: float  # mean of the pages' F
    fine: AgreementScore
    fine_f: float
    areas: float  # a page


@dataclass(frozen=True, slots=True)
class LandmarkRow:
    """The scores of a site."""

    site: str
    pages: int
    scored: int
    rendered: int  # pages of the plan
    failed: int  # pages that could not be read, rendered or blinded
    own: LandmarkScore | None  # every page rendered alone
    planned: LandmarkScore | None  # the site's areas, by the plan
    full: LandmarkScore | None  # the site's areas, every page rendered
    fidelity: float | None  # F of planned against full, 0..1
    bad: float | None  # 0..1, share of pages below .8
    agreement: float | None  # F of two disjoint plans, 0..1


def measure_landmarks(
    name: str, source: Source, wanted: LandmarkSettings, renderer: Renderer
) -> LandmarkRow:
    """Measure a site."""
    raws = sampled(source, wanted.sample)
    pages = list(landmark_pages(raws, source, wanted.segmenter, renderer))
    model = SiteModel(OutlinedPage(one.url, outline(one.witness.page)) for one in pages)
    if not pages:
        return LandmarkRow(name, 0, 0, 0, len(raws), *[None] * 6)
    laid = lay_out(model)
    templates = find_templates(model, SiteTemplates()).numbers_of(model)
    by_url = {one.url: one for one in pages}
    budget = budget_for(len(raws), (), wanted.budget)
    views = views_to_plan(model, laid)
    votes = {one.url: one for one in voted(laid, [page.witness for page in pages])}
    plans = [
        planned_pages(laid, some, budget, templates, votes)
        for some in (views, *(views[half::2] for half in (0, 1)))
    ]
    found = [
        SiteSpots(decide_areas(laid, [votes[url] for url in urls])) for urls in (*plans, by_url)
    ]
    site, one, other, full = ([areas_on(page, spots) for page in pages] for spots in found)
    fidelities = agreements(pages, site, full)
    own = [own_areas(page) for page in pages]
    return LandmarkRow(
        site=name,
        pages=len(pages),
        scored=sum(page.counts for page in pages),
        rendered=len(plans[0]),
        failed=len(raws) - len(pages),
        own=scored_areas(pages, own),
        planned=scored_areas(pages, site),
        full=scored_areas(pages, full),
        fidelity=fmean(fidelities),
        bad=fmean(value < 0.8 for value in fidelities),
        agreement=fmean(agreements(pages, one, other)),
    )


def planned_pages(
    laid: SitePlaces,
    views: Sequence[PageView],
    budget: int,
    templates: Mapping[str, int],
    votes: Mapping[str, WitnessVotes],
) -> tuple[str, ...]:
    """Return the URLs of the pages to render, as a job plans them."""
    most = math.ceil(budget * FIRST_SHARE)
    first = [page.url for page in plan_renderings(views, budget=most, templates=templates).pages]
    doubts = doubts_of(laid, [votes[url] for url in first])
    more = second_plan(views, doubts, first, templates, most=budget - len(first))
    return (*first, *more)


def landmark_pages(
    raws: Iterable[RawPage], source: Source, segmenter: Segmenter, renderer: Renderer
) -> Iterator[LandmarkPage]:
    """Yield pages with text, rendered, segmented and blinded; the others are left out."""
    for raw in raws:
        try:
            page = parse(raw)
            snapshot = renderer.render(page, raw.resources or source)
            blind = parse(blinded(raw, page))
        except BrowserMissing:
            raise
        except (ParseError, RenderError) as error:
            log.info("left out url=%s: %s", raw.url, error)
            continue
        sizes = visible_texts(snapshot)
        if not sizes or not same_tree(page.tree, blind.tree):
            log.info("left out url=%s: no visible text, or another tree when blinded", raw.url)
            continue
        coarse, fine = landmarks(page), landmarks(page, fine=True)
        yield LandmarkPage(
            Witness(blind, segmenter.segment(snapshot.tagged(page))),
            sizes,
            tuple(coarse[text] for text in sizes),
            tuple(fine[text] for text in sizes),
        )


def same_tree(one: Tree, other: Tree) -> bool:
    """Return whether two trees have the same shape."""
    return one.parents == other.parents


def own_areas(page: LandmarkPage) -> list[int]:
    """Return the own area of each visible text."""
    tree = page.witness.page.tree
    homes = innermost_areas(page.witness.areas, range(len(tree)), tree.parents)
    return told_apart(page.sizes, homes)


def areas_on(page: LandmarkPage, spots: SiteSpots) -> list[int]:
    """Return the area of the site of each visible text."""
    return told_apart(page.sizes, laid_homes(page.witness.page, spots))


def scored_areas(pages: Sequence[LandmarkPage], found: Sequence[list[int]]) -> LandmarkScore | None:
    """Score the areas of pages against both golds; None if no page has landmarks."""
    counted = [(page, areas) for page, areas in zip(pages, found, strict=True) if page.counts]
    if not counted:
        return None
    coarse = [partition_score(page.sizes, areas, page.coarse) for page, areas in counted]
    fine = [partition_score(page.sizes, areas, page.fine) for page, areas in counted]
    return LandmarkScore(
        mean_row(coarse),
        fmean(score.f for score in coarse),
        mean_row(fine),
        fmean(score.f for score in fine),
        fmean(len(set(areas)) for _, areas in counted),
    )


def agreements(
    pages: Sequence[LandmarkPage], ones: Sequence[list[int]], others: Sequence[list[int]]
) -> list[float]:
    """Return the F of two sets of areas on each page."""
    return [
        partition_score(page.sizes, one, other).f
        for page, one, other in zip(pages, ones, others, strict=True)
    ]


# What is shown: three lines for each site, and for the mean.


SCORES = (
    *("P=coarse.precision:.3f", "R=coarse.recall:.3f", "F=coarse_f:.3f"),
    *("fine P=fine.precision:.3f", "fine R=fine.recall:.3f", "fine F=fine_f:.3f"),
    "areas/page=areas:.1f",
)
OF_PLAN = ("fidelity:.3f", "below .8=bad:.3f", "two plans=agreement:.3f")
OWN_AREAS = "own"
LANDMARK_LINES = {
    OWN_AREAS: "own",
    "site": "planned",
    "site, all rendered": "full",
}  # columns of a row
LOSS = 0.01  # of F; a smaller one is none


def show_landmarks(rows: Sequence[LandmarkRow]) -> Evaluated:
    """Show the sites, their mean, and which are worse than pages rendered alone."""
    start = ("site", "pages", "scored", "rendered", "areas")
    columns = (*start, *table_headings((*SCORES, *OF_PLAN)))
    lines = (*landmark_lines(rows), *means_of(rows))
    values = [asdict(row) for row in rows]
    return Evaluated([ScoreTable("", columns, lines), words_of_losses(rows)], values)


def landmark_lines(rows: Sequence[LandmarkRow]) -> Iterator[list[str]]:
    """Write three lines for each site."""
    for row in rows:
        start = [row.site, str(row.pages), str(row.scored)]
        for name, column in LANDMARK_LINES.items():
            planned = column == "planned"
            score = getattr(row, column)
            yield [
                *(start if name == OWN_AREAS else [""] * len(start)),
                str(row.rendered if planned else row.pages),
                name,
                *([NO_FIGURE] * len(SCORES) if score is None else cells_of(score, SCORES)),
                *(cells_of(row, OF_PLAN) if planned else [""] * len(OF_PLAN)),
            ]


def means_of(rows: Sequence[LandmarkRow]) -> Iterator[list[str]]:
    """Write the means over sites with landmarks."""
    counted = [row for row in rows if row.own and row.planned and row.full]
    if len(counted) < 2:
        return
    share = fmean(row.rendered / row.pages for row in rows if row.pages)
    mean = mean_row(rows)
    for name, column in LANDMARK_LINES.items():
        planned = column == "planned"
        score = mean_row([getattr(row, column) for row in counted])
        yield [
            *(f"mean of {len(counted)}", "", "", f"{share:.1%}" if planned else "100 %", name),
            *cells_of(score, SCORES),
            *(cells_of(mean, OF_PLAN) if planned else [""] * len(OF_PLAN)),
        ]


def words_of_losses(rows: Sequence[LandmarkRow]) -> str:
    """Name the sites whose areas are worse than those of pages rendered alone."""
    counted = [(row.site, row.own, row.planned) for row in rows if row.own and row.planned]
    coarse = [site for site, own, ours in counted if own.coarse_f - ours.coarse_f > LOSS]
    fine = [site for site, own, ours in counted if own.fine_f - ours.fine_f > LOSS]
    told = [
        f"{name}: {len(sites)} of {len(counted)}" + (f" ({', '.join(sites)})" if sites else "")
        for name, sites in (("F", coarse), ("fine F", fine))
    ]
    return f"below {OWN_AREAS} by more than {LOSS}: {'; '.join(told)}"
