"""A crawl without a browser, for tests that kill it.

    python -m research.support.crawl_job URL FOLDER

A file lists every rendering, and whether the store had that page's stencil already.
"""

import sys
from functools import partial
from pathlib import Path

from webstencil.crawl.frontier_tables import frontier_path
from webstencil.crawl.messages import CrawlLimits, CrawlPlan, Manners
from webstencil.crawl.source import CrawlOutcome, CrawlSource
from webstencil.jobs.job import Pipeline
from webstencil.model import Page, Snapshot
from webstencil.output import JsonLines
from webstencil.protocols import Done, Resources
from webstencil.settings import Settings
from webstencil.store import SqlStore, open_store
from webstencil.testing import StackRenderer

DEFAULT = CrawlLimits()


class NotingRenderer(StackRenderer):
    """Writes down what it renders, before it does."""

    def __init__(self, notes: Path, store: SqlStore) -> None:
        super().__init__()
        self._notes = notes
        self._store = store

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        known = {stencil.made_from for stencil in self._store.stencils.all()}
        with self._notes.open("a") as notes:
            notes.write(f"{'again' if page.url in known else 'first'} {page.url}\n")
        resources.fetch(page.url.rpartition("/")[0] + "/style.css")
        return super().render(page, resources, screenshot=screenshot)


def make_plan(url: str, folder: Path, limits: CrawlLimits, sites: int = 1) -> CrawlPlan:
    """Plan the crawl of a site into a folder, without delays."""
    return CrawlPlan(
        start=url,
        frontier=frontier_path(folder / "site.db"),
        sites=sites,
        limits=limits,
        manners=Manners(delay=0.0, allow_private=True),
        warc=folder / "site.warc.gz",
        store=folder / "site.db",
        learner=Settings().learner,
    )


def run_plan(plan: CrawlPlan, folder: Path) -> CrawlOutcome:
    """Crawl as planned."""
    settings = Settings()
    with open_store(folder / "site.db") as store, CrawlSource(plan) as source:
        outcome = CrawlOutcome(visits=source.visits)
        pipeline = Pipeline(store, NotingRenderer(folder / "notes", store), settings)
        known = partial(store.results, settings.learner)
        with JsonLines(folder / "site.jsonl", known) as lines:
            for event in pipeline.events(source):
                outcome.add(event)
                if isinstance(event, Done):
                    lines.write(event.result)
    return outcome


def run(url: str, folder: Path, limits: CrawlLimits = DEFAULT, sites: int = 1) -> CrawlOutcome:
    """Crawl a site into a folder."""
    return run_plan(make_plan(url, folder, limits, sites), folder)


if __name__ == "__main__":
    run(sys.argv[1], Path(sys.argv[2]))
