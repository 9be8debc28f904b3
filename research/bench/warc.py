"""The cost of a hit from a WARC file, beside the same page from a folder.

Without folders it measures the demo site. Each folder is packed as a WARC file, every record
compressed as crawlers do. Both are processed twice, each with its own store: the first run learns
the stencils, the second one has nothing to render and is timed. CPU seconds are of this process.
"""

import gzip
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time

from rich.console import Console
from rich.table import Table

from research.bench import bench_parser
from research.demo import build
from webstencil.jobs.job import Pipeline
from webstencil.protocols import Source
from webstencil.render import ChromiumRenderer
from webstencil.sources import Folder, WarcFile
from webstencil.sources.folder import content_type
from webstencil.store import open_store

LEVEL = 6  # of gzip, its usual one


@dataclass(frozen=True, slots=True)
class Speed:
    """The times of one source."""

    name: str
    hits: int
    wall: float  # s, for the second run
    cpu: float  # s, the same
    reading: float  # CPU s, for reading all pages


def packed(url: str, body: bytes, kind: str) -> bytes:
    """Return a compressed record."""
    answer = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n".encode() + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
        "WARC-Date: 2024-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:0>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + answer + b"\r\n\r\n", LEVEL)


def pack(folder: Path, base_url: str, path: Path) -> None:
    """Write the pages and resources of a folder as a WARC file."""
    source = Folder(folder, base_url=base_url)
    with path.open("wb") as file:
        for page in source.pages():
            file.write(packed(page.url, page.body, "text/html"))
        for other in sorted(folder.rglob("*")):
            if other.is_file() and content_type(other).startswith(("text/css", "image/", "font/")):
                file.write(packed(source.address(other), other.read_bytes(), content_type(other)))


def measure(name: str, source: Source, store: Path, renderer: ChromiumRenderer) -> Speed:
    """Process a source twice and time the second run."""
    began = process_time()
    for _ in source.pages():
        pass
    reading = process_time() - began
    with open_store(store) as opened:
        learning = Pipeline(opened, renderer)
        for _ in learning.run(source):
            pass
        opened.results.redo(learning.settings.learner)
        again = Pipeline(opened, renderer)
        started = perf_counter(), process_time()
        for _ in again.run(source):
            pass
        wall, cpu = perf_counter() - started[0], process_time() - started[1]
        hits = again.report().hits
    return Speed(name, hits, wall, cpu, reading)


def table(title: str, speeds: list[Speed]) -> Table:
    """Show the speeds, and the time of each as a share of the first one's."""
    shown = Table(
        *("source", "hits", "hits/s", "hits/CPU-s", "time", "CPU ms for reading"),
        title=title,
        title_justify="left",
        box=None,
    )
    first = speeds[0].cpu / max(1, speeds[0].hits)
    for speed in speeds:
        each = speed.cpu / max(1, speed.hits)
        shown.add_row(
            speed.name,
            str(speed.hits),
            f"{speed.hits / speed.wall:,.0f}",
            f"{speed.hits / speed.cpu:,.0f}",
            f"{each / first:.2f}",
            f"{speed.reading * 1000:,.0f}",
        )
    return shown


def main() -> None:
    """Measure folders, or the demo site."""
    parser = bench_parser("warc", __doc__)
    parser.add_argument("folders", type=Path, nargs="*", metavar="FOLDER", help="pages of a site")
    folders: list[Path] = parser.parse_args().folders
    with tempfile.TemporaryDirectory() as name, ChromiumRenderer() as renderer:
        scratch = Path(name)
        for folder in map(Path.resolve, folders or [build(scratch / "demo").folder]):
            base = f"http://{folder.name}.example"
            warc = scratch / f"{folder.name}.warc.gz"
            pack(folder, base, warc)
            sources: dict[str, Source] = {
                "folder": Folder(folder, base_url=base),
                "WARC": WarcFile(warc),
            }
            speeds = [
                measure(kind, source, scratch / f"{folder.name} {kind}.db", renderer)
                for kind, source in sources.items()
            ]
            Console().print(table(folder.name, speeds))


if __name__ == "__main__":
    main()
