"""Pictures of the worst hits of a site: their own areas, and those laid over."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from webstencil.codec import put
from webstencil.errors import RenderError
from webstencil.geometry import Rect, bounding
from webstencil.markup.parse import parse
from webstencil.model import Area, Page, PageArea, RawPage, Snapshot
from webstencil.output.files import explained
from webstencil.output.overlay import overlay
from webstencil.protocols import Source
from webstencil.render import ChromiumRenderer
from webstencil.settings import Settings
from webstencil.stages import BETWEEN, numbers, segment_page

WORST = 5  # hits of a site that are drawn
NAME = 60  # characters of a URL in a file name
TALLEST = 8000  # px of a page that are drawn


class ComparedHit(Protocol):
    """A page that was compared with its rendering, in any mode."""

    @property
    def url(self) -> str: ...
    @property
    def fidelity(self) -> float: ...
    @property
    def areas(self) -> tuple[PageArea, ...]: ...


@dataclass(frozen=True, slots=True)
class AreaPair:
    """The areas of a page: its own, and those laid over."""

    page: Page
    snapshot: Snapshot
    plain: tuple[Area, ...]
    laid_over: tuple[Area, ...]


def draw_worst(
    scores: Sequence[ComparedHit], source: Source, settings: Settings, folder: Path
) -> None:
    """Draw the hits of a site with the lowest fidelity."""
    worst = sorted(scores, key=lambda score: (score.fidelity, score.url))[:WORST]
    wanted = {score.url: score for score in worst}
    pages = {raw.url: raw for raw in source.pages() if raw.url in wanted}
    with ChromiumRenderer() as renderer:
        for url, score in wanted.items():
            try:
                pair = both_ways(pages[url], score, source, settings, renderer)
            except RenderError:
                continue
            for way, areas in (("plain", pair.plain), ("laid-over", pair.laid_over)):
                height = round(min(pair.snapshot.rect.height, TALLEST))
                drawing = overlay(pair.snapshot, areas)
                png = renderer.picture(drawing, round(pair.snapshot.rect.width), height)
                path = folder / f"{score.fidelity:.2f}-{file_name(url)}-{way}.png"
                with explained(path):
                    put(path, png)


def both_ways(
    raw: RawPage, score: ComparedHit, source: Source, settings: Settings, renderer: ChromiumRenderer
) -> AreaPair:
    """Render a page and find its areas; return them with those laid over it."""
    page = parse(raw)
    own = segment_page(page, source, renderer, settings.segmenter, screenshot=True)
    laid = tuple(areas_on_page(page, own.snapshot, score.areas))
    return AreaPair(page, own.snapshot, own.areas, laid)


def areas_on_page(page: Page, snapshot: Snapshot, areas: Sequence[PageArea]) -> list[Area]:
    """Return areas of a result with their rectangles on the page."""
    nodes = numbers(page)
    ends = page.tree.ends()
    found = []
    for area in areas:
        roots = [nodes[xpath] for xpath in area.xpath.split(BETWEEN)] if area.nodes else []
        inside = {node for root in roots for node in range(root, ends[root])}
        rects = [box.clip for box in snapshot.boxes if box.visible and box.node in inside]
        if rects:
            found.append(Area(bounding(rects), tuple(roots), kind=area.kind))
    return found or [Area(Rect(0, 0, 0, 0), ())]


def file_name(url: str) -> str:
    """Make a file name from a URL."""
    return re.sub(r"[^A-Za-z0-9]+", "-", url.split("://", 1)[-1]).strip("-")[-NAME:]
