"""What navigation costs for a page, in bare parses of the same pages, above what a hit does.

    python -m bench.navigation FOLDER [FOLDER ...]

Each page counts with the fastest of several rounds; read the ratios, not the microseconds.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from bench.stages import best
from webstencil.errors import ParseError
from webstencil.markup import bare_parse
from webstencil.navigation.kinds import PageLinks, navigation, page_links
from webstencil.navigation.repetition import Siblings
from webstencil.parse import parse
from webstencil.sources import Folder

PAGES = 20  # of a folder, drawn by seed
ALONE_ROUNDS = 1  # the models take their time
SEED = 1


def pages_of(folder: Path) -> Iterator[PageLinks]:
    """Yield some pages of a folder, drawn by lot."""
    raws = list(Folder(folder).pages())
    for raw in random.Random(SEED).sample(raws, min(PAGES, len(raws))):
        try:
            yield page_links(parse(raw))
        except ParseError:
            continue


def measure(folder: str, out: Console) -> None:
    """Measure the pages of one folder."""
    pages = list(pages_of(Path(folder)))
    siblings = Siblings()
    for known in pages:
        siblings.add("", known.targets)
    bare = best(lambda known: bare_parse(known.page.body), pages)
    out.print(f"{folder}: {len(pages)} pages, bare parse {bare * 1e3:.3f} ms")
    work = (
        ("links, blocks, targets", lambda known: page_links(known.page)),
        ("counting for the siblings", lambda known: Siblings().add("", known.targets)),
        ("kinds, siblings seen", lambda known: navigation(known, siblings, counted=True)),
    )
    for name, step in work:
        out.print(f"  {name}: {best(step, pages) / bare:.2f} bare parses")
    alone = best(navigation, pages, ALONE_ROUNDS)
    out.print(f"  kinds, page alone: {alone / bare:.0f} bare parses ({alone * 1e3:.1f} ms)")


def main(folders: list[str]) -> None:
    """Measure and print."""
    out = Console(highlight=False)
    for folder in folders:
        measure(folder, out)


if __name__ == "__main__":
    main(sys.argv[1:])
