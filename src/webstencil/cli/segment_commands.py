"""`webstencil segment`."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Unpack

import click

from webstencil.cli import screen
from webstencil.cli.method_options import SegmenterOptions, chosen_segmenter, with_segmenter
from webstencil.cli.script_options import javascript_option, scripts_if
from webstencil.cli.shared_options import PATH
from webstencil.cli.stencils_commands import STORE
from webstencil.codec.atomic_files import put
from webstencil.errors import SettingsError
from webstencil.markup.parse import parse
from webstencil.model import Page, RawPage, Snapshot
from webstencil.output import json_areas, overlay
from webstencil.output.files import explained
from webstencil.output.overlay import DrawnArea
from webstencil.pipeline.decided_sites import lay_stored, slots_on_page
from webstencil.pipeline.page import described_areas, segment_page
from webstencil.protocols import Source
from webstencil.queries.learned_sites import listed_sites
from webstencil.render import ChromiumRenderer
from webstencil.segment import VIPS
from webstencil.segment.vips.omega import AreaStructure
from webstencil.settings import Settings
from webstencil.sources import Several, open_page
from webstencil.store import SqlStore, existing_store
from webstencil.store.postgres import PostgresDatabase


class SegmentOptions(SegmenterOptions):
    """Options of `webstencil segment`."""

    page: str
    javascript: bool
    json_path: Path | None
    png_path: Path | None
    svg_path: Path | None
    store_path: Path | PostgresDatabase | None
    site: str | None


@click.command("segment")
@click.argument("page", metavar="FILE_OR_URL")
@with_segmenter
@javascript_option
@click.option("--json", "json_path", type=PATH, help="Write the areas to this JSON file.")
@click.option("--png", "png_path", type=PATH, help="Draw the areas over the page in this PNG file.")
@click.option("--svg", "svg_path", type=PATH, help="Draw the areas over the page in this SVG file.")
@click.option(
    "--store",
    "store_path",
    type=STORE,
    help="Lay the slots of the page's site, as learned in this store, over it. It is rendered for "
    "--png and --svg only.",
)
@click.option("--site", help="With --store: the site.  [default: that of the page's URL]")
def segment_command(**wanted: Unpack[SegmentOptions]) -> None:
    """Segment one page: render it and find its areas.

    With --store nothing is rendered: the page gets the slots of its site.
    """
    if wanted["store_path"] is not None:
        lay_slots(wanted, wanted["store_path"])
        return
    if wanted["site"] is not None:
        raise SettingsError("--site names a site of a store; add --store")
    segmenter = chosen_segmenter(wanted)
    json_path, png_path, svg_path = wanted["json_path"], wanted["png_path"], wanted["svg_path"]
    named = open_page(wanted["page"])
    parsed = parse(one_page(named, wanted["javascript"]))
    source = Several([named])  # it warns of missing style sheets
    with ChromiumRenderer() as renderer:
        rendered = segment_page(
            parsed, source, renderer, segmenter, screenshot=bool(png_path or svg_path)
        )
        snapshot, described = rendered.snapshot, described_areas(parsed, rendered)
        drawing = overlay.overlay(snapshot, rendered.areas)
        if png_path:
            write(png_path, picture(renderer, snapshot, drawing))
    if svg_path:
        write(svg_path, drawing.encode())
    if json_path:
        written = json_areas(described)
        if isinstance(segmenter, VIPS):
            written = with_structure(written, segmenter.structure(snapshot))
        write(json_path, written)
    screen.show(screen.areas_table(described))
    if notes := source.notes.all():
        screen.warn(screen.notes_table(notes))


def lay_slots(wanted: SegmentOptions, place: Path | PostgresDatabase) -> None:
    """Lay the slots of a stored site over a page; render it only to draw them."""
    learner = Settings(chosen_segmenter(wanted)).learner
    named = open_page(wanted["page"])
    parsed = parse(one_page(named, wanted["javascript"]))
    source = Several([named])
    with existing_store(place) as store:
        site = wanted["site"] or site_for(store, parsed.site)
        result = lay_stored(parsed, store, learner, site)
        if wanted["png_path"] or wanted["svg_path"]:
            draw_slots(wanted, parsed, source, partial(draw_stored, parsed, store, learner, site))
    if wanted["json_path"]:
        write(wanted["json_path"], json_areas(result.areas))
    template = result.template or "none"
    screen.say(f"{site}: template {template}, confidence {result.confidence:.3f}")
    for problem in result.problems:
        screen.complain(problem.message)
    screen.show(screen.slots_table(result.areas))
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


def with_structure(areas: bytes, structures: Sequence[AreaStructure]) -> bytes:
    """Add to areas in JSON the separators between the areas in them, and which are adjacent."""
    known = json.loads(areas)
    for area, structure in zip(known, structures, strict=True):
        area["separators"] = [asdict(separator) for separator in structure.separators]
        area["neighbours"] = structure.neighbours
    return json.dumps(known, indent=2, ensure_ascii=False).encode() + b"\n"


def one_page(source: Source, javascript: bool) -> RawPage:
    """Return the one page of a source, as its scripts leave it if they are run."""
    raw = next(iter(source.pages()))
    with scripts_if(javascript) as run_scripts:
        return raw if run_scripts is None else run_scripts(raw, source)


def picture(renderer: ChromiumRenderer, snapshot: Snapshot, drawing: str) -> bytes:
    """Draw over a snapshot, as PNG."""
    return renderer.picture(drawing, round(snapshot.rect.width), round(snapshot.rect.height))


def write(path: Path, data: bytes) -> None:
    """Write a file, its folder too if there is none."""
    with explained(path):
        put(path, data)
