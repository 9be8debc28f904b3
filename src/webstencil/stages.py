"""The stages of a page: rendering, areas, what they are, items. Nobody else composes them.

    render ► segment ► label          areas of its own
    extract                           items

Who takes a page through which of them are the two loops: `jobs/work.py` lays the areas of its site
over it, `paper/loop.py` is Algorithm 1 of the CPS paper. Both audit some of their hits.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta

from webstencil import markup, urls
from webstencil.area_kinds import label_kinds
from webstencil.content.extractor import MainContent, ModelOfSite, TypeVote, alone, no_siblings
from webstencil.errors import RenderError, SegmentError, SettingsError
from webstencil.items.headlines import kind_items, mark, marked_items
from webstencil.items.metadata import Metadata
from webstencil.items.posts import posts
from webstencil.items.products import product
from webstencil.items.rows import rows
from webstencil.model import (
    NO_PARENT,
    Area,
    BoxKind,
    Item,
    NodeId,
    Page,
    PageArea,
    PageResult,
    Problem,
    Snapshot,
    Status,
    Stencil,
    inherited,
)
from webstencil.navigation import page_items
from webstencil.protocols import Extractor, Renderer, Resources, Segmenter
from webstencil.report import StageClock
from webstencil.settings import Settings
from webstencil.site.lay import describe_own

log = logging.getLogger(__name__)

WITHOUT_ITEMS = frozenset({Status.SKIPPED, Status.REDIRECT})


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page as it was rendered, and its areas."""

    snapshot: Snapshot
    areas: tuple[Area, ...]


@dataclass(frozen=True, slots=True)
class Processed:
    """What came of a page."""

    result: PageResult
    learned: Stencil | None = None  # the stencil that was made of it
    why: str = ""  # it had to be learned


def segment_page(
    page: Page,
    resources: Resources,
    renderer: Renderer,
    segmenter: Segmenter,
    *,
    clock: StageClock | None = None,
    screenshot: bool = False,
) -> RenderedPage:
    """Render a page, find its areas and say what they are to a reader."""
    clock = clock or StageClock()
    clock.begin("render")
    snapshot = renderer.render(page, resources, screenshot=screenshot)
    return RenderedPage(snapshot, find_areas(page, snapshot, segmenter, clock=clock))


def find_areas(
    page: Page, snapshot: Snapshot, segmenter: Segmenter, *, clock: StageClock | None = None
) -> tuple[Area, ...]:
    """Find the areas of a rendered page and say what they are to a reader."""
    clock = clock or StageClock()
    clock.begin("segment")
    areas = segmenter.segment(snapshot.tagged(page))
    clock.begin("label")
    return labelled(page, snapshot, areas)


def labelled(page: Page, snapshot: Snapshot, areas: tuple[Area, ...]) -> tuple[Area, ...]:
    """Say what the areas of a rendered page are to a reader."""
    return mark(snapshot, label_kinds(page, snapshot, areas))


def check_order(areas: tuple[Area, ...]) -> None:
    """Check that parents come before their children."""
    for index, area in enumerate(areas):
        if not -1 <= area.parent < index:
            raise SegmentError(f"area {index} comes before its parent {area.parent}")


def check_mapping(page: Page, areas: tuple[Area, ...]) -> dict[NodeId, int]:
    """Check that nodes exist and that no node is in two areas (Definition 9: in no child of v).

    Return the area of each node that is in one.
    """
    ends = page.tree.ends()
    roots = sorted((node, index) for index, area in enumerate(areas) for node in area.nodes)
    owners: dict[NodeId, int] = {}
    for node, index in roots:
        if not 0 <= node < len(ends):
            raise SegmentError(f"area {index} names node {node}, the page has {len(ends)}")
        if node in owners:
            raise SegmentError(f"area {index} names node {node}, which area {owners[node]} holds")
        owners.update(dict.fromkeys(range(node, ends[node]), index))
    return owners


def described_areas(page: Page, rendered: RenderedPage) -> tuple[PageArea, ...]:
    """Describe the areas of a rendered page."""
    return describe_own(page, rendered.areas)


def extract_items(
    page: Page, areas: Sequence[PageArea], extractors: Sequence[Extractor]
) -> tuple[Item, ...]:
    """Return what some extractors find on a page."""
    found = [extractor.items(page, areas) for extractor in extractors]
    return tuple(item for items in found for item in items)


def with_items(extractors: Sequence[Extractor], page: Page, result: PageResult) -> PageResult:
    """Return a result with what some extractors find on its page."""
    if not extractors or result.status in WITHOUT_ITEMS:
        return result
    return replace(result, items=extract_items(page, result.areas, extractors))


def result_without_areas(url: str, status: Status, problem: Problem, site: str = "") -> PageResult:
    """Return the result of a page that has no areas, with the reason."""
    return PageResult(
        url=url,
        site=site or urls.site_of(url),
        status=status,
        stencil=None,
        confidence=0.0,
        problems=(problem,),
    )


def skip_rare(page: Page, wanted: int, pages_like: Callable[[Page], int]) -> PageResult | None:
    """Return the result of a page whose template has too few pages, None of any other."""
    if wanted <= 1 or (members := pages_like(page)) >= wanted:
        return None
    message = f"its template has {members} of the {wanted} pages that it must have"
    problem = Problem("match", "rare", message)
    return result_without_areas(page.url, Status.SKIPPED, problem, page.site)


# How well the areas of a hit agree with those of the page's own rendering.
#
# Both partition the visible text: a text belongs to the innermost area around it, a text in no area
# is a part of its own. B-cubed F over characters compares them (Bagga and Baldwin, 1998). Areas are
# read from the XPaths in results, so that all modes are measured alike.


GOOD = 0.85  # the least agreement for an audited page to stay a hit
OUTSIDE = NO_PARENT  # the area of texts in no area
BETWEEN = " | "  # separates the XPaths of an area's nodes


def near(
    page: Page, snapshot: Snapshot, found: Sequence[PageArea], own: Sequence[PageArea]
) -> float | None:
    """Return how well found areas agree with a page's own, 0..1; None without text."""
    texts = visible_texts(snapshot)
    if not texts:
        return None
    by_xpath = numbers(page)
    return agreement(texts, owners(page, found, by_xpath), owners(page, own, by_xpath))


def visible_texts(snapshot: Snapshot) -> dict[NodeId, int]:
    """Return the number of characters of each visible text."""
    return {
        box.node: len(box.text)
        for box in snapshot.boxes
        if box.visible and box.kind is BoxKind.TEXT and box.text
    }


def numbers(page: Page) -> dict[str, NodeId]:
    """Return the number of each node by its XPath."""
    nodes = page.markup.nodes(range(len(page.tree)))
    return {markup.xpath(node): number for number, node in enumerate(nodes)}


def owners(page: Page, areas: Iterable[PageArea], by_xpath: Mapping[str, NodeId]) -> list[int]:
    """Return the innermost area around each node, or `OUTSIDE`."""
    own = {
        by_xpath[xpath]: area.id
        for area in areas
        if area.nodes
        for xpath in area.xpath.split(BETWEEN)
    }
    tree = page.tree
    return inherited(tree.parents, map(own.get, range(len(tree))))


def agreement(texts: Mapping[NodeId, int], found: Sequence[int], own: Sequence[int]) -> float:
    """Return the B-cubed F of two partitions of the visible texts, over characters.

    Equal to `evaluate.bcubed.extended_bcubed`, which also takes areas that overlap.
    """
    pairs: Counter[tuple[int, int]] = Counter()
    for one, other, size in zip(
        parts(texts, found), parts(texts, own), texts.values(), strict=True
    ):
        pairs[one, other] += size
    ones: Counter[int] = Counter()
    others: Counter[int] = Counter()
    for (one, other), size in pairs.items():
        ones[one] += size
        others[other] += size
    precision = sum(size**2 / ones[one] for (one, _), size in pairs.items())
    recall = sum(size**2 / others[other] for (_, other), size in pairs.items())
    return 2 * precision * recall / ((precision + recall) * ones.total())


def parts(texts: Iterable[NodeId], owner: Sequence[int]) -> Iterator[int]:
    """Number the parts of a page's text in order of their first texts."""
    known: dict[tuple[int, int], int] = {}
    for text in texts:
        area = owner[text]
        yield known.setdefault((area, text if area == OUTSIDE else OUTSIDE), len(known))


@dataclass(slots=True)
class Auditor:
    """Renders one hit in so many, to see how far it is from the page's own areas."""

    renderer: Renderer
    settings: Settings
    clock: StageClock
    rendered: int = 0  # pages, for whatever reason
    agreements: list[float] = field(default_factory=list)

    def wants(self, url: str) -> bool:
        """Choose by the URL, so that a resumed job audits the same pages."""
        if not self.settings.audit:
            return False
        return int.from_bytes(urls.url_hash(url, 4)) % self.settings.audit == 0

    def segment(self, page: Page, resources: Resources) -> RenderedPage:
        """Render a page and find its areas."""
        self.rendered += 1
        segmenter = self.settings.segmenter
        return segment_page(page, resources, self.renderer, segmenter, clock=self.clock)

    def agreement(
        self, page: Page, resources: Resources, hit: PageResult
    ) -> tuple[float, RenderedPage] | None:
        """Return how well a hit agrees with the page's own areas, None if none can tell."""
        try:
            rendered = self.segment(page, resources)
        except RenderError as error:
            log.warning("not audited url=%s: %s", page.url, error)
            return None
        self.clock.begin("audit")
        own = described_areas(page, rendered)
        agreed = near(page, rendered.snapshot, hit.areas, own)
        if agreed is None:
            return None
        self.agreements.append(agreed)
        return agreed, rendered


# The extractors by name: what can be taken from the pages of a job besides their areas.


CONTENT = "content"
METADATA = "metadata"


@dataclass(frozen=True, slots=True)
class PageByPage:
    """An extractor that learns nothing."""

    take: Callable[[Page, Sequence[PageArea]], tuple[Item, ...]]

    def items(self, page: Page, areas: Sequence[PageArea] = ()) -> tuple[Item, ...]:
        """Return the pieces of a page."""
        return self.take(page, areas)


PAGE_BY_PAGE: dict[str, PageByPage] = {
    "headlines": PageByPage(lambda _, areas: kind_items(areas)),
    "sizes": PageByPage(lambda _, areas: marked_items(areas)),
    "rows": PageByPage(rows),
    "posts": PageByPage(lambda page, _: posts(page)),
    "product": PageByPage(lambda page, _: product(page)),
    "navigation": PageByPage(lambda page, _: page_items(page)),
}
EXTRACTORS = (CONTENT, METADATA, *PAGE_BY_PAGE)
WITH_WHOLE_SITE = frozenset({CONTENT, METADATA})  # what depends on all pages of a site


def make_extractors(
    names: Iterable[str], models: ModelOfSite = no_siblings, vote: TypeVote = alone
) -> tuple[Extractor, ...]:
    """Make the extractors of these names, each once; `models` tells what the pages of a site share.

    `Sites` does, for sites in a store. `vote` asks the pages of a template for their type.
    """
    return tuple(_make(name, models, vote) for name in dict.fromkeys(names))


def today() -> date:
    """Return the day before which all pages appeared, wherever they were."""
    return datetime.now(tz=UTC).date() + timedelta(days=1)


def _make(name: str, models: ModelOfSite, vote: TypeVote) -> Extractor:
    if name == CONTENT:
        return MainContent(models=models, vote=vote)
    if name == METADATA:
        return Metadata(models, today())
    if name not in PAGE_BY_PAGE:
        raise SettingsError(f"there is no extractor {name!r}; known are {', '.join(EXTRACTORS)}")
    return PAGE_BY_PAGE[name]
