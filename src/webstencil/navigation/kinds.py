"""Classify the blocks of links of a page: menu, list, pagination, breadcrumb, content, other.

If siblings were seen, a block that most of them repeat is a menu; a page alone is judged by the
models of `classify`. A list is navigation that is not repeated: related, latest, recommended.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import accumulate, chain, pairwise, repeat
from operator import sub
from typing import NamedTuple

from webstencil.markup import closest, length, line_end, parent, selector, xpath
from webstencil.model import Item, Page, quick
from webstencil.navigation import classify
from webstencil.navigation.classify import Row
from webstencil.navigation.features import FULL_NAMES, ROWS, Features
from webstencil.navigation.links import Links, PaperRule, Spread, page_hyperlinks
from webstencil.navigation.pagination import pagination_links
from webstencil.site.site_model import SiteModel
from webstencil.site.targets import hashes_of, name_targets
from webstencil.urls import join_url

# Menus by repetition: the links on most pages of a template.
#
# Which pages have a link is read off the model of the site, so that the answer depends on the set
# of its pages, and not on their order. Up to the bound of the model it is exact.


REPEATED_ON_SIBLINGS = 0.5  # share of the siblings: a block with more is a menu
GREY = (0.1, 0.9)  # share of the siblings; in between, it is not certain whether a block is a menu
FEWEST_SIBLINGS_ASKED = 3  # siblings that are needed for an answer
WHOLE_SITE = ""  # of all templates together; pages without one have all pages as siblings


@dataclass(frozen=True, slots=True)
class LinkCounts:
    """How many of some pages have each link."""

    pages: int
    links: Counter[int]  # by the hash of the target


@dataclass(frozen=True, eq=False)  # without slots, for `cached_property`
class SiblingLinks:
    """The links of the pages of a site, by template; the model must not change any more."""

    model: SiteModel
    templates: Mapping[str, str] = field(default_factory=dict)  # by URL

    def template_of(self, url: str) -> str:
        """Return the template of a page, WHOLE_SITE if it has none."""
        return self.templates.get(url, WHOLE_SITE)

    def shares(
        self, url: str, targets: Sequence[str], blocks: Sequence[range]
    ) -> list[float] | None:
        """Return the share of the siblings with each block of a page; None if there are too few.

        `targets` are those of all links of the page, as `name_targets` names them. A page of the
        model is not its own sibling. If a template has too few pages, those of the whole site are
        its siblings.
        """
        page = self.model.page(url)
        own = frozenset(page.outline.links) if page else frozenset()
        for name in (self.template_of(url), WHOLE_SITE):
            counts = self._counts.get(name)
            siblings = counts.pages - (page is not None) if counts else 0
            if counts is not None and siblings >= FEWEST_SIBLINGS_ASKED:
                links = hashes_of(targets)
                having = map(counts.links.get, links, repeat(0))
                others = map(sub, having, map(own.__contains__, links))
                before = list(accumulate(others, initial=0))
                return [
                    (before[block.stop] - before[block.start]) / (len(block) * siblings)
                    for block in blocks
                ]
        return None

    @cached_property
    def _counts(self) -> dict[str, LinkCounts]:
        """Count the pages with each link, by template, and those of the whole site."""
        pages: Counter[str] = Counter()
        links: dict[str, Counter[int]] = {WHOLE_SITE: Counter()}
        for page in self.model:
            distinct = frozenset(page.outline.links)
            for name in dict.fromkeys((self.template_of(page.url), WHOLE_SITE)):
                pages[name] += 1
                links.setdefault(name, Counter()).update(distinct)
        return {name: LinkCounts(pages[name], counted) for name, counted in links.items()}


DEFAULT_RULE = Spread()
CRUMBS = "[class*='crumb' i], [id*='crumb' i], [aria-label*='crumb' i]"
OPEN_CONFIDENCE = 0.5  # confidence of an open verdict
CRUMB_LEVELS = 4  # ancestors of a block whose names may call it a breadcrumb
WAY_LENGTH = 8  # most links of a breadcrumb
SHORTEST_LIST = 2  # links
LEAST_LINKED = 0.5  # share of text in links: with less, the links are in running text
ENOUGH_TEXT = 4  # times the text in links: more text around them is not counted
IN_LINKS = FULL_NAMES.index("share of text in links")
IN_PARAGRAPH = FULL_NAMES.index("in a paragraph")


NAMED_SO = 0.9  # confidence of a name
PAGINATION_PRECISION = 0.95  # confidence of the pagination model: its precision on unseen sites


class BlockKind(StrEnum):
    """The kind of a block of links."""

    MENU = "menu"  # the same links on the siblings
    LIST = "list"  # navigation that only this page has
    PAGINATION = "pagination"
    BREADCRUMB = "breadcrumb"
    CONTENT = "content"  # links in running text
    OTHER = "other"  # single pictures, buttons, dates


GIVEN = frozenset({BlockKind.MENU, BlockKind.LIST, BlockKind.PAGINATION, BlockKind.BREADCRUMB})


@dataclass(frozen=True, slots=True)
class SeenLink:
    """A link as a reader sees it."""

    label: str
    target: str  # as `name_targets` names it
    href: str  # as written


class BlockVerdict(NamedTuple):
    """The kind of a block, with confidence and method."""

    kind: BlockKind
    confidence: float  # 0..1
    how: str


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The links of a page in blocks, and their targets."""

    page: Page
    links: Links
    targets: list[str]  # equal for the same target on all pages of the site
    blocks: tuple[range, ...]


@quick
@dataclass(frozen=True, slots=True)
class NavigationBlock:
    """A block of links and its kind."""

    block: range  # numbers of its links
    kind: BlockKind
    confidence: float  # 0..1
    how: str

    def links(self, known: PageLinks) -> tuple[SeenLink, ...]:
        """Return its links; `known` is of its page."""
        part = slice(self.block.start, self.block.stop)
        links = known.links
        labels = map(links.text, self.block)
        return tuple(map(SeenLink, labels, known.targets[part], links.hrefs[part]))


MENU_FOR_SURE = BlockVerdict(BlockKind.MENU, 1.0, "repeated on siblings")
PAGINATION_BY_MODEL = BlockVerdict(BlockKind.PAGINATION, PAGINATION_PRECISION, "pagination model")
CRUMB = BlockVerdict(BlockKind.BREADCRUMB, NAMED_SO, "named so")
SINGLE = BlockVerdict(BlockKind.OTHER, OPEN_CONFIDENCE, "not repeated on siblings")


def page_links(page: Page, rule: Spread | PaperRule = DEFAULT_RULE) -> PageLinks:
    """Cluster the links of a page into blocks."""
    links = page_hyperlinks(page)
    if not links.nodes:
        return PageLinks(page, links, [], ())
    names = name_targets(page.url, page.base_url, links.hrefs)
    blocks = rule.blocks_of(links) if isinstance(rule, Spread) else rule.blocks(page)
    return PageLinks(page, links, names, blocks)


def navigation(
    known: PageLinks,
    siblings: SiblingLinks | None = None,
    *,
    features: Features = "full",
) -> tuple[NavigationBlock, ...]:
    """Classify the blocks of links of a page.

    `siblings` are the links of the pages of its site; the page may be one of them.
    `features="paper"` uses the model of the paper where siblings do not decide.
    """
    if not known.blocks:
        return ()
    told = siblings.shares(known.page.url, known.targets, known.blocks) if siblings else None
    return classified(known, told, features)


def classified(
    known: PageLinks, told: Sequence[float] | None, features: Features = "full"
) -> tuple[NavigationBlock, ...]:
    """Classify blocks of links, given the share of the siblings with each, if there are any."""
    shares = told or [0.0] * len(known.blocks)
    unsure = [block for block, share in zip(known.blocks, shares, strict=True) if share < GREY[1]]
    paged = pagination_links(known.page, known.links, list(chain.from_iterable(unsure)))
    blocks: list[range] = []
    verdicts: list[BlockVerdict | None] = []
    for whole, share in zip(known.blocks, shares, strict=True):
        if share >= GREY[1]:
            blocks.append(whole)
            verdicts.append(MENU_FOR_SURE)
            continue
        for block in _split(whole, paged):
            blocks.append(block)
            verdicts.append(_by_form(known.links, block, paged) or _by_siblings(share))
    asked = [block for block, verdict in zip(blocks, verdicts, strict=True) if verdict is None]
    judged = iter(_judged(known, asked, alone=not told, features=features))
    return tuple(
        [
            NavigationBlock(block, *(verdict or next(judged)))
            for block, verdict in zip(blocks, verdicts, strict=True)
        ]
    )


def menus(known: PageLinks, siblings: SiblingLinks) -> list[range]:
    """Return the blocks that `navigation` calls menus; those that siblings rule out are skipped."""
    shares = siblings.shares(known.page.url, known.targets, known.blocks)
    if shares is not None:
        pairs = zip(known.blocks, shares, strict=True)
        kept = [(block, share) for block, share in pairs if share >= REPEATED_ON_SIBLINGS]
        known = replace(known, blocks=tuple([block for block, _ in kept]))
        shares = [share for _, share in kept]
    told = classified(known, shares)
    return [block.block for block in told if block.kind is BlockKind.MENU]


def _split(block: range, paged: frozenset[int]) -> list[range]:
    """Separate pagination from adjacent links."""
    if not paged or paged.isdisjoint(block):
        return [block]
    begins = [n for n in block if n == block.start or (n in paged) != (n - 1 in paged)]
    return [range(*ends) for ends in pairwise([*begins, block.stop])]


def _by_form(links: Links, block: range, paged: frozenset[int]) -> BlockVerdict | None:
    """Recognise pagination and breadcrumbs."""
    if block.start in paged:  # and so are all its links
        return PAGINATION_BY_MODEL
    return CRUMB if len(block) <= WAY_LENGTH and is_called_crumbs(links, block) else None


def is_called_crumbs(links: Links, block: range) -> bool:
    """Return whether the nearest names around a block call it breadcrumbs."""
    element = links.around(block.start, block.stop - 1)
    named = closest(element, CRUMBS)
    return named is not None and named in line_end(element, CRUMB_LEVELS)


def _by_siblings(share: float | None) -> BlockVerdict | None:
    """Call a block a menu if most siblings have it."""
    if share is None or share < REPEATED_ON_SIBLINGS:
        return None
    return BlockVerdict(BlockKind.MENU, share, "repeated on some siblings")


def _judged(
    known: PageLinks, blocks: Sequence[range], *, alone: bool, features: Features
) -> list[BlockVerdict]:
    """Judge the blocks that neither their form nor siblings decide."""
    if alone or features == "paper":
        rows = ROWS[features](known.page, known.links, blocks)
        return list(map(_by_paper if features == "paper" else _by_models, rows))
    return [_by_text(known.links, block) for block in blocks]


def _by_text(links: Links, block: range) -> BlockVerdict:
    """Judge a block that siblings do not repeat, by the text around its links."""
    around = links.around(block.start, block.stop - 1)
    if len(block) == 1:
        around = parent(around) or around
    linked = sum(map(len, links.texts(block)))
    share = linked / max(1, linked, length(around, ENOUGH_TEXT * max(1, linked)))
    if share < LEAST_LINKED:
        return BlockVerdict(BlockKind.CONTENT, 1.0 - share, "in running text")
    if len(block) >= SHORTEST_LIST:
        return BlockVerdict(BlockKind.LIST, share, "not repeated on siblings")
    return SINGLE


def _by_models(row: Row) -> BlockVerdict:
    """Judge a block of a page without siblings."""
    if row[IN_LINKS] < LEAST_LINKED and row[IN_PARAGRAPH]:
        return BlockVerdict(BlockKind.CONTENT, 1.0 - row[IN_LINKS], "in running text")
    menu = classify.shipped("menu").score(row)
    if menu > 0:
        return BlockVerdict(BlockKind.MENU, classify.chance(menu), "menu model")
    if row[IN_LINKS] < LEAST_LINKED:
        return BlockVerdict(BlockKind.CONTENT, OPEN_CONFIDENCE, "in running text")
    leading = classify.shipped("navigation").score(row)
    if leading > 0:
        return BlockVerdict(BlockKind.LIST, OPEN_CONFIDENCE + leading, "navigation model")
    return BlockVerdict(BlockKind.OTHER, OPEN_CONFIDENCE - leading, "navigation model")


def _by_paper(row: Row) -> BlockVerdict:
    """Judge by the paper's features, which do not distinguish menus and lists."""
    score = classify.shipped("paper").score(row)
    kind = BlockKind.LIST if score > 0 else BlockKind.OTHER
    return BlockVerdict(kind, classify.chance(abs(score)), "the paper's features")


def items(known: PageLinks, blocks: Sequence[NavigationBlock]) -> tuple[Item, ...]:
    """Return blocks as items, without links in running text."""
    found, base = [], known.page.base_url
    for block in blocks:
        if block.kind in GIVEN:
            links = block.links(known)
            node = known.links.around(block.block.start, block.block.stop - 1)
            found.append(
                Item(
                    kind=block.kind,
                    text="\n".join(link.label for link in links),
                    selector=selector(node),
                    xpath=xpath(node),
                    confidence=block.confidence,
                    how=f"links: {block.how}",
                    fields=tuple(
                        (link.label, join_url(base, link.href) or link.href) for link in links
                    ),
                )
            )
    return tuple(found)


def page_items(page: Page) -> tuple[Item, ...]:
    """Return the menus, lists, pagination and breadcrumbs of a page alone."""
    known = page_links(page)
    return items(known, navigation(known))
