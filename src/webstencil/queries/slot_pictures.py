"""Pictures of slots: over the typical page of a template, and of what one page has of them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from webstencil.model import PageResult
from webstencil.output.overlay import DrawnArea, page_outlines, slot_outlines
from webstencil.queries.box_pictures import BoxPicture, picture_of
from webstencil.queries.slots import SAMPLE, SiteSlots, TemplateSlots
from webstencil.site.templates import NO_TEMPLATE
from webstencil.store import SqlStore


def template_pictures(
    store: SqlStore, known: SiteSlots, templates: Sequence[TemplateSlots], only: int | None = None
) -> dict[int, BoxPicture]:
    """Draw the slots of templates, by their numbers; with `only` all but one slot are faint.

    A template without a rendered page is drawn by the page of a sample that has most slots, with
    slots where they stand on other templates.
    """
    names = {slot.number: slot.name for slot in known.slots}
    made_by, site = known.made_by, known.outcome.site
    drawn = store.templates.drawn(made_by, site)
    pictures = {}
    for one in templates:
        if one.number in drawn and drawn[one.number].areas:
            boxes = slot_outlines(drawn[one.number].areas, names)
        else:
            boxes = fullest(store.lookups.results_following(made_by, site, [one.number], 0, SAMPLE))
        pictures[one.number] = picture_of(boxes, only=only)
    return pictures


def fullest(results: Iterable[PageResult]) -> list[DrawnArea]:
    """Draw the page with the most slots; the first of equals."""
    drawn = [page_outlines(result.areas) for result in results]
    return max(drawn, key=len, default=[])


def result_picture(store: SqlStore, result: PageResult, made_by: str) -> BoxPicture:
    """Draw the areas of a page: its slots as on the typical page of its template."""
    if result.grain is None:
        return picture_of(page_outlines(result.areas))
    names = {area.slot: area.name for area in result.areas if area.slot is not None}
    number = NO_TEMPLATE if result.template_number is None else result.template_number
    template = store.templates.drawn(made_by, result.site).get(number)
    drawn = slot_outlines(template.areas, names) if template is not None else []
    here = [one for one in drawn if one.slot in names]
    shown = {one.slot for one in here}
    others = [one for one in page_outlines(result.areas) if one.slot not in shown]
    return picture_of(renumbered([*here, *others]))


def renumbered(drawn: Iterable[DrawnArea]) -> list[DrawnArea]:
    """Number areas of several pages anew."""
    return [replace(one, number=number) for number, one in enumerate(drawn)]
