"""A job to be killed: saves results in a store and writes them; some pages come again, changed.

python killed_job.py OUTPUT NUMBER
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from webstencil.geometry import Rect
from webstencil.model import PageArea, PageResult, Status
from webstencil.output import open_output, parquet
from webstencil.protocols import Done
from webstencil.store import open_store

MAKER = "me"


def results(number: int) -> Iterator[tuple[PageResult, bytes]]:
    """Make results of three sites; the last fifth are pages that came before."""
    pages = number * 4 // 5 // 3 * 3
    for place in range(number):
        site = f"s{place % 3}.example"
        url = f"http://{site}/{place % pages}"
        area = PageArea(0, None, None, f"{place} " * 200, "p", "/p", Rect(0, 0, 1, 1), 1, 1.0)
        areas = (area, area)
        yield (
            PageResult(url, site, Status.HIT, "key", 1 / (place + 1), areas),
            b"%d" % (place // pages),
        )


def main(path: Path, number: int) -> None:
    parquet.LARGEST_PART = 60_000  # so that there are many parts
    name = path.name if path.name in ("parquet", "md") else "jsonl"
    with open_store(path.parent / "s.db") as store:
        done = store.results.done(MAKER)
        with open_output(path, name, lambda: store.results(MAKER)) as out:
            print("begun", flush=True)  # noqa: T201 - for the one who kills it
            for result, digest in results(number):
                if done.get(result.url, b"") < digest:
                    store.save(MAKER, [Done(result, digest)])
                    out.write(result)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
