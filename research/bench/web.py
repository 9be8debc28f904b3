"""Response times of the web pages on a large store.

Without a store it makes one in a temporary folder: pages of a few dozen sites, processed in ten
runs, each with a dozen areas. Each page is requested a few times; the median is printed. It is the
server's own time, from a request to the whole response, within one process.
"""

import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter
from urllib.parse import quote

from rich.console import Console
from rich.table import Table
from starlette.testclient import TestClient

from research.bench import bench_parser
from webstencil.geometry import Rect
from webstencil.model import NO_PARENT, Area, PageArea, PageResult, Problem, Status, Stencil, Tree
from webstencil.protocols import Done
from webstencil.queries.lists import ShownStore
from webstencil.settings import Settings
from webstencil.store import SqlStore, open_store
from webstencil.web.app import make_app
from webstencil.web.server import hosts_for

PAGES = 50_000
SITES = 40
RUNS = 10
PER_STENCIL = 100  # pages
AREAS = 12  # of a page
FAILED = 50  # one page in so many
TOGETHER = 500  # pages saved at once
NODES = 400  # of a learned page
TIMES = 7  # that each page is requested


def rect(number: int) -> Rect:
    return Rect(100.0, 80.0 * number, 1266.0, 80.0 * number + 70.0)


def stencil(key: str, site: str, learner: str, url: str) -> Stencil:
    tags = ("html", "body", *["div"] * (NODES - 2))
    tree = Tree(tags, (NO_PARENT, 0, *[1] * (NODES - 2)), ("",) * NODES, ("card",) * NODES)
    areas = tuple(Area(rect(number), (number + 2,), kind="list") for number in range(AREAS))
    return Stencil(key, site, tree, frozenset(range(60)), areas, learner, url)


def page(number: int, sites: int, learner: str) -> Done:
    """Make the result of a page; the first of each template is learned, a few fail."""
    site = f"site{number % sites:03}.example"
    index = number // sites
    key = f"{number % sites:03}-{index // PER_STENCIL:04}"
    url = f"https://{site}/section-{index % 17}/story-{index:06}.html"
    words = f"Some words of the story with the number {number}. " * 6
    areas = tuple(
        PageArea(n, None, "list", words, f"main > div:nth-child({n})", f"/html/body/div[{n}]",
                 rect(n), 1, 0.95, n)
        for n in range(AREAS)
    )  # fmt: skip
    digest = number.to_bytes(16)
    if index % PER_STENCIL == 0:
        result = PageResult(url, site, Status.LEARNED, key, 1.0, areas)
        return Done(result, digest, stencil(key, site, learner, url), "first page of the site")
    if number % FAILED == 0:
        problem = Problem("render", "PageTimeout", f"{url}: no answer within the time limit")
        return Done(PageResult(url, site, Status.FAILED, None, 0.0, (), (problem,)), digest)
    return Done(PageResult(url, site, Status.HIT, key, 0.95, areas), digest)


def fill(store: SqlStore, pages: int, sites: int) -> None:
    """Save pages in a few runs."""
    learner = Settings().learner
    began = datetime(2026, 1, 1, tzinfo=UTC)
    share = -(-pages // RUNS)
    for run in range(RUNS):
        number = store.runs.begin(learner, began + timedelta(days=run))
        for first in range(run * share, min(pages, (run + 1) * share), TOGETHER):
            last = min(first + TOGETHER, pages, (run + 1) * share)
            store.save(learner, [page(n, sites, learner) for n in range(first, last)], number)
        store.runs.end(number, frozenset(), Settings().retire_after)


def measured(path: Path) -> Iterator[tuple[str, int, float]]:
    """Yield the name of each page, its bytes, and the median of its seconds."""
    shown = ShownStore(path)
    stencils = shown.store().stencils.all()
    largest = max(stencils, key=lambda one: one.hits)
    url = quote(largest.made_from, safe="")
    urls = {
        "sites": "/",
        "a site": f"/site?name={largest.site}",
        "its problems": f"/problems?name={largest.site}",
        "a stencil": f"/stencil?key={largest.key}",
        "a stencil, filtered": f"/stencil?key={largest.key}&q=story",
        "all pages": "/pages",
        "all pages, far on": "/pages?page=500",
        "search, many found": "/pages?q=STORY-0",
        "search, one found": f"/pages?q={url}",
        "search, none found": "/pages?q=nowhere",
        "failed pages": "/pages?status=failed",
        "a result": f"/result?url={url}",
        "a result as JSON": f"/result.json?url={url}",
        "the form": "/try",
    }
    with TestClient(make_app(shown, hosts_for("testserver"))) as client:
        for name, address in urls.items():
            seconds = []
            for _ in range(TIMES):
                began = perf_counter()
                response = client.get(address)
                seconds.append(perf_counter() - began)
                response.raise_for_status()
            yield name, len(response.content), median(seconds)


def main() -> None:
    """Measure a store, or one that is made up."""
    parser = bench_parser("web", __doc__)
    parser.add_argument("--pages", type=int, default=PAGES, help="of the made-up store")
    parser.add_argument("--sites", type=int, default=SITES, help="of the made-up store")
    parser.add_argument("store", type=Path, nargs="?")
    wanted = parser.parse_args()
    table = Table("page", "bytes", "ms", box=None)
    with tempfile.TemporaryDirectory() as scratch:
        path = wanted.store or Path(scratch, "large.db")
        if not path.exists():
            with open_store(path) as store:
                fill(store, wanted.pages, wanted.sites)
        for name, size, seconds in measured(path):
            table.add_row(name, f"{size:,}", f"{seconds * 1000:.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
