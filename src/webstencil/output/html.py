"""Results as a folder of HTML pages: one per page and slot, and a list of all by template."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Self, TypeAlias
from urllib.parse import quote

from webstencil.model import PageResult, Status
from webstencil.output.file_names import FileNames
from webstencil.output.files import claimed_folder, explained, put_changed
from webstencil.output.html_pages import (
    LIST,
    ListedPage,
    drawing,
    drawn_as,
    list_html,
    page_html,
    row_of,
    whole_page,
)
from webstencil.output.html_slots import (
    NO_DRAWING,
    STYLE,
    SlotList,
    TemplateDrawing,
    examples_html,
    slot_file,
    slots_drawing,
    slots_html,
)
from webstencil.output.overlay import page_outlines, slot_outlines
from webstencil.output.pictures import find_picture
from webstencil.site.slots import DrawnTemplate
from webstencil.site.templates import NO_TEMPLATE

ENDING = ".html"
PAGES = "pages"  # folder of the files of pages

Drawing: TypeAlias = tuple[tuple[bool, str], str]  # the rank of its page, then the drawing
Templates: TypeAlias = Callable[[str, int], DrawnTemplate | None]  # by site and number


def no_templates(_site: str, _number: int) -> None:
    """Return None: slots are drawn where results have them."""


class HtmlFolder:
    """A folder of HTML pages, in step with a store; files are written atomically.

    The list is written at the end of a run.
    """

    def __init__(
        self,
        path: str | Path,
        known: Callable[[], Iterable[PageResult]] = tuple,
        templates: Templates = no_templates,
    ) -> None:
        """Write the results of `known` that are not there yet; `templates` draw their slots."""
        self._drawn = templates
        self._slots = SlotList()
        self._templates: dict[str, tuple[int, TemplateDrawing]] = {}  # with their version
        self._folder = path = Path(path)
        self._names = FileNames(ENDING)
        self._rows: dict[str, ListedPage] = {}  # by URL
        self._drawings: dict[str, Drawing] = {}  # by `drawn_as`
        with explained(path):
            self._claim = claimed_folder(path, "HTML")
            for result in known():
                self.write(result)

    def write(self, result: PageResult) -> None:
        """Write the file of a page."""
        file = PAGES / self._names.name(result.url)
        self._rows.pop(result.url, None)
        self._rows[result.url] = row_of(result, quote(str(file)))
        home = "../" * (len(file.parts) - 1)
        put_changed(self._folder / file, self._html(result, home))

    def _html(self, result: PageResult, home: str) -> str:
        """Return the file of a page; its slots are drawn over the typical page of its template."""
        if result.has_areas and result.grain is not None:
            self._slots.add(result)
            return page_html(result, home, self._slots_of(result, home))
        learned = result.status is Status.LEARNED
        picture = find_picture(self._folder, result.url) if learned else None
        if result.stencil is not None:
            own = drawing(result.areas, picture.svg() if picture else "")
            self._keep(result, result.stencil, own)
        return page_html(result, home, drawing(result.areas, picture.svg(home) if picture else ""))

    def _slots_of(self, result: PageResult, home: str) -> str:
        """Draw the slots of a page's template, as this version of its site has them."""
        key = drawn_as(result)
        version, known = self._templates.get(key, (-1, NO_DRAWING))
        if version != result.version:
            known = self._template(result.site, result.template_number or NO_TEMPLATE)
            self._templates[key] = result.version, known
        if known.drawn:
            return known.svg(home)
        own = page_outlines(result.areas)  # no page of its template was rendered
        self._keep(result, key, slots_drawing(own, whole=False))
        return slots_drawing(own)

    def _template(self, site: str, number: int) -> TemplateDrawing:
        template = self._drawn(site, number)
        if template is None or not template.areas:
            return NO_DRAWING
        picture = find_picture(self._folder, template.typical)
        return TemplateDrawing(tuple(slot_outlines(template.areas, {})), picture)

    def close(self) -> None:
        """Write the list of all pages and the pages of slots, and release the folder."""
        drawings = {stencil: drawn for stencil, (_, drawn) in self._drawings.items()}
        drawings |= {
            key: one.svg(whole=False) for key, (_, one) in self._templates.items() if one.drawn
        }
        slots = {site: self._slots.of(site) for site in self._slots.sites}
        files = {url: row.file for url, row in self._rows.items()}
        for site, known in slots.items():
            for slot in known:
                words = f"slot {slot.number} of {site}"
                page = whole_page(words, "".join(examples_html(site, slot, files)), STYLE)
                put_changed(self._folder / slot_file(site, slot.number), page)
        lists = {site: slots_html(site, known) for site, known in slots.items() if known}
        put_changed(self._folder / LIST, list_html(self._rows.values(), drawings, lists))
        self._claim.release()

    def _keep(self, result: PageResult, stencil: str, drawn: str) -> None:
        """Keep the drawing of a stencil: of the page it was learned from, else of the first URL."""
        rank = result.status is not Status.LEARNED, result.url
        if stencil not in self._drawings or rank <= self._drawings[stencil][0]:
            self._drawings[stencil] = rank, drawn

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
