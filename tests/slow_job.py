"""A job to be killed: it processes a folder of pages, slowly.

python slow_job.py STORE FOLDER BASE_URL SECONDS
"""

import sys
import time
from collections.abc import Iterator
from pathlib import Path

from webstencil.jobs.job import Pipeline
from webstencil.model import RawPage, Resource
from webstencil.sources import Folder
from webstencil.store import open_store
from webstencil.testing import StackRenderer


class SlowSource:
    """A folder that takes its time for each page, both times that it is read."""

    def __init__(self, folder: Path, base_url: str, seconds: float) -> None:
        self._folder = Folder(folder, base_url=base_url)
        self._seconds = seconds

    def pages(self) -> Iterator[RawPage]:
        for page in self._folder.pages():
            time.sleep(self._seconds)
            yield page

    def count(self) -> int:
        return self._folder.count()

    def fetch(self, url: str) -> Resource | None:
        return self._folder.fetch(url)


def work(store: Path, folder: Path, base_url: str, seconds: float = 0.0) -> None:
    """Do the job, with the main content of each page."""
    with open_store(store) as opened:
        pipeline = Pipeline(opened, StackRenderer(), items=["content"])
        print("begun", flush=True)  # noqa: T201 - for the one who kills it
        for _ in pipeline.run(SlowSource(folder, base_url, seconds)):
            continue


if __name__ == "__main__":
    work(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], float(sys.argv[4]))
