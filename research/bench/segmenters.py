"""The cost of segmenters by the number of boxes, and as a share of rendering.

The first table is for made-up pages of three columns, the second for real ones: those in the
folder, or in $WEBSTENCIL_DATA/kreuzer-popular.tar.xz if it exists. Segmenters are measured in
processor time. A rendering waits for the browser, so the shortest of three counts. A segmenter that
took too long on a page gets no larger one.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

from rich.console import Console
from rich.table import Table

from research import DATA
from research.bench import bench_parser
from webstencil.evaluate.hand_marked import LabelledPage, read_marked_pages
from webstencil.evaluate.labelled_data import unpacked
from webstencil.geometry import Rect
from webstencil.model import NO_PARENT, Box, BoxKind, Snapshot, Viewport
from webstencil.protocols import Segmenter
from webstencil.render import ChromiumRenderer
from webstencil.segment import SEGMENTERS
from webstencil.testing import PLAIN_STYLE, WHITE_BACKDROP

SIZES = (100, 500, 1_000, 5_000, 10_000, 50_000)  # boxes
TOO_LONG = 20.0  # s
REAL_PAGES = 12
RENDERINGS = 3  # of each real page
COLUMNS = ((20.0, 220.0), (260.0, 900.0), (940.0, 1340.0))  # px: menu, articles, sidebar
LINKS = 6  # in the list of a card
LINE = 20.0  # px
GAP = 30.0  # px between cards


class MadeUpPage:
    """A page on which boxes are laid out one by one."""

    def __init__(self) -> None:
        self.boxes: list[Box] = []

    def add(self, parent: int, rect: Rect, words: str = "", **style: Any) -> int:
        """Lay out an element, or a text if there are words; return its number."""
        kind = BoxKind.TEXT if words else BoxKind.ELEMENT
        look = self.boxes[parent].style if words else replace(PLAIN_STYLE, **style)
        lines = (rect,) if words else ()
        self.boxes.append(
            Box(len(self.boxes), parent, kind, rect, rect, True, look, WHITE_BACKDROP, lines, words)
        )
        return len(self.boxes) - 1

    def card(self, column: int, top: float, sides: tuple[float, float]) -> float:
        """Lay out a headline, a paragraph and a list of links; return the bottom."""
        left, right = sides
        bottom = top + (LINKS + 4) * LINE
        around = self.add(column, Rect(left, top, right, bottom))
        title = self.add(around, Rect(left, top, right, top + LINE), font_size=20.0)
        self.add(title, Rect(left, top, left + 120, top + LINE), "Headline of a card")
        text = Rect(left, top + LINE, right, top + 3 * LINE)
        self.add(self.add(around, text), text, "Some words that fill two lines of a paragraph")
        links = self.add(around, Rect(left, top + 4 * LINE, right, bottom))
        for number in range(LINKS):
            line = top + (4 + number) * LINE
            item = self.add(links, Rect(left, line, right, line + LINE))
            self.add(item, Rect(left, line, left + 80, line + LINE), f"Link {number}")
        return bottom


def made_up(size: int) -> Snapshot:
    """Make a page of about so many boxes."""
    page = MadeUpPage()
    root = page.add(NO_PARENT, Rect(0.0, 0.0, 1366.0, 768.0))
    body = page.add(root, Rect(0.0, 0.0, 1366.0, 768.0))
    height = 0.0
    for sides in COLUMNS:
        column = len(page.boxes)
        page.add(body, Rect(sides[0], 0.0, sides[1], 0.0))
        bottom = 0.0
        while len(page.boxes) - column < (size - 2) / len(COLUMNS):
            bottom = page.card(column, bottom + GAP, sides)
        page.boxes[column] = resized(page.boxes[column], bottom)
        height = max(height, bottom)
    for number in (root, body):
        page.boxes[number] = resized(page.boxes[number], height)
    whole = Rect(0.0, 0.0, 1366.0, height)
    return Snapshot("http://bench.example/", Viewport(), whole, tuple(page.boxes), complete=True)


def resized(box: Box, bottom: float) -> Box:
    """Move the bottom of a box."""
    rect = replace(box.rect, bottom=bottom)
    return replace(box, rect=rect, clip=rect)


def seconds(segmenter: Segmenter, snapshot: Snapshot) -> float:
    """Measure one run."""
    began = process_time()
    segmenter.segment(snapshot)
    return process_time() - began


def growth(console: Console) -> None:
    """Print the cost of each segmenter against the number of boxes."""
    table = Table("boxes", *sorted(SEGMENTERS), title="ms for a made-up page", box=None)
    out_of_time: set[str] = set()
    for size in SIZES:
        snapshot = made_up(size)
        cells = [f"{len(snapshot.boxes):,}"]
        for name in sorted(SEGMENTERS):
            spent = None if name in out_of_time else seconds(SEGMENTERS[name](), snapshot)
            cells.append("-" if spent is None else f"{spent * 1000:,.0f}")
            if spent is not None and spent > TOO_LONG:
                out_of_time.add(name)
        table.add_row(*cells)
    console.print(table)


def shares(console: Console, folder: Path) -> None:
    """Print the cost of each segmenter beside that of rendering, on real pages."""
    known = list(read_marked_pages(folder))
    pages = known[:: max(1, len(known) // REAL_PAGES)]
    names = sorted(SEGMENTERS)
    table = Table("page", "boxes", "render", *names, title="ms for a real page", box=None)
    spent: dict[str, list[float]] = {name: [] for name in ("render", *names)}
    for page, snapshot, rendering in rendered(pages):
        spent["render"].append(rendering)
        for name in names:
            spent[name].append(seconds(SEGMENTERS[name](), snapshot))
        cells = [f"{times[-1] * 1000:,.0f}" for times in spent.values()]
        table.add_row(page.name.partition("/")[0], str(len(snapshot.boxes)), *cells)
    total = sum(spent["render"])
    table.add_row("median", "", *(f"{median(times) * 1000:,.0f}" for times in spent.values()))
    table.add_row(
        "sum as share of rendering", "", *(f"{sum(t) / total:.0%}" for t in spent.values())
    )
    console.print(table)


def rendered(pages: list[LabelledPage]) -> Iterator[tuple[LabelledPage, Snapshot, float]]:
    """Render pages after a first rendering that warms up the browser."""
    with ChromiumRenderer() as renderer:
        renderer.render(pages[0].page, pages[0].source)
        for page in pages:
            spent = []
            for _ in range(RENDERINGS):
                began = perf_counter()
                snapshot = renderer.render(page.page, page.source)
                spent.append(perf_counter() - began)
            yield page, snapshot, min(spent)


def main() -> None:
    """Measure made-up pages, and real ones if there are some."""
    parser = bench_parser("segmenters", __doc__)
    parser.add_argument(
        "folder",
        type=Path,
        nargs="?",
        help="labelled pages",
        default=DATA / "kreuzer-popular.tar.xz",
    )
    real: Path = parser.parse_args().folder
    console = Console()
    growth(console)
    if not real.exists():
        console.print(f"no real pages: there is no {real}")
        return
    with tempfile.TemporaryDirectory() as scratch:
        shares(console, unpacked(real, Path(scratch)))


if __name__ == "__main__":
    main()
