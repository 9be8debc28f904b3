"""What the blocks of links of a page are: menu, list, pagination, breadcrumb, content, other.

Where siblings were seen, what most of them repeat is a menu; a page alone is judged by the models
of `classify`. A list is navigation that is not repeated: related, latest, recommended.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from webstencil.markup import Node, selector, xpath
from webstencil.model import NO_PARENT, Item, Page
from webstencil.navigation import classify
from webstencil.navigation.features import FULL_NAMES, ROWS, Features, Row, common
from webstencil.navigation.links import Links, links_of
from webstencil.navigation.pagination import pagination_links
from webstencil.navigation.repetition import GREY, REPEATED, Siblings
from webstencil.navigation.spread import Spread
from webstencil.navigation.targets import Targets

RULE = Spread()
CRUMBS = "[class*='crumb' i], [id*='crumb' i], [aria-label*='crumb' i]"
EVEN = 0.5  # confidence of a verdict that could go either way
CRUMB_WORDS = (b"crumb", b"Crumb", b"CRUMB")
CRUMB_LEVELS = 4  # elements around a block whose names may call it a breadcrumb
WAY_LENGTH = 8  # links of a breadcrumb at most
SHORTEST_LIST = 2  # links
PROSE = 0.5  # share of text in links: with less, the links stand in running text
IN_LINKS = FULL_NAMES.index("share of text in links")
IN_PARAGRAPH = FULL_NAMES.index("in a paragraph")


NAMED_SO = 0.9  # confidence of a name
SURE = 0.93  # confidence of the pagination model: its precision on sites it has not seen


class Kind(StrEnum):
    """What a block of links is for."""

    MENU = "menu"  # the same links on the siblings
    LIST = "list"  # leads to other pages, but is this page's own
    PAGINATION = "pagination"
    BREADCRUMB = "breadcrumb"
    CONTENT = "content"  # links in running text
    OTHER = "other"  # single pictures, buttons, dates


GIVEN = frozenset({Kind.MENU, Kind.LIST, Kind.PAGINATION, Kind.BREADCRUMB})


@dataclass(frozen=True, slots=True)
class Link:
    """A link as a person sees it."""

    label: str
    target: str  # as `targets.Targets` names it
    href: str  # as written


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a block is, how sure that is, and on what grounds."""

    kind: Kind
    confidence: float  # 0..1
    how: str


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The links of a page in blocks, and where they lead."""

    page: Page
    links: Links
    targets: list[str]  # the same for the same target on all pages of the site
    blocks: tuple[range, ...]


@dataclass(frozen=True, slots=True)
class NavigationBlock:
    """A block of links and what it is."""

    block: range  # numbers of its links
    kind: Kind
    confidence: float  # 0..1
    how: str

    def links(self, known: PageLinks) -> tuple[Link, ...]:
        """Return its links, of the page it was found on."""
        part = slice(self.block.start, self.block.stop)
        links = known.links
        return tuple(map(Link, links.texts[part], known.targets[part], links.hrefs[part]))


MENU_FOR_SURE = Verdict(Kind.MENU, 1.0, "repeated on siblings")


def page_links(page: Page, rule: Spread = RULE) -> PageLinks:
    """Read the links of a page and put them into blocks."""
    links = links_of(page)
    names = Targets(page.url, page.base_url)
    return PageLinks(page, links, [names.name(href) for href in links.hrefs], rule.blocks_of(links))


def navigation(
    known: PageLinks,
    siblings: Siblings | None = None,
    template: str = "",
    *,
    counted: bool = False,
    features: Features = "full",
) -> tuple[NavigationBlock, ...]:
    """Tell what the blocks of links of a page are.

    `siblings` are the counts of its site, `counted` tells whether the page is among them.
    `features="paper"` judges by the model of the paper what siblings do not decide.
    """
    shares = shares_of(known, siblings, template, counted=counted)
    verdicts = {block: MENU_FOR_SURE for block, share in shares.items() if share >= GREY[1]}
    paged = pagination_links(known.page, known.links, verdicts)
    crumbs = breadcrumbs(known.page)
    open_ones = []
    for whole in known.blocks:
        for block in split(whole, paged) if whole not in verdicts else ():
            verdict = by_form(known, block, paged, crumbs) or by_siblings(shares.get(whole))
            if verdict is None:
                open_ones.append(block)
            else:
                verdicts[block] = verdict
    if not shares or features == "paper":
        rows = ROWS[features](known.page, known.links, open_ones)
        judge = by_paper if features == "paper" else by_models
        verdicts |= {block: judge(row) for block, row in zip(open_ones, rows, strict=True)}
    else:
        elements = list(known.page.markup.outline().numbers)
        verdicts |= {block: by_text(known.links, block, elements) for block in open_ones}
    return tuple(
        NavigationBlock(block, verdict.kind, verdict.confidence, verdict.how)
        for block, verdict in sorted(verdicts.items(), key=lambda known: known[0].start)
    )


def shares_of(
    known: PageLinks, siblings: Siblings | None, template: str, *, counted: bool
) -> dict[range, float]:
    """Return the share of the siblings that have each block; nothing if there are too few."""
    found: dict[range, float] = {}
    if siblings is not None:
        for block in known.blocks:
            own = known.targets[block.start : block.stop]
            share = siblings.share(template, own, counted=counted)
            if share is None:
                return {}
            found[block] = share
    return found


def split(block: range, paged: frozenset[int]) -> list[range]:
    """Part pagination from what it stands close to."""
    if paged.isdisjoint(block):
        return [block]
    begins = [n for n in block if n == block.start or (n in paged) != (n - 1 in paged)]
    return [range(*ends) for ends in pairwise([*begins, block.stop])]


def by_form(
    known: PageLinks, block: range, paged: frozenset[int], crumbs: frozenset[int]
) -> Verdict | None:
    """Recognise what has a form of its own: pagination, breadcrumbs."""
    if block.start in paged:  # and so are all links of it
        return Verdict(Kind.PAGINATION, SURE, "pagination model")
    if crumbs and len(block) <= WAY_LENGTH and is_inside(known.links, block, crumbs):
        return Verdict(Kind.BREADCRUMB, NAMED_SO, "named so")
    return None


def breadcrumbs(page: Page) -> frozenset[int]:
    """Return the elements that names or labels call breadcrumbs."""
    if not any(word in page.body for word in CRUMB_WORDS):  # a third of the price of asking
        return frozenset()
    numbers = page.markup.outline().numbers
    return frozenset(numbers[node] for node in page.markup.select(CRUMBS))


def is_inside(links: Links, block: range, elements: frozenset[int]) -> bool:
    """Tell whether one of some elements is near around a block."""
    element = common(links.places[block.start], links.places[block.stop - 1], links.parents)
    for _ in range(CRUMB_LEVELS):
        if element == NO_PARENT:
            return False
        if element in elements:
            return True
        element = links.parents[element]
    return False


def by_siblings(share: float | None) -> Verdict | None:
    """Call a menu what most of the siblings have, too."""
    if share is None or share < REPEATED:
        return None
    return Verdict(Kind.MENU, share, "repeated on some siblings")


def by_text(links: Links, block: range, elements: Sequence[Node]) -> Verdict:
    """Judge a block that siblings do not repeat by the text around its links: a glance."""
    first, last = links.places[block.start], links.places[block.stop - 1]
    around = common(first, last, links.parents)
    if first == last:
        around = max(links.parents[first], 0)
    linked = sum(map(len, links.texts[block.start : block.stop]))
    share = linked / max(1, linked, len(" ".join(elements[around].text.split())))
    if share < PROSE:
        return Verdict(Kind.CONTENT, 1.0 - share, "in running text")
    if len(block) >= SHORTEST_LIST:
        return Verdict(Kind.LIST, share, "not repeated on siblings")
    return Verdict(Kind.OTHER, EVEN, "not repeated on siblings")


def by_models(row: Row) -> Verdict:
    """Judge a block of a page without siblings."""
    if row[IN_LINKS] < PROSE and row[IN_PARAGRAPH]:
        return Verdict(Kind.CONTENT, 1.0 - row[IN_LINKS], "in running text")
    menu = classify.shipped("menu").score(row)
    if menu > 0:
        return Verdict(Kind.MENU, classify.chance(menu), "menu model")
    leading = classify.shipped("navigation").score(row)
    if row[IN_LINKS] < PROSE:
        return Verdict(Kind.CONTENT, EVEN, "in running text")
    if leading > 0:
        return Verdict(Kind.LIST, EVEN + leading, "navigation model")
    return Verdict(Kind.OTHER, EVEN - leading, "navigation model")


def by_paper(row: Row) -> Verdict:
    """Judge by the three features of the paper, which do not tell menus from lists."""
    score = classify.shipped("paper").score(row)
    kind = Kind.LIST if score > 0 else Kind.OTHER
    return Verdict(kind, classify.chance(abs(score)), "the paper's features")


def items(known: PageLinks, blocks: Sequence[NavigationBlock]) -> tuple[Item, ...]:
    """Write blocks as items of their page, links in running text left out."""
    elements = list(known.page.markup.outline().numbers)
    found = []
    for block in blocks:
        if block.kind in GIVEN:
            places, links = known.links.places, block.links(known)
            first, last = places[block.block.start], places[block.block.stop - 1]
            node = elements[common(first, last, known.links.parents)]
            found.append(
                Item(
                    kind=block.kind,
                    text="\n".join(link.label for link in links),
                    selector=selector(node),
                    xpath=xpath(node),
                    confidence=block.confidence,
                    how=f"links: {block.how}",
                    fields=tuple((link.label, link.href) for link in links),
                )
            )
    return tuple(found)
