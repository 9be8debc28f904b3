"""`webstencil segment --store`: the slots of a learned site on one page."""

from collections.abc import Callable, Sequence
from functools import partial

from webstencil.cli import screen
from webstencil.cli.method_options import chosen_segmenter
from webstencil.cli.segment_commands import JSON, SegmentOptions, one_page, picture, write
from webstencil.errors import SettingsError
from webstencil.jobs.sites import lay_stored, slots_on_page
from webstencil.markup.parse import parse
from webstencil.model import Page, Snapshot
from webstencil.output import json_areas, overlay
from webstencil.output.overlay import DrawnArea
from webstencil.queries.sites import listed_sites
from webstencil.render import ChromiumRenderer
from webstencil.settings import Settings
from webstencil.sources import Several, open_page
from webstencil.store import SqlStore, existing_store
from webstencil.store.sql import place_named


def lay_slots(wanted: SegmentOptions, place: str) -> None:
    """Lay the slots of a stored site over a page; render it only to draw them."""
    learner = Settings(chosen_segmenter(wanted)).learner
    named = open_page(wanted["page"], base_url=wanted["base_url"])
    parsed = parse(one_page(named, wanted["javascript"]))
    source = Several([named])
    with existing_store(place_named(place)) as store:
        site = wanted["site"] or site_for(store, parsed.site)
        result = lay_stored(parsed, store, learner, site)
        if wanted["png_path"] or wanted["svg_path"]:
            draw_slots(wanted, parsed, source, partial(draw_stored, parsed, store, learner, site))
    if wanted["json_path"]:
        write(wanted["json_path"], json_areas(result.areas))
    if wanted["form"] == JSON:
        screen.say(json_areas(result.areas).decode().rstrip())
    else:
        template = result.template or "none"
        tell = screen.say if wanted["form"] == "table" else screen.note
        tell(f"{site}: template {template}, confidence {result.confidence:.3f}")
        screen.show_rows(screen.SLOTTED_COLUMNS, screen.slot_rows(result.areas), wanted["form"])
    for problem in result.problems:
        screen.complain(problem.message)
    if notes := source.notes.all():
        screen.warn(screen.notes_table(notes))


def draw_slots(
    wanted: SegmentOptions,
    page: Page,
    source: Several,
    slots_on: Callable[[Snapshot], Sequence[DrawnArea]],
) -> None:
    """Render a page and draw the slots where they stand on it."""
    with ChromiumRenderer() as renderer:
        snapshot = renderer.render(page, source, screenshot=True)
        drawing = overlay.overlaid(snapshot, slots_on(snapshot))
        if wanted["png_path"]:
            write(wanted["png_path"], picture(renderer, snapshot, drawing))
    if wanted["svg_path"]:
        write(wanted["svg_path"], drawing.encode())


def draw_stored(
    page: Page, store: SqlStore, learner: str, site: str, snapshot: Snapshot
) -> list[DrawnArea]:
    """Return the slots of a stored site on a rendered page."""
    names = {slot.number: slot.name for slot in store.witnesses.areas(learner, site).slots}
    areas = slots_on_page(page, snapshot, store, learner, site)
    return overlay.slot_outlines(areas, names)


def site_for(store: SqlStore, named: str) -> str:
    """Return the site of a page: that of its URL, or the only one that was learned."""
    learned = [
        one.row.key.site for one in listed_sites(store) if one.outcome and one.outcome.version
    ]
    if named in learned or not learned:
        return named
    if len(learned) == 1:
        return learned[0]
    raise SettingsError(f"{named} is not in this store; give --site: {', '.join(learned[:20])}")
