"""The areas of all segmenters side by side, as an HTML page."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import click

from research import DATA
from research.demo import build
from webstencil.cli import screen
from webstencil.cli.evaluate_commands import with_cache
from webstencil.cli.method_options import (
    PAPER,
    chosen_segmenters,
    preset_option,
    segmenters_option,
    set_options,
)
from webstencil.cli.options import PATH
from webstencil.errors import ParseError, RenderError, SourceError
from webstencil.evaluate.hand_marked import FINEST, BlockLabel, marked_areas, read_marked_pages
from webstencil.evaluate.labelled_data import evenly_spread, unpacked
from webstencil.evaluate.segmentation import SegmentationCase, timed_areas
from webstencil.evaluate.snapshots import KeepingRenderer
from webstencil.markup.parse import parse
from webstencil.model import Area, Page, RawPage, Snapshot
from webstencil.output import overlay
from webstencil.protocols import Segmenter, Source
from webstencil.sources import Folder

LABELLED_PAGES = 5
SITE_PAGES = 5
NO_CONTENT = frozenset({"broken", "empty"})  # pages of the demo site that show no template
TYPICAL = 0.75  # of a site's pages sorted by size: after redirects, before archives

STYLE = """
:root{color-scheme:light dark}
body{font:14px/1.4 sans-serif;margin:clamp(12px,3vw,32px);color:#222;background:#f4f4f2}
h2{margin:2em 0 .5em;font-size:16px;overflow-wrap:anywhere}
.row{display:flex;gap:12px;align-items:flex-start;overflow-x:auto;padding:3px}
label{position:relative;flex:0 0 300px;cursor:zoom-in}
label:has(:checked){flex-basis:1366px;cursor:zoom-out}
label:has(:focus-visible){outline:3px solid #1e88e5}
input{position:absolute;opacity:0}
svg{display:block;width:100%;height:auto;background:#fff;border:1px solid #bbb}
svg rect{vector-effect:non-scaling-stroke}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#1c1c1b}}
"""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A page to show."""

    name: str
    page: Page
    source: Source
    labels: tuple[BlockLabel, ...] = ()


def make_gallery(
    out: Path, data: Path, cache: Path, methods: Mapping[str, Segmenter]
) -> Iterator[str]:
    """Write the gallery into a folder; yield what is missing, what failed and its path."""
    parts = []
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, KeepingRenderer(cache / "snapshots") as renderer:
        exhibits = [*real_exhibits(data, cache), *demo_exhibits(Path(scratch))]
        for number, exhibit in enumerate(exhibits):
            if isinstance(exhibit, str):
                yield exhibit
                continue
            try:
                snapshot = renderer.render(exhibit.page, exhibit.source, screenshot=True)
            except RenderError as error:
                yield f"{exhibit.name} is left out: {error}"
                continue
            picture = f"{number:02}.png"
            (out / picture).write_bytes(snapshot.screenshot or b"")
            parts.append(exhibit_row(exhibit, snapshot, picture, methods))
    (out / "index.html").write_text(gallery_page(parts), encoding="utf-8")
    yield f"{len(parts)} pages, {len(methods)} segmenters: {out / 'index.html'}"


def real_exhibits(data: Path, cache: Path) -> Iterator[Exhibit | str]:
    """Yield labelled pages and pages of sites, or that there are none."""
    labelled = data / "kreuzer-popular.tar.xz"
    if labelled.exists():
        pages = list(read_marked_pages(unpacked(labelled, cache)))
        for known in (pages[index] for index in evenly_spread(len(pages), LABELLED_PAGES)):
            yield Exhibit(known.name, known.page, known.source, known.labels)
    else:
        yield f"no labelled pages: {labelled} does not exist"
    archives = sorted((data / "sites").glob("*.tar.xz"))
    if not archives:
        yield f"no pages of real sites: {data / 'sites'} has none"
    for index in evenly_spread(len(archives), SITE_PAGES):
        yield from site_exhibit(unpacked(archives[index], cache))


def site_exhibit(folder: Path) -> Iterator[Exhibit | str]:
    """Yield a page of typical size."""
    source = Folder(folder)
    try:
        by_size = sorted(source.pages(), key=lambda raw: (len(raw.body), raw.url))
        raw = by_size[int(TYPICAL * len(by_size))]
        yield Exhibit(raw.url, parse(raw), source)
    except (ParseError, SourceError, IndexError) as error:
        yield f"no page of {folder}: {error}"


def demo_exhibits(scratch: Path) -> Iterator[Exhibit]:
    """Yield the first page of each template of the demo site."""
    demo = build(scratch / "demo")
    source = Folder(demo.folder, base_url=demo.base_url)
    first: dict[str, str] = {}
    for path, template in demo.gold:
        if template not in NO_CONTENT:
            first.setdefault(template, path)
    for template, path in first.items():
        file = demo.folder / path
        page = parse(RawPage(source.address(file), file.read_bytes()))
        yield Exhibit(f"demo site, {template}: {path}", page, source)


def exhibit_row(
    exhibit: Exhibit, snapshot: Snapshot, picture: str, methods: Mapping[str, Segmenter]
) -> str:
    """Write the row of a page: its blocks by hand, if there are any, and each method's areas."""
    case = SegmentationCase(exhibit.name, exhibit.page, snapshot, ())
    figures = []
    if exhibit.labels:
        blocks = marked_areas(exhibit.labels, FINEST, exhibit.page.tree, snapshot)
        figures.append(drawn_figure(f"by hand: {len(blocks)} blocks", snapshot, picture, blocks))
    for name, segmenter in methods.items():
        found = timed_areas(case, segmenter)
        number = sum(1 for area in found.areas if area.nodes)
        words = found.problem or f"{number} areas, {found.seconds:.2f} s"
        figures.append(drawn_figure(f"{name}: {words}", snapshot, picture, found.areas))
    return f'<h2>{escape(exhibit.name)}</h2>\n<div class="row">\n{"".join(figures)}</div>\n'


def drawn_figure(caption: str, snapshot: Snapshot, picture: str, areas: Sequence[Area]) -> str:
    """Draw areas over the picture of their page; a click enlarges it."""
    width, height = round(snapshot.rect.width), round(snapshot.rect.height)
    png_width, png_height = overlay.png_size(snapshot.screenshot or b"")
    frames = map(overlay.frame, overlay.outlines(areas))
    image = f'<image href="{picture}" width="{png_width}" height="{png_height}"/>'
    return (
        f'<label><input type="checkbox">{escape(caption)}'
        f'<svg viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="{overlay.LABEL_SIZE}">{image}{"".join(frames)}</svg></label>\n'
    )


def gallery_page(parts: Sequence[str]) -> str:
    """Write the HTML page around the rows."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>webstencil: segmenters side by side</title><style>{STYLE}</style></head><body>\n"
        "<h1>Segmenters side by side</h1>\n<p>Solid frames are areas that hold something, dashed "
        "ones hold other areas. Click a picture, or press space on it, to enlarge it.</p>\n"
        f"{''.join(parts)}</body></html>\n"
    )


# `webstencil evaluate gallery`.


@click.command("gallery")
@click.option(
    "--out",
    type=PATH,
    default=Path("build/gallery"),
    show_default=True,
    help="Folder of the HTML page.",
)
@click.option(
    "--data",
    type=PATH,
    default=DATA,
    show_default="$WEBSTENCIL_DATA",
    help="Folder with kreuzer-popular.tar.xz and sites/*.tar.xz.",
)
@segmenters_option
@set_options
@preset_option
@with_cache
def gallery_command(
    out: Path,
    data: Path,
    names: Sequence[str],
    values: Sequence[str],
    preset: str | None,
    cache: Path,
) -> None:
    """Draw the areas of all segmenters side by side.

    It uses real pages, if there are any, and the demo site.
    """
    segmenters = chosen_segmenters(names, values, published=preset == PAPER)
    for words in make_gallery(out, data, cache, segmenters):
        screen.say(words)
