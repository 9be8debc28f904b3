"""What areas are to a reader: header, menu, headline, body, list, footer and others.

There is one rule per kind, a predicate over the facts about an area. The first rule that holds
gives the kind; an area that fits none has no kind. CPS paper, section 7, detects two of them: a
headline is an area whose font size is significantly above the page's average, a body is an area
significantly bigger than the mean one. Both are here, narrowed to tell a title from a price, and an
article from a gallery.

Thresholds with [K] were chosen on every other page of Kreuzer's labelled pages; those with [S] by
looking at VIPS areas of pages of ten sites.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum

from webstencil.area_kinds.facts import SECTIONS, Facts, Mark, area_facts
from webstencil.model import NO_PARENT, Area, Page, Snapshot

__all__ = ["AreaKind", "Facts", "Mark", "area_facts", "area_kind", "label_kinds"]


class AreaKind(StrEnum):
    """The kind of an area."""

    HEADER = "header"  # the band at the top: name, menu and search of the site
    FOOTER = "footer"  # the band at the bottom: imprint, copyright, links of the site
    MENU = "menu"  # short links through the site or the page
    BREADCRUMB = "breadcrumb"  # links from the start page to this one
    PAGINATION = "pagination"  # links to the other pages of a sequence
    HEADLINE = "headline"  # a title in letters that stand out
    BODY = "body"  # running text: an article or a part of it
    LIST = "list"  # similar links or items with links: teasers, results
    TABLE = "table"  # data in rows and columns with headings
    FORM = "form"  # fields to fill in, or a single search field
    IMAGE = "image"  # a picture, video or map, maybe with a caption
    COMMENTS = "comments"  # what readers wrote
    SIDEBAR = "sidebar"  # a narrow column beside the body
    NOTICE = "notice"  # a bar or window laid over the page: cookies, consent


BAND_KINDS = frozenset({AreaKind.HEADER, AreaKind.FOOTER})
PASSED_ON = {  # kinds that child areas inherit, and the mark of such a child
    AreaKind.COMMENTS: Mark.COMMENTS,
    AreaKind.FOOTER: Mark.FOOTER,
    AreaKind.HEADER: Mark.HEADER,
    AreaKind.NOTICE: Mark.NOTICE,
}
FRAME_MARKS = frozenset({Mark.ASIDE, Mark.COMMENTS, Mark.FOOTER, Mark.HEADER, Mark.NAVIGATION})
CONTENT_MARKS = frozenset({Mark.ARTICLE, Mark.MAIN})

WHOLE_PAGE_INK = 0.8  # share of the page's ink: an area with more and with child areas is the page
HALF_INK = 0.5  # share of an area's ink

# Heights and positions, in px; a window is 768 high, the top of the page is 0.
ONE_LINE_HEIGHT = 30.0  # one line
ROW_HEIGHT = 60.0  # two lines, or one with room around it
BREADCRUMB_START = 800.0  # a window; further down, links with signs between them belong to a footer
HEADER_START = 60.0  # with only a thin bar above it
HEADER_END = 400.0  # half a window [K: 299 at most]
FOOTER_END = 60.0  # above the end of the page [K]
FOOTER_HEIGHT = 500.0  # [K: 425 at most]
SIDEBAR_HEIGHT = 300.0  # less is a box beside the text
NARROWEST_IMAGE = 50.0  # width; less is an icon

# Shares of the page.
BAND = 0.5  # of its width: a header or footer [K]
SIDEBAR = 0.4  # of its width [K: 0.3 at most]
FOOTER_START = 0.5  # of its height [K]

# Shares of an area: of links in its characters, of images in its ink, of texts.
ONLY_LINKS = 0.8  # signs between links and a title remain [K]
MOSTLY_LINKS = 0.6  # dates and names stand beside the links of a list [K]
HALF_LINKS = 0.5  # of a footer [K]
SOME_LINKS = 0.35  # of running text: encyclopedias have a third [S]
FEW_LINKED = 0.1  # of a part of an article that may be short [S]
ONLY_IMAGES = 0.8  # with a caption [K]
HALF_IMAGES = 0.5  # of a menu or a pagination: arrows and symbols
ICONS = 0.2  # the rest is text
LOGO = 0.1  # of a header
MOSTLY_PROSE = 0.5  # of running text in characters
COUNTING = 0.6  # of numbers and steps in the texts of a pagination: a calendar has fewer
STEPPING = 0.8  # the same without numbers: "next" is a common word

# Numbers and lengths, in characters unless stated.
FEWEST_ITEMS = 3  # items or links: two alike may be chance
MANY_LINKS = 5  # links: a title with its author and date has fewer [S]
SEARCH_FIELDS = 2  # fields: text and button of the search in a menu
FORM_LINKS = 2  # links in a form: terms, help
IMAGES = 2  # images: more are a gallery
NOTICE = 1500  # more is an article about cookies
MENU_LABEL = 21.0  # of a menu's mean link [K: 21 at most]
NAVIGATION_LABEL = 30.0  # the same if the markup says navigation [S]
LONGEST_CAPTION = 200  # [K]
LONGEST_HEADLINE = 200  # three lines of a headline
FIELD_LABEL = 60  # beside a field: its name and a hint
RUNNING_TEXT = 200  # of running text: two sentences [K]

PRICED = 0.5  # share of letters below which a text with an amount is a price: "£9.50 Sale"

# Sizes, times the page's mean.
OUTSTANDING = 1.3  # font size of a headline: body text varies less [S]
TITLE_SIZE = 1.6  # largest font size of a headline above its author and date [S]
TITLE_MEAN = 1.1  # mean font size of the two together [S]
BODY_AREA = 0.5  # rectangle of a body outside of article and main; above, good ones are lost [K]

PAGE_NUMBER = re.compile(r"\W*(\d{1,4})\W*")
PAGE_STEP = re.compile(
    r"(?i)\W*(next|prev|previous|older|newer|first|last|weiter|zurück|suivante?|précédente?"
    r"|siguiente|anterior|successiva|precedente|volgende|vorige|далее|назад|下一页|上一页|次へ|前へ)"
    r"( (page|posts?|entries|articles|stories|comments))?\W*|\W*page:? \d+( (of|/) \d+)?\W*"
)
MONEY = re.compile(r"[$£€¥₹₽₩] ?\d|\d ?([$£€¥₹₽₩]|zł)")
ONLY_SIGNS = re.compile(r"\W+")
CRUMB_SEPARATOR = re.compile("[>\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}»→]|::|(^| )/( |$)")


def label_kinds(page: Page, snapshot: Snapshot, areas: tuple[Area, ...]) -> tuple[Area, ...]:
    """Return the areas with their kinds, None where unclear."""
    kinds: list[AreaKind | None] = []
    for area, found in zip(areas, area_facts(page, snapshot, areas), strict=True):
        around = kinds[area.parent] if area.parent != NO_PARENT else None
        kinds.append(area_kind(found, around))
    for area, kind in zip(areas, tuple(kinds), strict=True):
        if kind is AreaKind.BODY:
            open_bands(areas, kinds, area.parent)
    return tuple(
        replace(area, kind=None if kind is None else kind.value)
        for area, kind in zip(areas, kinds, strict=True)
    )


def open_bands(areas: tuple[Area, ...], kinds: list[AreaKind | None], area: int) -> None:
    """Remove the kind of bands around running text: the top of a page is not all header."""
    while area != NO_PARENT:
        if kinds[area] in BAND_KINDS:
            kinds[area] = None
        area = areas[area].parent


def area_kind(facts: Facts, around: AreaKind | None = None) -> AreaKind | None:
    """Return the kind of an area in one of the kind `around`.

    An area in a header, footer, comments or notice has a kind of its own or inherits it; there is
    no header in a header, and no footer in a footer.
    """
    if not facts.share or (facts.share >= WHOLE_PAGE_INK and facts.own < HALF_INK):
        return None
    for kind, holds in KIND_RULES:
        if holds(facts) and not (kind is around and kind in BAND_KINDS):
            return kind
    return around if around is not None and is_part(facts, around) else None


def is_part(facts: Facts, around: AreaKind) -> bool:
    """Return whether an area without a kind inherits that of its parent."""
    if PASSED_ON.get(around) in facts.marks:
        return True
    return around in BAND_KINDS and not facts.marks & (SECTIONS | {Mark.COMMENTS})


def is_notice(facts: Facts) -> bool:
    """Return whether it stays in the window and is named a dialog or cookie notice."""
    return {Mark.NOTICE, Mark.PINNED} <= facts.marks and facts.characters <= NOTICE


def is_pagination(facts: Facts) -> bool:
    """Return whether it says 1 2 3 or next, and is named so or is a row with little else."""
    if not facts.links or not facts.texts or facts.pictured > HALF_IMAGES:
        return False
    numbers = [int(found[1]) for found in map(PAGE_NUMBER.fullmatch, facts.texts) if found]
    steps = sum(1 for text in facts.texts if PAGE_STEP.fullmatch(text))
    signs = sum(1 for text in facts.texts if ONLY_SIGNS.fullmatch(text))
    told = (len(numbers) + steps + signs) / len(facts.texts)
    counts = any(map(consecutive, numbers, numbers[1:], numbers[2:]))
    if Mark.PAGINATION in facts.marks:
        return told > 0
    says = told >= COUNTING if counts else steps > 0 and told >= STEPPING
    return says and facts.rect.height <= ROW_HEIGHT


def consecutive(one: int, two: int, three: int) -> bool:
    return one + 1 == two and two + 1 == three


def is_breadcrumb(facts: Facts) -> bool:
    """Return whether it is named so, or is a line above the body with signs between links."""
    if not facts.links or not facts.texts:
        return False
    if Mark.BREADCRUMB in facts.marks:
        return True
    if facts.rect.height > ONE_LINE_HEIGHT or facts.rect.top > BREADCRUMB_START or facts.links < 2:
        return False
    signs = sum(1 for text in facts.texts if CRUMB_SEPARATOR.search(text))
    return facts.links - 1 <= signs <= facts.links


def is_footer(facts: Facts) -> bool:
    """Return whether it is a band at the bottom with links or a copyright notice."""
    if facts.rect.top < facts.page.top + FOOTER_START * facts.page.height:
        return False
    if Mark.FOOTER in facts.marks:
        return True
    if facts.marks & SECTIONS or facts.width < BAND or facts.rect.height > FOOTER_HEIGHT:
        return False
    links = facts.density >= HALF_LINKS and facts.prose < MOSTLY_PROSE
    return (facts.copyright or links) and facts.page.bottom - facts.rect.bottom <= FOOTER_END


def is_header(facts: Facts) -> bool:
    """Return whether it is a band at the top with more than a row of links, or the site's name."""
    if facts.rect.bottom > HEADER_END or facts.prose > MOSTLY_PROSE or is_row_of_links(facts):
        return False
    if Mark.HEADER in facts.marks:
        return True
    if facts.rect.top > HEADER_START or not facts.links:
        return False
    name = facts.size >= OUTSTANDING and facts.density >= ONLY_LINKS
    return name or (facts.width >= BAND and (facts.pictured >= LOGO or facts.fields > 0))


def is_row_of_links(facts: Facts) -> bool:
    """Return whether it is only links, side by side."""
    if facts.pictured > ICONS or facts.fields or facts.rect.height > ROW_HEIGHT:
        return False
    return facts.links >= FEWEST_ITEMS and facts.density >= ONLY_LINKS


def is_form(facts: Facts) -> bool:
    """Return whether it is fields with their names."""
    if not facts.fields or Mark.FORM not in facts.marks or facts.links > FORM_LINKS:
        return False
    return facts.images <= facts.fields and facts.characters <= FIELD_LABEL * (facts.fields + 1)


def is_comments(facts: Facts) -> bool:
    """Return whether it is named so and has text to read."""
    return Mark.COMMENTS in facts.marks and facts.running > 0


def is_table(facts: Facts) -> bool:
    """Return whether it is rows of a table with headings."""
    return Mark.TABLE in facts.marks and facts.items >= 2


def is_image(facts: Facts) -> bool:
    """Return whether it is one or two pictures, maybe with a caption."""
    if not (facts.leaf and 1 <= facts.images <= IMAGES and facts.rect.width >= NARROWEST_IMAGE):
        return False
    short = facts.characters <= LONGEST_CAPTION and facts.links <= IMAGES
    return short and facts.pictured >= ONLY_IMAGES


def is_headline(facts: Facts) -> bool:
    """Return whether it is a title in large letters, maybe with author and date."""
    if not facts.leaf or facts.marks & FRAME_MARKS or not 1 <= facts.characters <= LONGEST_HEADLINE:
        return False
    if (
        facts.links >= MANY_LINKS
        or facts.items >= FEWEST_ITEMS
        or facts.pictured > ICONS
        or facts.fields
    ):
        return False
    if is_price(facts):
        return False
    above = facts.largest >= TITLE_SIZE and facts.size >= TITLE_MEAN and not facts.running
    return above or facts.size >= OUTSTANDING


def is_price(facts: Facts) -> bool:
    """Return whether it is a price and little else."""
    words = " ".join(facts.texts)
    letters = sum(map(str.isalpha, words))
    return MONEY.search(words) is not None and letters < PRICED * len(words)


def is_menu(facts: Facts) -> bool:
    """Return whether it is short links, named navigation or in a row at the top."""
    if facts.links < FEWEST_ITEMS or facts.density < ONLY_LINKS:
        return False
    if facts.pictured > HALF_IMAGES or facts.fields > SEARCH_FIELDS:
        return False
    if Mark.NAVIGATION in facts.marks:
        return facts.label <= NAVIGATION_LABEL
    top = facts.rect.bottom <= HEADER_END and facts.rect.height <= ROW_HEIGHT
    return top and facts.label <= MENU_LABEL


def is_sidebar(facts: Facts) -> bool:
    """Return whether it is named so and narrow."""
    narrow = facts.width <= SIDEBAR and facts.rect.height >= SIDEBAR_HEIGHT
    return Mark.ASIDE in facts.marks and narrow


def _is_list(facts: Facts) -> bool:
    """Return whether it is items with links, or many links, with little running text."""
    if facts.links < FEWEST_ITEMS or facts.fields > 1 or facts.prose > MOSTLY_PROSE:
        return False
    if facts.rect.height <= ROW_HEIGHT and facts.density < ONLY_LINKS:
        return False  # a line with words between links, such as author and topics
    if facts.items >= FEWEST_ITEMS and facts.links >= facts.items:
        return True
    return facts.leaf and facts.links >= MANY_LINKS and facts.density >= MOSTLY_LINKS


def is_body(facts: Facts) -> bool:
    """Return whether it is running text outside of the page's frame."""
    if facts.marks & FRAME_MARKS or facts.prose < MOSTLY_PROSE or facts.density > SOME_LINKS:
        return False
    if facts.marks & CONTENT_MARKS:
        return facts.running >= RUNNING_TEXT or (facts.running > 0 and facts.density <= FEW_LINKED)
    return facts.leaf and facts.running >= RUNNING_TEXT and facts.bigger >= BODY_AREA


KIND_RULES: tuple[tuple[AreaKind, Callable[[Facts], bool]], ...] = (
    (AreaKind.NOTICE, is_notice),
    (AreaKind.PAGINATION, is_pagination),
    (AreaKind.BREADCRUMB, is_breadcrumb),
    (AreaKind.FOOTER, is_footer),
    (AreaKind.HEADER, is_header),
    (AreaKind.FORM, is_form),
    (AreaKind.COMMENTS, is_comments),
    (AreaKind.TABLE, is_table),
    (AreaKind.IMAGE, is_image),
    (AreaKind.HEADLINE, is_headline),
    (AreaKind.MENU, is_menu),
    (AreaKind.SIDEBAR, is_sidebar),
    (AreaKind.LIST, _is_list),
    (AreaKind.BODY, is_body),
)
