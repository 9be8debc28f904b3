"""Drift on real sites: a redesign is noticed, and nothing else is.

Each site is processed with half of its pages, every second one. Then its URLs are visited again
with other bodies:

- edited: their own, with one more paragraph or list item.
- other stories: those of the site's other half. Every URL has a new page, often of another
  template: more change than a site has without a redesign.
- redesigned: those of the next site.

Pages are rendered without a browser, one line a text: stencils are worse, the comparison is the
same.
"""

import re
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.table import Table

from research.bench import bench_parser
from webstencil.jobs.job import Pipeline
from webstencil.model import RawPage
from webstencil.queries.drift import SiteDrift, compare
from webstencil.sources import Folder
from webstencil.store import open_store
from webstencil.testing import MemorySource, StackRenderer

PAGES = 200  # of each site
LEAST_BYTES = 2000  # shorter pages are redirects
PARAGRAPH = re.compile(rb"<(p|li)\b[^>]*>.*?</\1>", re.DOTALL)


def halves(folder: Path, pages: int) -> tuple[list[RawPage], list[RawPage]]:
    """Return every second page of a folder, and the others."""
    found = (page for page in Folder(folder).pages() if len(page.body) >= LEAST_BYTES)
    chosen = list(islice(found, pages))
    return chosen[0::2], chosen[1::2]


def edited(page: RawPage) -> RawPage:
    """Repeat one of the page's paragraphs."""
    found = list(PARAGRAPH.finditer(page.body))
    if not found:
        return replace(page, body=page.body + b" ")
    middle = found[len(found) // 2]
    end = middle.end()
    return replace(page, body=page.body[:end] + middle.group() + page.body[end:])


def drift(first: Sequence[RawPage], second: Sequence[RawPage]) -> SiteDrift:
    """Process pages, then the same URLs with other bodies, and compare."""
    with tempfile.TemporaryDirectory() as scratch, open_store(Path(scratch, "s.db")) as store:
        for bodies in (first, second):
            pairs = zip(first, bodies, strict=False)
            source = MemorySource({page.url: other.body for page, other in pairs})
            for _ in Pipeline(store, StackRenderer()).run(source):
                pass
        found = compare(store.runs.past(), store.stencils.all())
        return max(found, key=lambda site: site.known)


def cell(found: SiteDrift) -> str:
    """Write the share of pages with new stencils."""
    share = found.known_anew / found.known if found.known else 0.0
    return f"{share:.0%} of {found.known}{', drifted' if found.drifted else ''}"


def main() -> None:
    """Print a table."""
    parser = bench_parser("drift", __doc__)
    parser.add_argument("--pages", type=int, default=PAGES, help="of each site")
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER", help="pages of a site")
    wanted = parser.parse_args()
    sites = [halves(folder, wanted.pages) for folder in wanted.folders]
    table = Table(
        "site", "edited", "other stories", "redesigned", title="pages that follow new stencils"
    )
    for number, (folder, (first, second)) in enumerate(zip(wanted.folders, sites, strict=True)):
        strange = sites[(number + 1) % len(sites)][0]
        bodies = ([edited(page) for page in first], second, strange)
        table.add_row(folder.name, *(cell(drift(first, others)) for others in bodies))
    Console().print(table)


if __name__ == "__main__":
    main()
