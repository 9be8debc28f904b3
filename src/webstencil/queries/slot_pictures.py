"""Pictures of slots: over the typical page of a template, and of what one page has of them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from webstencil.model import PageResult
from webstencil.output.overlay import DrawnArea, page_outlines, slot_outlines
from webstencil.queries.box_pictures import BoxPicture, picture_of
from webstencil.queries.slots import SAMPLE, SiteSlots, TemplateSlots
from webstencil.store import SqlStore


def template_pictures(
    store: SqlStore, known: SiteSlots, templates: Sequence[TemplateSlots], only: int | None = None
) -> dict[str, BoxPicture]:
    """Draw the slots of templates, by their keys; with `only` all but one slot are faint.

    A template without a rendered page is drawn by the page of a sample that has most slots, with
    slots where they stand on other templates.
    """
    names = {slot.number: slot.name for slot in known.slots}
    stencils = store.lookups.stencils_keyed([one.key for one in templates])
    pictures = {}
    for one in templates:
        stencil = stencils.get(one.key)
        if stencil is not None and stencil.areas:
            drawn = slot_outlines(stencil.areas, names)
        else:
            drawn = fullest(store.lookups.results_following([one.key], 0, SAMPLE))
        pictures[one.key] = picture_of(drawn, only=only)
    return pictures


def fullest(results: Iterable[PageResult]) -> list[DrawnArea]:
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
    here = [one for one in drawn if one.slot in names]
    shown = {one.slot for one in here}
    others = [one for one in page_outlines(result.areas) if one.slot not in shown]
    return picture_of(renumbered([*here, *others]))


def renumbered(drawn: Iterable[DrawnArea]) -> list[DrawnArea]:
    """Number areas of several pages anew."""
    return [replace(one, number=number) for number, one in enumerate(drawn)]
