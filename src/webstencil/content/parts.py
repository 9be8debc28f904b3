"""What a page has besides text: lists of contents, tables of data, images; all its parts."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from urllib.parse import urlsplit

from webstencil.content.callouts import Callout, callouts
from webstencil.content.code_blocks import CodeBlock, code_blocks
from webstencil.content.footnotes import Footnotes, footnotes
from webstencil.content.formulas import Formula, formulas
from webstencil.content.runs import LIST_BLOCKS, TextRuns
from webstencil.markup import Element, Markup, Node, Text, attribute, closest, tag
from webstencil.markup.text_units import HEADING_LEVELS, TABLE_CELLS
from webstencil.model import Page
from webstencil.urls import join_url, written_link

# Lists of contents in the text: links to the pages below a page.
#
# The page of a chapter lists its sections (Sphinx: `toctree`), that of a department its offices.
# Such a list stands among other content, and is content of the page; a menu leads elsewhere, or
# stands beside the content. A list of links into the page itself says nothing that its headings do
# not say: hand-made gold mostly leaves it out, so it is judged by its score alone.

MAJORITY = 0.5  # of the text of a list is links; of the text around it is content
NEARLY_ALL = 0.9  # of the links lead below the page
FEWEST_CONTENTS_LINKS = 2  # links
TITLE_RUNS = 1  # runs around a list that may be its title
INDEX_NAMES = ("index", "default", "readme", "main")  # names of the page of a folder


def _with_contents(page: Page, runs: TextRuns, kept: set[int]) -> set[int]:
    """Add lists of contents that stand in the content."""
    found: set[int] = set()
    for block in _linked_lists(runs, kept):
        whole = _with_title(runs, block)
        around = runs.parents[whole]
        if around >= 0 and _is_in_content(runs, kept, whole, around) and _leads(page, runs, block):
            found.update(range(runs.starts[whole], runs.ends[whole]))
    return found


def _linked_lists(runs: TextRuns, kept: set[int]) -> Iterator[int]:
    """Yield the outermost lists of links that are not content yet."""
    end = 0
    for block, name in enumerate(runs.tags):
        if name not in LIST_BLOCKS or runs.starts[block] < end:
            continue
        held = range(runs.starts[block], runs.ends[block])
        end = held.stop
        sizes, links = runs.lengths[held.start : end], runs.links[held.start : end]
        if (
            len(held) >= FEWEST_CONTENTS_LINKS
            and sum(links) > MAJORITY * sum(sizes)
            and not kept.issuperset(held)
        ):
            yield block


def _with_title(runs: TextRuns, block: int) -> int:
    """Return the outermost block that has a list, and at most its title."""
    start, end = runs.starts[block], runs.ends[block]
    around = runs.parents[block]
    while around >= 0 and runs.ends[around] == end and start - runs.starts[around] <= TITLE_RUNS:
        block, around = around, runs.parents[around]
    return block


def _is_in_content(runs: TextRuns, kept: set[int], block: int, around: int) -> bool:
    """Return whether most of the text beside a block is content, before it or after it."""
    held = range(runs.starts[block], runs.ends[block])
    beside = [run for run in range(runs.starts[around], runs.ends[around]) if run not in held]
    own = sum([runs.lengths[run] for run in beside if run in kept])
    near = held.start - 1 in kept or held.stop in kept
    return near and own > MAJORITY * sum([runs.lengths[run] for run in beside])


def _leads(page: Page, runs: TextRuns, block: int) -> bool:
    """Return whether the links of a list lead to pages below this one; numbers of pages do not."""
    below, here = below_of(page.base_url), _bare(page.base_url)
    links = runs.elements[block].select("a[href]")
    if not below or len(links) < FEWEST_CONTENTS_LINKS:
        return False
    count = 0
    for link in links:
        address = _bare(join_url(page.base_url, attribute(link, "href")) or "")
        named = any(map(str.isalpha, link.text))
        count += named and address.startswith(below) and address != here
    return count >= NEARLY_ALL * len(links)


def below_of(url: str) -> str:
    """Return how the addresses of pages below a page begin, empty if all of the site's do."""
    folder, _, name = _bare(url).rpartition("/")
    stem = name.rpartition(".")[0] or name
    below = f"{folder}/" if stem.lower() in ("", *INDEX_NAMES) else f"{folder}/{stem}"
    return below if urlsplit(below).path.strip("/") else ""


def _bare(url: str) -> str:
    """Return an address without what follows its path."""
    return url.partition("#")[0].partition("?")[0]


# Tables of data, told from those that arrange a page, and what is a table without its tags.

TABLE_PARTS = frozenset(["table", "thead", "tbody", "tfoot", "tr"])
TABLE_TAGS = TABLE_CELLS | TABLE_PARTS | {"caption"}
FEWEST_CELLS = 4  # two rows of two; a note in a manual has three: a sign, a title, a text
NO_DATA = "table, h1, h2, h3, h4, h5, h6"  # not in tables of data
NO_CELL = "h1, :is(td, th) :is(p, div, ul, ol, dl, form, table)"  # in tables with such headings
HEAD_CELLS = ":scope > thead > tr > th"  # of a table of data, whatever is in its cells
FEWEST_ROWS = 2  # with the head
LAYOUT_NAMES = re.compile(r"(?i)ltx_eqn_table|ltx_equation|\bequation\b")
GRID_ROLES = {"table": "table", "grid": "table", "row": "tr", "cell": "td", "gridcell": "td"}
GRID_ROLES |= {"columnheader": "th", "rowheader": "th"}
GRID_CLASSES = {"ltx_tabular": "table", "ltx_tr": "tr", "ltx_td": "td", "ltx_th": "th"}
GRIDS = "[role='table'], [role='grid'], .ltx_tabular"
GRID_ROWS = "[role='row'] > [role] ~ [role], .ltx_tr > [class*='ltx_t'] ~ [class*='ltx_t']"
GRID_NAMES = re.compile(r"@(?:table|grid)\b|\bltx_")  # of blocks on pages that have such tables


def table_around(node: Node) -> Node | None:
    """Return the table at or around a node, also one without a table's tags."""
    return closest(node, f"table, {GRIDS}") if grid_part(node) else closest(node, "table")


def holds_no_data(table: Node) -> bool:
    """Return whether a table is layout: without a head, with parts of pages or few cells in it."""
    if attribute(table, "role") in ("presentation", "none"):
        return True
    if tag(table) != "table":
        return table.select_one(GRID_ROWS) is None
    if LAYOUT_NAMES.search(attribute(table, "class")):
        return True
    few = len(table.select("tr")) < FEWEST_ROWS
    if _has_head(table) and not few and table.select_one("h1, nav, form") is None:
        return False  # neither so few rows nor such headings, that it is the frame of a page
    if not all(map(titles_rows, table.select(NO_DATA))):
        return True
    if table.select_one("td ~ td, td ~ th, th ~ td, th ~ th") is None:
        return True
    return len(table.select("td, th")) < FEWEST_CELLS and not _is_headed(table)


def titles_rows(node: Node) -> bool:
    """Return whether a node is a heading that is alone in its row, above rows of plain cells."""
    cell, table = closest(node, "td, th"), closest(node, "table")
    if tag(node) not in HEADING_LEVELS or cell is None or table is None or cell.parent is None:
        return False
    alone = [tag(one) for one in cell.parent.children if tag(one) in TABLE_CELLS]
    wide = attribute(cell, "colspan") not in ("", "1")
    return len(alone) == 1 and wide and table.select_one(NO_CELL) is None


def _has_head(table: Node) -> bool:
    """Return whether the first row of a table has several headings and nothing else."""
    if table.select_one(HEAD_CELLS) is not None:
        return True
    row = table.select_one("tr")
    cells = [tag(one) for one in row.children if tag(one) in TABLE_CELLS] if row is not None else []
    return len(cells) > 1 and set(cells) == {"th"}


def _is_headed(table: Node) -> bool:
    """Return whether a small table has headings, and two cells or more in each row."""
    if table.select_one("th, caption") is None:
        return False
    rows = [[tag(cell) in TABLE_CELLS for cell in row.children] for row in table.select("tr")]
    return all(sum(cells) > 1 for cells in rows)


def grid_part(node: Node | None) -> str:
    """Return what an element is in a table that has no table's tags, empty if it is none."""
    if node is None or tag(node) in TABLE_TAGS:
        return ""
    role = GRID_ROLES.get(attribute(node, "role"), "")
    if role:
        return role if closest(node, GRIDS) is not None else ""
    if tag(node) != "span":
        return ""
    names = attribute(node, "class").split()
    return next((GRID_CLASSES[name] for name in names if name in GRID_CLASSES), "")


CODE_TITLES = ".code-block-caption"  # of the code right below, as Sphinx writes them


@dataclass(frozen=True)  # without slots, for `cached_property`
class PageParts:
    """The parts of a page that are written as a whole, by their elements; each found once."""

    page: Page
    runs: TextRuns

    @cached_property
    def formulas(self) -> dict[Node, Formula]:
        return formulas(self.page)

    @cached_property
    def code(self) -> dict[Node, CodeBlock]:
        return code_blocks(self.page, self.runs)

    @cached_property
    def callouts(self) -> dict[Node, Callout]:
        return callouts(self.page, self.runs)

    @cached_property
    def notes(self) -> Footnotes:
        return footnotes(self.page.markup)

    @cached_property
    def owners(self) -> dict[Node, int]:
        """Return the run of each text."""
        runs = self.runs
        ends = [*runs.firsts[1:], len(runs.pieces)]
        sizes = zip(runs.firsts, ends, strict=False)
        numbers = [run for run, (first, end) in enumerate(sizes) for _ in range(first, end)]
        return dict(zip(runs.pieces, numbers, strict=True))

    def runs_in(self, *nodes: Node) -> set[int]:
        """Return the runs with text in some elements."""
        return {self.owners[text] for text in texts_in(nodes) if text in self.owners}


def texts_in(nodes: Iterable[Node]) -> list[Text]:
    """List the texts in some elements."""
    return [text for node in nodes for text in node.descendants if isinstance(text, Text)]


def with_parts(parts: PageParts, chosen: tuple[int, ...]) -> tuple[int, ...]:
    """Add the rest of code blocks, callouts and tables in the content, and its footnotes."""
    markup = parts.page.markup
    kept = set(chosen)
    kept |= _with_contents(parts.page, parts.runs, kept)
    blocks = [*parts.code, *parts.callouts, *_data_tables(markup)]
    if kept and (blocks or parts.notes):
        wholes = [held for block in blocks if (held := parts.runs_in(block))]
        for held in (*wholes, *wholes):  # twice, as one may be between two others
            if not kept.isdisjoint(held) or {min(held) - 1, max(held) + 1} <= kept:
                kept.update(held)
        for title in [parts.runs_in(one) for one in markup.select(CODE_TITLES)]:
            kept.update(title if title and max(title) + 1 in kept else ())
        notes = parts.notes.references.items()
        needed = [note for mark, note in notes if not kept.isdisjoint(parts.runs_in(mark))]
        for note in dict.fromkeys(needed):
            kept.update(parts.runs_in(*note.nodes))
    return tuple(sorted(kept))


def with_captions(parts: PageParts, chosen: tuple[int, ...]) -> tuple[int, ...]:
    """Add the captions of figures inside the content, which are nothing without the image."""
    kept = set(chosen)
    for caption in parts.page.markup.named("figcaption") if chosen else ():
        held = parts.runs_in(caption)
        if held and min(held) - 1 in kept and max(held) < max(kept):
            kept.update(held)
    return tuple(sorted(kept))


def _data_tables(markup: Markup) -> list[Node]:
    """List the tables of a page that are not layout, and have nothing but text in their cells.

    Headings of their own, each in a row of its own, are no part of the page around them.
    """
    return [
        table
        for table in markup.named("table")
        if not holds_no_data(table) and all(map(titles_rows, table.select(NO_DATA)))
    ]


# The address of an image, also of one that a script loads when it comes into view.

LAZY = (
    *("data-src", "data-original", "data-lazy-src", "data-lazy", "data-orig-file"),
    *("data-full-url", "data-original-src", "data-actualsrc", "data-url", "data-image"),
    *("data-lazyload", "data-img-url", "data-cfsrc", "data-ezsrc", "nitro-lazy-src"),
    "data-pagespeed-lazy-src",
)
LAZY_SETS = ("data-srcset", "data-lazy-srcset", "srcset")
PLACEHOLDER = re.compile(
    r"(?i)^data:|(?:^|[/_.-])(?:placeholder|blank|spacer|transparent|lazy(?:load)?|loading|pixel"
    r"|grey|gray|1x1|empty)(?:[_.-][^/]*)?\.(?:gif|png|svg|jpe?g|webp)"
)
BADGE = re.compile(r"(?i)avatar|user-?pic|reactions")  # signs of persons, and buttons
SMILEY = re.compile(r"(?i)emoji|emoticon|smil(?:ey|ie)s?(?![a-z])")
COPY_SIZE = re.compile(r"(\d+(?:\.\d+)?)([wx])$")
LARGEST_PICTURE = 2000  # px: a larger copy than this is not better
SMALLEST_IMAGE = 3  # px: a smaller image counts visitors


def image_html(node: Node, base: str) -> str:
    """Return an image as HTML, empty if it has no address or shows nothing."""
    if _is_counter(node):
        return ""
    if SMILEY.search(attribute(node, "class")):
        return escape(attribute(node, "alt"), quote=False)
    source = image_address(node)
    if not source:
        return ""
    alt = attribute(node, "alt") or attribute(node, "title")
    return f'<img src="{escape(written_link(base, source) or source)}" alt="{escape(alt)}">'


def image_address(node: Node) -> str:
    """Return the best address of an image, as written; empty if it has none."""
    own = attribute(node, "src").strip()
    lazy = [attribute(node, key).strip() for key in LAZY]
    for one in (*lazy, own, *_from_sets(node), *_from_noscript(node)):
        if one and not PLACEHOLDER.search(one) and not one.startswith(("{", "[")):
            return one
    return ""


def _from_sets(node: Node) -> Iterator[str]:
    """Yield the best address of each set of copies, of the image or of the `picture` around it."""
    for key in LAZY_SETS:
        yield largest(attribute(node, key))
    around = node.parent
    if around is not None and tag(around) == "picture":
        for source in around.select("source"):
            for key in LAZY_SETS:
                yield largest(attribute(source, key))


def _from_noscript(node: Node) -> Iterator[str]:
    """Yield the address of the copy for browsers without scripts, which follows the image."""
    following = next((one for one in node.next_siblings if isinstance(one, Element)), None)
    if following is not None and tag(following) == "noscript":
        for image in following.select("img"):
            yield attribute(image, "src").strip()


def largest(written: str) -> str:
    """Return the largest copy in a `srcset`, up to a size that is enough."""
    found: list[tuple[float, str]] = []
    for part in re.split(r",\s+|,(?=https?://|/)", written.strip()):
        words = part.split()
        if words:
            size = COPY_SIZE.fullmatch(words[-1]) if len(words) > 1 else None
            width = float(size[1]) * (1000 if size[2] == "x" else 1) if size else 0.0
            found.append((width if width <= LARGEST_PICTURE else LARGEST_PICTURE / width, words[0]))
    return max(found)[1].rstrip(",") if found else ""


def is_badge(node: Node) -> bool:
    """Return whether an image, or what is around it, is named as the sign of a person or a button.

    So are avatars and reactions in threads: without the name beside them they mean nothing.
    """
    return bool(BADGE.search(attribute(node, "class")) or BADGE.search(attribute(node, "id")))


def _is_counter(node: Node) -> bool:
    """Return whether an image is too small to show anything."""
    sizes = [attribute(node, key).removesuffix("px") for key in ("width", "height")]
    return any(size.isascii() and size.isdecimal() and int(size) < SMALLEST_IMAGE for size in sizes)
