"""A store in an SQL database, which several processes may use at once.

It is one SQLite file, or for processes on several hosts a schema of a PostgreSQL database. What a
method has written is there when it returns, and survives the end of the process by any means. In a
file it survives a power failure up to the last checkpoint (SQLite's `synchronous=NORMAL`): what is
lost then is done again by the next run.

The parts of a store share one `OpenDatabase`, where all transactions begin. `sqlite.py` and
`postgres.py` hold what differs between the two kinds; all statements are the same.
"""

from collections.abc import Callable, Container, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Self

from webstencil.codec import encode_result
from webstencil.errors import SourceError, StoreError
from webstencil.model import PageResult, Status, Stencil
from webstencil.protocols import Done, News, Store
from webstencil.store.blobs import BlobTable
from webstencil.store.copy import StoreTables
from webstencil.store.database import OpenDatabase, explained
from webstencil.store.location import StorePlace, database_of
from webstencil.store.lookups import PageLookups
from webstencil.store.outlines import OutlineTable, add_outlines, outline_rows
from webstencil.store.postgres import PostgresDatabase
from webstencil.store.results import ResultTable, add_pages
from webstencil.store.site_templates import TemplateTable
from webstencil.store.spool import SpoolTable, add_waiting
from webstencil.store.stencils import StencilSummary, StencilTable, add_stencil
from webstencil.store.usage import UsageTable, count_pages, end_older, retire_all
from webstencil.store.witnesses import WitnessTable

LOCK_WAIT = 30.0  # s; SQLite's lock is not fair: with 8 writers the slowest waited 1.7 s


class SqlStore(Store):
    """Keeps stencils and results in a database; see `protocols.Store`.

    `usage`, `lookups` and `tables` hold what only people and commands ask for; `outlines` and
    `templates` what is known of sites, `witnesses` their rendered pages and areas, `spool` pages
    that wait for it.
    """

    def __init__(self, database: OpenDatabase) -> None:
        """Use an open database; `open_store` opens one."""
        self.database = database
        self.usage = UsageTable(database)
        self.lookups = PageLookups(database)
        self.tables = StoreTables(database)
        self._results = ResultTable(database)
        self._stencils = StencilTable(database)
        self._blobs = BlobTable(database)
        self.outlines = OutlineTable(database)
        self.templates = TemplateTable(database, self._blobs, self.outlines)
        self.spool = SpoolTable(database)
        self.witnesses = WitnessTable(database, self._blobs)

    def stencils(self, site: str, learner: str) -> tuple[Stencil, ...]:
        return self.news(site, learner).stencils

    def all_stencils(self) -> tuple[StencilSummary, ...]:
        """Return a summary of each stencil, oldest first."""
        return self._stencils.summaries()

    def stencil(self, key: str) -> Stencil:
        """Return the stencil with that key; raise a `StoreError` if there is none."""
        return self._stencils.stencil(key)

    def forget(self, key: str) -> int:
        """Remove a stencil and the results made with it; return how many pages are to be redone."""
        return self._stencils.forget(key)

    def forget_site(self, learner: str, site: str) -> int:
        """Forget what was learned of a site; return how many pages are to be processed again."""
        self.witnesses.forget(learner, site)
        return self._stencils.forget_all(learner, site)

    def results(self, learner: str) -> Iterator[PageResult]:
        return self.templates.named(self._results.results(learner))

    def results_of(self, learner: str, urls: Sequence[str]) -> dict[str, PageResult]:
        found = self._results.results_of(learner, urls)
        return {result.url: result for result in self.templates.named(found.values())}

    def done(self, learner: str) -> dict[str, bytes]:
        return self._results.done(learner)

    def counts(self, learner: str) -> dict[Status, int]:
        """Return the number of pages of each status."""
        return self._results.counts(learner)

    def redo(self, learner: str) -> int:
        return self._results.redo(learner)

    def revise(self, learner: str, results: Sequence[PageResult]) -> None:
        """Replace results of pages that need not be processed again."""
        self._results.revise(learner, results)

    def remove(self, learner: str, url: str) -> None:
        self._results.remove(learner, url)

    def save(self, learner: str, pages: Sequence[Done], run: int = 0) -> None:
        maker = self.database.maker(learner)
        bodies = [page.body or encode_result(page.result) for page in pages]
        outlines = outline_rows([page.surveyed for page in pages if page.surveyed])
        with self.database.writing(f"save the result of {pages[0].result.url}") as db:
            known = add_pages(db, maker, pages, bodies)
            add_outlines(db, outlines)
            add_waiting(db, [page.waiting for page in pages if page.waiting])
            for page in pages:
                if page.learned is not None:
                    add_stencil(db, maker, page.learned, page.why)
                    end_older(db, maker, page.learned, run)
            if run:
                count_pages(db, run, pages, known)

    def begin(self, learner: str, when: datetime) -> int:
        return self.usage.begin(learner, when)

    def end(self, run: int, met: Container[str], after: int) -> tuple[str, ...]:
        return self.usage.end(run, met, after)

    def versions(self, learner: str, *statuses: Status) -> dict[str, int]:
        return self.usage.versions(learner, *statuses)

    def teach(self, learner: str, site: str, stencils: Sequence[Stencil]) -> None:
        """Replace the stencils of a site's templates; those of other templates are retired."""
        maker = self.database.maker(learner)
        with self.database.writing(f"save the templates of {site}") as db:
            retire_all(db, maker, site)
            for stencil in stencils:
                add_stencil(db, maker, stencil, "")

    def news(self, site: str, learner: str) -> News:
        return self._stencils.news(site, learner)

    def keep(self, learner: str, name: str, body: bytes) -> None:
        self._blobs.keep(learner, name, body)

    def kept(self, learner: str, name: str) -> bytes | None:
        return self._blobs.kept(learner, name)

    def change(self, learner: str, name: str, update: Callable[[bytes | None], bytes]) -> bytes:
        return self._blobs.change(learner, name, update)

    def close(self) -> None:
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def open_store(
    path_or_url: StorePlace, *, wait: float = LOCK_WAIT, read_only: bool = False
) -> SqlStore:
    """Open the store in a file, or at `postgresql://user:password@host/database`.

    It is created if there is none, and its tables are brought up to date. `wait` is the time in
    seconds to wait for another process that writes, or for a server that is restarting. With
    `read_only`, the file may be one that cannot be written; any attempt to write then fails.
    """
    location = database_of(path_or_url)
    if read_only:
        location = location.to_read()
    engine = location.engine(wait)
    try:
        with explained("open the store", location):
            location.prepare(engine, wait)
            return SqlStore(OpenDatabase(engine, location, wait))
    except StoreError:
        engine.dispose()
        raise


def existing_store(
    named: Path | PostgresDatabase, source: str = "FOLDER", *, read_only: bool = True
) -> SqlStore:
    """Open a store that must exist; the error names the command that creates it from `source`."""
    if not database_of(named).is_there():
        raise SourceError(
            f"there is no store {named}; `webstencil run {source} --store {named}` creates it"
        )
    return open_store(named, read_only=read_only)
