"""Slots in HTML: over the typical page of a template, as a list, and what one says on pages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from urllib.parse import quote

from webstencil.geometry import bounding
from webstencil.model import PageArea, PageResult
from webstencil.output.file_names import safe_part, short_name
from webstencil.output.overlay import DrawnArea, box, slot_colour
from webstencil.output.pictures import PagePicture

FOLDER = "slots"  # in the output folder
EXAMPLES = 50  # pages whose texts are shown of a slot, those with the smallest URLs
MOST = 200_000  # texts held in memory; then slots get no more
SHORT = 300  # characters of a text
LINE = 1.0  # px on the screen, whatever the size of the drawing
NUMBER_SIZE = 34  # px on the page, a third of that on most screens
UPPER = 1.4  # times its width is the most of a page that the list shows
STYLE = """
.slot{color:#fff;padding:0 6px;border-radius:4px;font-weight:600}
.card:not(.page)>svg.site{flex:0 1 340px;max-height:none;align-self:flex-start}
"""


@dataclass(slots=True)
class SlotTexts:
    """A slot, and what it says on some pages."""

    number: int
    name: str
    kind: str | None
    pages: int = 0
    templates: set[str] = field(default_factory=set)  # names
    texts: dict[str, tuple[str, ...]] = field(default_factory=dict)  # by URL

    def add(self, url: str, texts: Sequence[str]) -> int:
        """Add a page; return by how many texts that is more."""
        before = len(self.texts)
        self.texts[url] = tuple(texts)
        if len(self.texts) > 2 * EXAMPLES:
            self.texts = dict(sorted(self.texts.items())[:EXAMPLES])
        return len(self.texts) - before

    def examples(self) -> list[tuple[str, tuple[str, ...]]]:
        """Return texts with the smallest URLs."""
        return sorted(self.texts.items())[:EXAMPLES]


class SlotList:
    """The slots of the sites of an output, as their pages have them."""

    def __init__(self) -> None:
        self.sites: dict[str, dict[int, SlotTexts]] = {}
        self._slots_of: dict[str, tuple[int, ...]] = {}  # by URL
        self._held = 0  # pages with texts

    def add(self, result: PageResult) -> None:
        """Add a page; it replaces an earlier result."""
        known = self.sites.setdefault(result.site, {})
        for number in self._slots_of.pop(result.url, ()):
            if number in known:
                known[number].pages -= 1
                self._held -= known[number].texts.pop(result.url, None) is not None
        found: dict[int, list[PageArea]] = {}
        for area in result.areas:
            if area.slot is not None:
                found.setdefault(area.slot, []).append(area)
        for number, areas in found.items():
            slot = known.setdefault(number, SlotTexts(number, areas[0].name, areas[0].kind))
            slot.name, slot.kind = areas[0].name, areas[0].kind or slot.kind
            slot.pages += 1
            if result.template:
                slot.templates.add(result.template)
            if self._held < MOST:
                self._held += slot.add(result.url, [cut(area.text) for area in areas])
        self._slots_of[result.url] = tuple(found)

    def of(self, site: str) -> list[SlotTexts]:
        """Return the slots of a site that pages have, by number."""
        return [slot for _, slot in sorted(self.sites.get(site, {}).items()) if slot.pages]


def cut(text: str) -> str:
    """Return the beginning of a text, on one line."""
    words = " ".join(text[: 2 * SHORT].split())
    return words if len(words) <= SHORT else words[:SHORT] + " …"


def slot_file(site: str, number: int) -> str:
    """Return the file of a slot, relative to the output folder."""
    folder = safe_part(site)
    folder = folder if folder == site else f"{folder}~{short_name(site)}"
    return f"{FOLDER}/{folder}/{number}.html"


def badge(number: int | None) -> str:
    """Show the number of a slot in its colour."""
    shown = "none" if number is None else str(number)
    return f'<span class="slot" style="background:{slot_colour(number)}">{shown}</span>'


def slot_link(site: str, number: int, name: str, home: str = "") -> str:
    """Link to what a slot says on pages."""
    file = escape(quote(home + slot_file(site, number)))
    return f'<a href="{file}">{badge(number)} {escape(name)}</a>'


def slots_drawing(drawn: Sequence[DrawnArea], behind: str = "", *, whole: bool = True) -> str:
    """Draw slots at their positions; `behind` is SVG to draw under them.

    If it is not `whole`, only the upper part of a long page is drawn, with larger numbers.
    """
    if not drawn:
        return ""
    around = bounding([area.rect for area in drawn])
    height = around.height if whole else min(around.height, UPPER * around.width)
    view = f"{around.left:g} {around.top:g} {around.width:g} {height:g}"
    size = NUMBER_SIZE if whole else 2 * NUMBER_SIZE
    shapes = [
        f"<g><title>slot {area.shown or 'none'}</title>{box(area, area.rect, LINE)}"
        f"{number_of(area, size) if area.leaf else ''}</g>"
        for area in drawn
    ]
    return (
        f'<svg class="site" viewBox="{view}" role="img" aria-label="slots" '
        f'font-family="sans-serif" font-size="{size}" font-weight="600">{behind}'
        f"{''.join(shapes)}</svg>\n"
    )


def number_of(area: DrawnArea, size: int) -> str:
    """Draw the number of a slot, at the left, in the middle of a low area."""
    middle = min(area.rect.height, 1.2 * size) / 2 + 0.35 * size
    left, top = area.rect.left + 8, area.rect.top + middle
    halo = 'stroke="#fff" stroke-width="6" paint-order="stroke"'
    return f'<text x="{left:g}" y="{top:g}" fill="{area.colour}" {halo}>{area.shown}</text>'


@dataclass(frozen=True, slots=True)
class TemplateDrawing:
    """The slots of a template, and the picture of the page that they are drawn on."""

    drawn: tuple[DrawnArea, ...]
    picture: PagePicture | None

    def svg(self, home: str = "", *, whole: bool = True) -> str:
        """Draw them; `home` is the path to the folder of the list."""
        behind = self.picture.svg(home) if self.picture else ""
        return slots_drawing(self.drawn, behind, whole=whole)


NO_DRAWING = TemplateDrawing((), None)


def slots_html(site: str, slots: Sequence[SlotTexts]) -> str:
    """List the slots of a site."""
    rows = "".join(
        f"<tr><td>{slot_link(site, slot.number, slot.name)}</td><td>{escape(slot.kind or '')}</td>"
        f"<td>{slot.pages:,}</td><td>{templates_words(slot)}</td></tr>\n"
        for slot in slots
    )
    head = "<tr><th>slot</th><th>kind</th><th>pages</th><th>templates</th></tr>\n"
    table = f'<table class="slots">{head}{rows}</table>'
    return f'<div class="card"><div><h3>Slots</h3>{table}</div></div>\n'


def templates_words(slot: SlotTexts) -> str:
    """Write the templates that have a slot."""
    return escape(", ".join(sorted(slot.templates)))


def examples_html(site: str, slot: SlotTexts, files: Mapping[str, str]) -> Iterator[str]:
    """Yield the parts of the page of a slot; `files` are those of pages, by URL."""
    home = "../" * 2
    kind = f' <span class="kind">{escape(slot.kind)}</span>' if slot.kind else ""
    yield f'<p><a href="{home}index.html">All pages</a></p>\n'
    yield f"<h1>{badge(slot.number)} {escape(slot.name)}{kind}</h1>\n"
    templates = templates_words(slot) or "no template"
    yield f"<p>{escape(site)}: on {slot.pages:,} pages of {templates}.</p>\n"
    examples = slot.examples()
    if len(examples) < slot.pages:
        yield f'<p class="soft">The first {len(examples):,} pages.</p>\n'
    yield from (example_html(home, url, texts, files) for url, texts in examples)


def example_html(home: str, url: str, texts: Iterable[str], files: Mapping[str, str]) -> str:
    """Show what a slot says on a page."""
    said = "".join(f'<p dir="auto">{escape(text) or "(no text)"}</p>' for text in texts)
    link = f'<a href="{escape(home + files.get(url, ""))}">{escape(url)}</a>'
    return f'<div class="area">{said}{link}</div>\n'
