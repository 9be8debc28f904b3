"""One template with its slots, one slot with what it says on pages, and pictures of slots."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from webstencil.model import PageArea, PageResult
from webstencil.output.overlay import (
    BoxPicture,
    DrawnArea,
    page_outlines,
    picture_of,
    slot_outlines,
)
from webstencil.queries.lists import ListPart, NotStored
from webstencil.queries.site_slots import (
    SAMPLE,
    SiteSlots,
    SlotExamples,
    TemplateSlots,
    is_default,
    site_slots,
    slot_examples,
)
from webstencil.queries.sites import SiteKey
from webstencil.site.areas import Slot
from webstencil.store import PageFilter, PageRow, SqlStore

PICTURES = 24  # templates that a slot is drawn on


@dataclass(frozen=True, slots=True)
class TemplateDetail:
    """A template, and a part of the pages that follow it."""

    site: SiteKey
    known: SiteSlots
    template: TemplateSlots
    slots: tuple[Slot, ...]  # of the template
    texts: Mapping[int, PageArea]  # by slot, on the page that is drawn, or on another
    text_from: str  # URL of that page
    picture: BoxPicture
    pages: tuple[PageRow, ...]  # of this part of the list
    part: ListPart


@dataclass(frozen=True, slots=True)
class SlotDetail:
    """A slot: where it stands on templates, and what it says on a part of the pages."""

    site: SiteKey
    known: SiteSlots
    slot: Slot
    having: tuple[TemplateSlots, ...]  # templates that have it
    template: TemplateSlots | None  # the one whose pages are shown, None for all
    pictures: Mapping[str, BoxPicture]  # of the first of these templates, by key
    examples: SlotExamples


def template_detail(store: SqlStore, key: str, text: str = "", number: int = 1) -> TemplateDetail:
    """Return a template by its key, and a part of its pages that have a text in their URLs."""
    stencil = store.lookups.stencils_keyed([key]).get(key)
    if stencil is None or not is_default(stencil.made_by):
        raise NotStored(f"there is no template {key!r}; choose one on its site's page")
    known = site_slots(store, stencil.made_by, stencil.site, SAMPLE)
    template = known.template(key)
    skipped = ListPart(number, 0).skipped
    total, pages = store.lookups.find_pages(PageFilter(text, stencil=key, skipped=skipped))
    maker = maker_of(store, stencil.made_by)
    shown = store.lookups.result_of(template.typical, maker) if template.typical else None
    results = store.lookups.results_following([key], 0, 1) if shown is None else (shown,)
    texts: dict[int, PageArea] = {}
    for area in (area for result in results for area in result.areas):
        if area.slot is not None:
            texts.setdefault(area.slot, area)
    return TemplateDetail(
        site=SiteKey(stencil.site, maker),
        known=known,
        template=template,
        slots=known.only(template).slots,
        texts=texts,
        text_from=results[0].url if results else "",
        picture=template_pictures(store, known, [template])[key],
        pages=pages,
        part=ListPart(number, total),
    )


def slot_detail(
    store: SqlStore, site: SiteKey, slot: int, template: str = "", number: int = 1
) -> SlotDetail:
    """Return a slot, and what it says on a part of the pages of a template, or of all."""
    made_by = store.lookups.makers().get(site.maker, "")
    if not is_default(made_by):
        raise NotStored("only sites learned in the default mode have slots")
    known = site_slots(store, made_by, site.site, SAMPLE)
    found = known.slot(slot)
    having = known.having(slot)
    chosen = known.template(template) if template else None
    return SlotDetail(
        site=site,
        known=known,
        slot=found,
        having=having,
        template=chosen,
        pictures=template_pictures(store, known, having[:PICTURES], only=slot),
        examples=slot_examples(store, known, found, chosen, number),
    )


def maker_of(store: SqlStore, made_by: str) -> int:
    """Return the number of a learner."""
    return next(number for number, known in store.lookups.makers().items() if known == made_by)


def template_pictures(
    store: SqlStore, known: SiteSlots, templates: Sequence[TemplateSlots], only: int | None = None
) -> dict[str, BoxPicture]:
    """Draw the slots of templates, by their keys; with `only` all but one slot are faint.

    A template without a rendered page is drawn by the page of a sample that has most slots, with
    slots where they stand on other templates.
    """
    names = {slot.number: slot.name for slot in known.slots}
    stencils = store.lookups.stencils_keyed([template.key for template in templates])
    pictures = {}
    for template in templates:
        stencil = stencils.get(template.key)
        if stencil is not None and stencil.areas:
            drawn = slot_outlines(stencil.areas, names)
        else:
            drawn = _fullest(store.lookups.results_following([template.key], 0, SAMPLE))
        pictures[template.key] = picture_of(drawn, only=only)
    return pictures


def _fullest(results: Iterable[PageResult]) -> list[DrawnArea]:
    """Draw the page with the most slots; the first of equals."""
    drawn = [page_outlines(result.areas) for result in results]
    return max(drawn, key=len, default=[])


def result_picture(store: SqlStore, result: PageResult) -> BoxPicture:
    """Draw the areas of a page: its slots as on the typical page of its template."""
    if result.grain is None or result.stencil is None:
        return picture_of(page_outlines(result.areas))
    names = {area.slot: area.name for area in result.areas if area.slot is not None}
    stencil = store.lookups.stencils_keyed([result.stencil]).get(result.stencil)
    drawn = slot_outlines(stencil.areas, names) if stencil is not None else []
    here = [area for area in drawn if area.slot in names]
    shown = {area.slot for area in here}
    others = [area for area in page_outlines(result.areas) if area.slot not in shown]
    numbered = enumerate([*here, *others])  # they come from several pages
    return picture_of([replace(area, number=number) for number, area in numbered])
