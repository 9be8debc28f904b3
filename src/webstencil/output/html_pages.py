"""Results as HTML to look through, without scripts, for narrow and for dark screens."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import islice

from webstencil.geometry import bounding
from webstencil.model import Item, PageArea, PageResult, Status
from webstencil.output.content import reason_of
from webstencil.output.html_slots import STYLE as SLOT_STYLE
from webstencil.output.html_slots import badge, slot_link
from webstencil.output.overlay import DrawnArea, box, page_outlines
from webstencil.site.templates import NO_TEMPLATE
from webstencil.urls import has_made_up_host

LIST = "index.html"  # of all pages
LONGEST = 2_000  # characters of a text to show
LISTED = 500  # pages of a template, or of a stencil, to list
FEW = 5  # more pages are folded up
LINE = 1.0  # px on the screen, whatever the size of the drawing
NUMBER_SIZE = 34  # px on the page, a third of that on most screens
DRAWN = 100  # groups of pages of a site whose stencils are drawn, those with most pages
STENCILS = 3  # of a template to draw

STYLE = """
:root{color-scheme:light dark;--ink:#222;--soft:#666;--paper:#fff;--back:#f4f4f2;--line:#ccc}
@media(prefers-color-scheme:dark){:root{--ink:#ddd;--soft:#999;--paper:#262625;--back:#1c1c1b;
--line:#444}a{color:#8ab4f8}a:visited{color:#c5a3ff}}
body{font:15px/1.5 sans-serif;margin:0 auto;max-width:1200px;padding:clamp(12px,3vw,32px);
color:var(--ink);background:var(--back);overflow-wrap:anywhere}
h1{font-size:24px;line-height:1.3}h2{font-size:19px;margin-top:2em}h3{font-size:16px;margin:0}
.soft{color:var(--soft)}code{font-size:13px}
.card{display:flex;flex-wrap:wrap;gap:20px;background:var(--paper);border:1px solid var(--line);
padding:16px;margin:12px 0}
.card>div{flex:1 1 320px;min-width:0}.card>svg{flex:0 1 200px;max-height:300px}
svg{background:#fff;border:1px solid var(--line);max-width:100%;height:auto}
svg rect{vector-effect:non-scaling-stroke}
.page>svg{flex:0 1 480px;max-height:none;align-self:flex-start}
.area{border-top:1px solid var(--line);padding:8px 0}
.area p{white-space:pre-wrap;margin:4px 0}.kind{background:#37474f;color:#fff;padding:0 6px}
table{border-collapse:collapse}td,th{text-align:left;vertical-align:top;padding:2px 16px 2px 0}
th,th+td{overflow-wrap:normal;white-space:nowrap}td+td{white-space:pre-line}
summary{cursor:pointer}a:focus-visible,summary:focus-visible{outline:3px solid #1e88e5}
"""


@dataclass(frozen=True, slots=True)
class ListedPage:
    """An entry in the list of all pages."""

    url: str
    site: str
    drawn_as: str  # what is drawn beside it, empty if it has no areas
    status: str
    confidence: float  # 0..1
    file: str  # of the page, relative to the list
    title: str  # the URL if the title is not known
    reason: str  # why it has no areas, empty if it has some
    template: str | None = None  # its name
    of_site: bool = False  # it has slots of its site, not areas of a stencil
    type: str | None = None

    @property
    def group(self) -> tuple[bool, str]:
        """Return what it is listed under: its template, else its stencil (and then True)."""
        return (False, self.template) if self.template else (True, self.drawn_as)


def drawn_as(result: PageResult) -> str:
    """Name the drawing of a page's areas: by its stencil, or by site and number of its template."""
    if not result.has_areas:
        return ""
    return result.stencil or f"{result.site} {result.template_number or NO_TEMPLATE}"


def row_of(result: PageResult, file: str) -> ListedPage:
    """Return the entry of a result in the list of all pages."""
    titles = (item.text for item in result.items if item.kind == "title")
    return ListedPage(
        result.url,
        result.site,
        drawn_as(result),
        result.status.value,
        result.confidence,
        file,
        next(titles, "") or result.url,
        reason_of(result) or "",
        result.template,
        result.grain is not None,
        result.type,
    )


def whole_page(title: str, body: str, style: str = "") -> str:
    """Return an HTML page with this body; `style` is added to that of all pages."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}{style}</style></head><body>\n"
        f"{body}</body></html>\n"
    )


def drawing(areas: Sequence[PageArea], behind: str = "") -> str:
    """Draw areas at their positions on the page that their stencil was learned from.

    `behind` is SVG to draw under them, in the px of that page.
    """
    drawn = page_outlines(areas)
    around = bounding([area.rect for area in drawn])
    view = f"{around.left:g} {around.top:g} {around.width:g} {around.height:g}"
    shapes = [box(area, area.rect, LINE) + (number_of(area) if area.leaf else "") for area in drawn]
    return (
        f'<svg viewBox="{view}" role="img" aria-label="areas" font-family="sans-serif" '
        f'font-size="{NUMBER_SIZE}">{behind}{"".join(shapes)}</svg>\n'
    )


def number_of(area: DrawnArea) -> str:
    """Draw the number of an area in its upper left corner."""
    left, top = area.rect.left + 8, area.rect.top + NUMBER_SIZE
    return f'<text x="{left:g}" y="{top:g}" fill="{area.colour}">{area.number}</text>'


def shortened(text: str) -> str:
    """Escape a text, cut if it is very long."""
    return escape(text if len(text) <= LONGEST else text[:LONGEST] + " …")


def page_html(result: PageResult, home: str, drawn: str) -> str:
    """Return the HTML of a result; `home` is the path to the folder with the list of all pages.

    `drawn` are its areas, or the slots of its template.
    """
    row = row_of(result, "")
    of_site = result.grain is not None
    stencil = "" if of_site else f", stencil {escape(result.stencil or 'none')}"
    reason = f" <strong>{escape(row.reason)}</strong>" if row.reason else ""
    body = (
        f'<p><a href="{home}{LIST}">All pages</a></p>\n<h1 dir="auto">{shortened(row.title)}</h1>\n'
        f"<p>{link(row.url, row.url)}</p>\n<p>{escape(row.status)}, confidence "
        f"{row.confidence:.4f}, template {escape(row.template or 'none')}{stencil}"
        f"{type_words(result)}.{reason}</p>\n"
        f"{items_html(result.items)}"
    )
    if result.areas:
        heads = {area.id: slot_head(result.site, area, home) for area in result.areas if of_site}
        texts = "".join(area_html(area, heads.get(area.id)) for area in result.areas if area.text)
        where = (
            "Slots are drawn where they stand on the typical page of the template"
            if of_site
            else "Drawn where they are on the page that the stencil was learned from"
        )
        body += (
            f"<h2>Areas</h2>\n<p class=soft>{where}; dashed frames hold other areas.</p>\n"
            f'<div class="card page">{drawn}<div>{texts}</div></div>\n'
        )
    return whole_page(row.title, body, SLOT_STYLE if of_site else "")


def type_words(result: PageResult) -> str:
    """Say what type a page is of, and how sure that is."""
    if result.type is None or result.type_confidence is None:
        return ""
    return f", type {escape(result.type)} ({result.type_confidence:.2f})"


def slot_head(site: str, area: PageArea, home: str) -> str:
    """Show the slot of an area."""
    return badge(None) if area.slot is None else slot_link(site, area.slot, area.name, home)


def link(url: str, words: str) -> str:
    """Link to a web URL; one of another scheme, or with a made-up host, is only shown."""
    if not url.startswith(("http://", "https://")) or has_made_up_host(url):
        return escape(words)
    return f'<a href="{escape(url)}" rel="noreferrer">{escape(words)}</a>'


def area_html(area: PageArea, head: str | None = None) -> str:
    """Return the text of an area and its selector as HTML; `head` instead of its number."""
    kind = f' <span class="kind">{escape(area.kind)}</span>' if area.kind else ""
    return (
        f'<div class="area">{head or area.id}{kind} <span class="soft">{area.confidence:.2f}</span>'
        f'<p dir="auto">{shortened(area.text)}</p><details><summary class="soft">selector</summary>'
        f"<code>{escape(area.selector)}</code></details></div>\n"
    )


def items_html(items: Sequence[Item]) -> str:
    """Return items as an HTML table."""
    if not items:
        return ""
    rows = "".join(
        f"<tr><th>{escape(item.kind)}</th><td>{item.confidence:.2f}</td>"
        f'<td dir="auto">{shortened(item.text)}{fields_html(item)}</td></tr>\n'
        for item in items
    )
    return f"<h2>Items</h2>\n<table>{rows}</table>\n"


def fields_html(item: Item) -> str:
    """Return the fields of an item as HTML."""
    pairs = "; ".join(f"{escape(name)}: {shortened(value)}" for name, value in item.fields)
    return f'<br><span class="soft">{pairs}</span>' if pairs else ""


def list_html(
    rows: Iterable[ListedPage], drawings: Mapping[str, str], slots: Mapping[str, str]
) -> str:
    """Return the list of all pages by site and template, larger ones first.

    Rendered pages come first. Pages without a template are listed by stencil, and named after the
    page that it was learned from. `drawings` are of templates and stencils, by key; `slots` are
    lists of slots, by site.
    """
    sites: dict[str, list[ListedPage]] = {}
    for row in sorted(rows, key=lambda row: (row.status != Status.LEARNED, row.url)):
        sites.setdefault(row.site, []).append(row)
    total = sum(map(len, sites.values()))
    parts = [f"<h1>{counted(total, 'page')} of {counted(len(sites), 'site')}</h1>\n"]
    parts += [site_html(site, sites[site], drawings, slots.get(site, "")) for site in sorted(sites)]
    return whole_page("webstencil: all pages", "".join(parts), SLOT_STYLE)


def site_html(
    site: str, rows: Sequence[ListedPage], drawings: Mapping[str, str], slots: str
) -> str:
    """Return the HTML of a site's templates and slots, and of pages without areas."""
    groups: dict[tuple[bool, str], list[ListedPage]] = {}
    for row in rows:
        if row.drawn_as:
            groups.setdefault(row.group, []).append(row)
    without = [row for row in rows if not row.drawn_as]
    largest = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
    parts = [
        f"<h2>{escape(site or 'no site')}</h2>\n<p>{counted(len(rows), 'page')}, "
        f"{groups_words(groups)}, {len(without):,} without areas.</p>\n"
    ]
    parts += [
        group_html(pages, drawings if number < DRAWN else {})
        for number, (_, pages) in enumerate(largest)
    ]
    parts.append(slots)
    if without:
        parts.append(f'<div class="card"><div><h3>Without areas</h3>{listed(without)}</div></div>')
    return "".join(parts)


def groups_words(groups: Mapping[tuple[bool, str], Sequence[ListedPage]]) -> str:
    """Count the templates of a site and pages that fit none, or only its stencils."""
    nowhere = [pages for (by_stencil, _), pages in groups.items() if by_stencil]
    if len(nowhere) == len(groups):
        return counted(len(groups), "stencil")
    templates = counted(len(groups) - len(nowhere), "template")
    return f"{templates}, {sum(map(len, nowhere)):,} without a template" if nowhere else templates


def group_html(pages: Sequence[ListedPage], drawings: Mapping[str, str]) -> str:
    """Return the pages of a template, or else of a stencil, beside drawings of stencils."""
    uses = Counter(page.drawn_as for page in pages)
    often = sorted(uses, key=lambda stencil: (-uses[stencil], stencil))
    drawn = "".join(drawings.get(stencil, "") for stencil in often[:STENCILS])
    sure = sum(page.confidence for page in pages) / len(pages)
    name = pages[0].template
    like = f" like {shortened(pages[0].title)}"
    head = shortened(name) if name else counted(len(pages), "page") + like
    made = counted(len(often), "stencil") if name else f"stencil {escape(often[0])}"
    if pages[0].of_site:
        rendered = sum(page.status == Status.LEARNED for page in pages)
        head = shortened(name or "No template")
        made = f"{counted(len(pages), 'page')}, {rendered:,} rendered"
    facts = f'<p class="soft">{made}, mean confidence {sure:.2f}{types_words(pages)}</p>'
    return f'<div class="card">{drawn}<div><h3>{head}</h3>{facts}{listed(pages)}</div></div>\n'


def types_words(pages: Sequence[ListedPage]) -> str:
    """Say what type most pages of a group are of."""
    types = Counter(page.type for page in pages if page.type)
    return f", type {escape(min(types, key=lambda one: (-types[one], one)))}" if types else ""


def listed(rows: Sequence[ListedPage]) -> str:
    """List pages, folded up."""
    lines = "".join(
        f'<li><a href="{escape(row.file)}" dir="auto">{shortened(row.title)}</a> '
        f'<span class="soft">{escape(row.reason or f"{row.status} {row.confidence:.2f}")}'
        "</span></li>\n"
        for row in islice(rows, LISTED)
    )
    more = f"<p>and {len(rows) - LISTED:,} more</p>" if len(rows) > LISTED else ""
    folded = "" if len(rows) > FEW else " open"
    words = counted(len(rows), "page")
    return f"<details{folded}><summary>{words}</summary><ol>{lines}</ol>{more}</details>"


def counted(number: int, thing: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {thing}" + ("" if number == 1 else "s")
