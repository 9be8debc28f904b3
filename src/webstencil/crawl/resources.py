"""Style sheets, images and fonts: each fetched once by the polite fetcher, and kept."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from webstencil.crawl.crawl_messages import ResourceReply, ResourceRequest, Said
from webstencil.crawl.fetching import Fetcher
from webstencil.model import Resource


class ResourceAnswers:
    """Fetches the resources of pages that are rendered."""

    def __init__(
        self,
        db: sqlite3.Connection,
        fetcher: Fetcher,
        say: Callable[[Said], None],
        commit: Callable[[], None],
    ) -> None:
        self._db = db
        self._commit = commit
        self._fetcher = fetcher
        self._say = say
        self._under_way: dict[str, asyncio.Task[Resource | None]] = {}
        self._failed: set[str] = set()  # the next crawl tries them again

    def answer(self, wanted: ResourceRequest) -> None:
        """Reply when the resource is there; fetch those that will be needed soon."""
        for url in wanted.soon:
            self._had(url)
        self._had(wanted.url).add_done_callback(partial(self._pass_on, wanted.url))

    def _pass_on(self, url: str, done: asyncio.Task[Resource | None]) -> None:
        if not done.cancelled():
            self._say(ResourceReply(url, None if done.exception() else done.result()))

    def _had(self, url: str) -> asyncio.Task[Resource | None]:
        if url not in self._under_way:
            task = asyncio.ensure_future(self._get(url))
            self._under_way[url] = task
            task.add_done_callback(lambda _: self._under_way.pop(url, None))
        return self._under_way[url]

    async def _get(self, url: str) -> Resource | None:
        row = self._db.execute(
            "SELECT body, content_type FROM resource WHERE url = ?", (url,)
        ).fetchone()
        if row is not None:
            return None if row[0] is None else Resource(row[0], row[1])
        if url in self._failed:
            return None
        reply = await self._fetcher.resource(url)
        found = None if reply.outcome else Resource(reply.body, reply.content_type)
        if reply.again:
            self._failed.add(url)
        else:
            row = url, found and found.body, found.content_type if found else ""
            with suppress(sqlite3.Error):  # what cannot be kept is fetched again
                self._db.execute("INSERT OR REPLACE INTO resource VALUES (?, ?, ?)", row)
                self._commit()
        return found
