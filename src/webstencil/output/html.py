"""Results as a folder of HTML pages to look through, and a survey as one page.

The folder has a page for each page and each slot, and a list of all by template.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias
from urllib.parse import quote

from webstencil.model import PageResult, Status
from webstencil.output.files import (
    FileNames,
    Known,
    Output,
    claimed_folder,
    put_changed,
    safe_part,
    short_name,
    writing_explained,
)
from webstencil.output.markdown import reason_of
from webstencil.output.overlay import BoxPicture, page_outlines, picture_of, pictured, slot_outlines
from webstencil.output.plot import steps
from webstencil.output.templates import cut_text, file_html, is_outside_link
from webstencil.output.words import plural
from webstencil.protocols import Store
from webstencil.site.areas import DrawnTemplate
from webstencil.site.place_tree import place_tree
from webstencil.site.survey_report import Misfit, SiteSurvey
from webstencil.site.templates import NO_TEMPLATE

HTML_ENDING = ".html"
LIST_FILE = "index.html"  # of all pages
PAGE_FOLDER, SLOT_FOLDER = "pages", "slots"  # folders of their files
FEW_LISTED = 5  # more pages of a template are folded up
MOST_LISTED = 500  # pages of a template, or URLs of a list
DRAWN_GROUPS = 100  # of the pages of a site, those with most pages
DRAWN_STENCILS = 3  # of a template
SLOT_EXAMPLES = 50  # pages whose texts are shown of a slot, those with the smallest URLs
MOST_TEXTS = 200_000  # of slots held in memory; then slots get no more
LONGEST_SLOT_TEXT = 300  # characters of the text of a slot

MOST_TREES = 20  # sites of a survey whose places are shown, those with most pages
OPEN_RENDERINGS = 10  # planned pages that are not folded up
MISFIT_WORDS = {
    Misfit.EMPTY: "without text",
    Misfit.REDIRECT: "redirects",
    Misfit.FRAMES: "frames",
    Misfit.ERROR: "error pages",
    Misfit.ALONE: "one of a kind: no other page is like it",
    Misfit.COPY: "copies: the same bytes are at another URL; they have a template, but are not "
    "rendered",
}

Drawing: TypeAlias = tuple[tuple[bool, str], BoxPicture]  # the rank of its page, then the drawing
Templates: TypeAlias = Callable[[str, int], DrawnTemplate | None]  # by site and number


def no_templates(_site: str, _number: int) -> None:
    """Return None: slots are drawn where results have them."""


@dataclass(frozen=True, slots=True)
class ListedPage:
    """An entry in the list of all pages."""

    result: PageResult  # without what only its page shows
    file: str  # of the page, relative to the list
    title: str  # the URL if the title is not known
    reason: str  # why it has no areas, empty if it has some

    @property
    def group(self) -> tuple[bool, str]:
        """Return what it is listed under: its template, else its stencil (and then True)."""
        template = self.result.template
        return (False, template) if template else (True, self.result.follows)


@dataclass(frozen=True, slots=True)
class ListedGroup:
    """The pages of a template, or else of a stencil, in the list of all pages."""

    head: str
    facts: str
    pages: Sequence[ListedPage]
    pictures: Sequence[BoxPicture]


@dataclass(slots=True)
class SlotTexts:
    """A slot, and what it says on some pages."""

    number: int
    name: str
    kind: str | None
    pages: int = 0
    templates: set[str] = field(default_factory=set)  # names
    texts: dict[str, tuple[str, ...]] = field(default_factory=dict)  # by URL

    def examples(self) -> list[tuple[str, tuple[str, ...]]]:
        """Return texts with the smallest URLs."""
        return sorted(self.texts.items())[:SLOT_EXAMPLES]


class SlotList:
    """The slots of the sites of an output, as their pages have them."""

    def __init__(self) -> None:
        self._sites: dict[str, dict[int, SlotTexts]] = {}
        self._slots_of: dict[str, tuple[int, ...]] = {}  # by URL
        self._held = 0  # pages with texts

    def add(self, result: PageResult) -> None:
        """Add a page; it replaces an earlier result."""
        known = self._sites.setdefault(result.site, {})
        for number in self._slots_of.pop(result.url, ()):
            if number in known:
                known[number].pages -= 1
                self._held -= known[number].texts.pop(result.url, None) is not None
        texts: dict[int, list[str]] = {}
        for area in result.areas:
            if area.slot is not None:
                slot = known.setdefault(area.slot, SlotTexts(area.slot, area.name, area.kind))
                if area.slot not in texts:
                    slot.name, slot.kind = area.name, area.kind or slot.kind
                words = " ".join(area.text[: 2 * LONGEST_SLOT_TEXT].split())
                texts.setdefault(area.slot, []).append(cut_text(words, LONGEST_SLOT_TEXT))
        for number, said in texts.items():
            slot = known[number]
            slot.pages += 1
            slot.templates |= {result.template} if result.template else set()
            if self._held < MOST_TEXTS:
                before = len(slot.texts)
                slot.texts[result.url] = tuple(said)
                if len(slot.texts) > 2 * SLOT_EXAMPLES:
                    slot.texts = dict(slot.examples())
                self._held += len(slot.texts) - before
        self._slots_of[result.url] = tuple(texts)

    def by_site(self) -> dict[str, list[SlotTexts]]:
        """Return the slots that pages have of each site, by number."""
        return {
            site: [slot for _, slot in sorted(slots.items()) if slot.pages]
            for site, slots in self._sites.items()
        }


def slot_file(site: str, number: int) -> str:
    """Return the file of a slot, relative to the output folder."""
    folder = safe_part(site)
    folder = folder if folder == site else f"{folder}~{short_name(site)}"
    return f"{SLOT_FOLDER}/{folder}/{number}{HTML_ENDING}"


class HtmlFolder(Output):
    """A folder of HTML pages, in step with a store; files are written atomically.

    The list is written at the end of a run.
    """

    def __init__(
        self, path: str | Path, known: Known = tuple, templates: Templates = no_templates
    ) -> None:
        """Write the results of `known` that are not there yet; `templates` draw their slots."""
        self._drawn = templates
        self._slots = SlotList()
        self._templates: dict[str, tuple[int, BoxPicture | None]] = {}  # with versions
        self._folder = path = Path(path)
        self._names = FileNames(HTML_ENDING)
        self._rows: dict[str, ListedPage] = {}  # by URL
        self._drawings: dict[str, Drawing] = {}  # by what pages follow
        with writing_explained(path):
            self._claim = claimed_folder(path, "HTML")
            for result in known():
                self.write(result)

    def write(self, result: PageResult) -> None:
        """Write the file of a page."""
        file = str(PAGE_FOLDER / self._names.name(result.url))
        titles = (item.text for item in result.items if item.kind == "title")
        title = next(titles, "") or result.url
        bare = replace(result, areas=(), items=(), problems=())
        self._rows.pop(result.url, None)
        self._rows[result.url] = ListedPage(bare, quote(file), title, reason_of(result) or "")
        if result.has_areas and result.grain is not None:
            self._slots.add(result)
            picture = self._slots_picture(result)
        else:
            picture = self._areas_picture(result)
        home = "../" * file.count("/")
        facts = {
            "result": result,
            "title": title,
            "areas": result.areas,
            "picture": picture.below(home),
            "template": 0,
            "maker": "",
            "makers": {},
            "json": "",
            "link_to": result.url if is_outside_link(result.url) else "",
            "leads_to_web": lambda url, _origin: is_outside_link(url),
        }
        self._put(file, "result.html", facts)

    def close(self) -> None:
        """Write the list of all pages and the pages of slots, and release the folder."""
        drawings = {stencil: picture for stencil, (_, picture) in self._drawings.items()}
        drawings |= {key: known for key, (_, known) in self._templates.items() if known}
        slots = self._slots.by_site()
        for site, known in slots.items():
            for slot in known:
                facts = {"site": site, "slot": slot, "examples": slot.examples()}
                self._put(slot_file(site, slot.number), "look_slot.html", facts)
        sites = _listed_sites(self._rows.values(), drawings, slots)
        facts = {
            "pages": len(self._rows),
            "sites": list(sites),
            "FEW_LISTED": FEW_LISTED,
            "MOST_LISTED": MOST_LISTED,
        }
        self._put(LIST_FILE, "look.html", facts)
        self._claim.release()

    def _put(self, file: str, template: str, facts: Mapping[str, object]) -> None:
        home = "../" * file.count("/")
        around = {"home": home + LIST_FILE, "root": home, "link": partial(self._link, home)}
        put_changed(self._folder / file, file_html(template, {**around, **facts}))

    def _link(self, home: str, path: str, **parts: object) -> str:
        """Return the way to a page or a slot, empty for what the folder does not have."""
        if path == "slot":
            return home + quote(slot_file(f"{parts['name']}", int(f"{parts['slot']}")))
        if path == "result" and parts["url"] in self._rows:
            return home + self._rows[f"{parts['url']}"].file
        return ""

    def _areas_picture(self, result: PageResult) -> BoxPicture:
        """Draw the areas of a page where its stencil has them."""
        drawn = page_outlines(result.areas)
        if result.status is not Status.LEARNED:
            picture = picture_of(drawn)
        else:
            picture = pictured(self._folder, result.url, drawn)
        if result.stencil is not None:
            self._keep(result, result.stencil, picture)
        return picture

    def _slots_picture(self, result: PageResult) -> BoxPicture:
        """Draw the slots of a page's template, as this version of its site has them."""
        key = result.follows
        version, known = self._templates.get(key, (-1, None))
        if version != result.version:
            template = self._drawn(result.site, result.template_number or NO_TEMPLATE)
            known = None
            if template is not None and (drawn := slot_outlines(template.areas, {})):
                known = pictured(self._folder, template.typical, drawn)
            self._templates[key] = result.version, known
        if known is None:  # no page of its template was rendered
            known = picture_of(page_outlines(result.areas))
            self._keep(result, key, known)
        return known

    def _keep(self, result: PageResult, stencil: str, picture: BoxPicture) -> None:
        """Keep the drawing of a stencil: of the page it was learned from, else of the first URL."""
        rank = result.status is not Status.LEARNED, result.url
        if stencil not in self._drawings or rank <= self._drawings[stencil][0]:
            self._drawings[stencil] = rank, picture


def _listed_sites(
    rows: Iterable[ListedPage],
    drawings: Mapping[str, BoxPicture],
    slots: Mapping[str, Sequence[SlotTexts]],
) -> Iterator[Mapping[str, object]]:
    """Yield what the list of all pages says of each site, larger templates first.

    Rendered pages come first. Pages without a template are listed by stencil, and named after the
    page that it was learned from. `drawings` are of templates and stencils, by key.
    """
    sites: dict[str, list[ListedPage]] = {}
    for row in sorted(rows, key=lambda row: (row.result.status != Status.LEARNED, row.result.url)):
        sites.setdefault(row.result.site, []).append(row)
    for site, pages in sorted(sites.items()):
        groups: dict[tuple[bool, str], list[ListedPage]] = {}
        for row in pages:
            if row.result.has_areas:
                groups.setdefault(row.group, []).append(row)
        largest = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
        nowhere = [members for (by_stencil, _), members in groups.items() if by_stencil]
        words = plural(len(groups) - len(nowhere), "template")
        if len(nowhere) == len(groups):
            words = plural(len(groups), "stencil")
        elif nowhere:
            words += f", {sum(map(len, nowhere)):,} without a template"
        yield {
            "name": site,
            "pages": pages,
            "words": words,
            "groups": [
                _listed_group(members, drawings if number < DRAWN_GROUPS else {})
                for number, (_, members) in enumerate(largest)
            ],
            "without": [row for row in pages if not row.result.has_areas],
            "slots": slots.get(site, ()),
        }


def _listed_group(pages: Sequence[ListedPage], drawings: Mapping[str, BoxPicture]) -> ListedGroup:
    """Describe the pages of a template, or else of a stencil."""
    results = [page.result for page in pages]
    uses = Counter(result.follows for result in results)
    often = sorted(uses, key=lambda stencil: (-uses[stencil], stencil))
    types = Counter(result.type for result in results if result.type)
    name = results[0].template
    if results[0].grain is not None:  # it has slots of its site, not areas of a stencil
        rendered = sum(result.status == Status.LEARNED for result in results)
        head, made = (
            name or "No template",
            f"{plural(len(pages), 'page')}, {rendered:,} rendered",
        )
    elif name:
        head, made = name, plural(len(often), "stencil")
    else:
        head = f"{plural(len(pages), 'page')} like {pages[0].title}"
        made = f"stencil {often[0]}"
    sure = sum(result.confidence for result in results) / len(results)
    kind = f", type {min(types, key=lambda one: (-types[one], one))}" if types else ""
    pictures = [drawings[stencil] for stencil in often[:DRAWN_STENCILS] if stencil in drawings]
    return ListedGroup(head, f"{made}, mean confidence {sure:.2f}{kind}", pages, pictures)


def survey_page(store: Store, found: Sequence[SiteSurvey]) -> str:
    """Return the page of surveyed sites; the store has what their pages say."""
    largest = sorted(found, key=lambda site: (-site.pages, site.site))[:MOST_TREES]
    sites = []
    for site in found:
        covered = [page.covered for page in site.plan.pages]
        tree = None  # of one of many
        if site in largest:
            excerpts = ((one.page.url, one.excerpts) for one in store.outlines.excerpts(site.site))
            tree = place_tree(store.outlines.model(site.site), excerpts)
        chart = steps("Text covered", covered, "rendering") if covered else None
        sites.append({"found": site, "chart": chart, "tree": tree})
    facts = {
        "names": ", ".join(site.site for site in found[:3]) + (" …" if len(found) > 3 else ""),
        "sites": sites,
        "home": "",
        "link": lambda _path, **_parts: "",  # there is nothing but this page
        "MOST_LISTED": MOST_LISTED,
        "OPEN_RENDERINGS": OPEN_RENDERINGS,
        "MOST_TREES": MOST_TREES,
        "MISFIT_WORDS": MISFIT_WORDS,
    }
    return file_html("survey.html", facts)
