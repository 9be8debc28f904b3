"""A crawl that is killed at random moments, and the site it crawls."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from research.support.process_tree import descendants, send
from research.support.web_server import Reply, Server, linked
from webstencil.crawl.frontier_tables import frontier_path
from webstencil.crawl.messages import CrawlLimits, CrawlPlan, Manners
from webstencil.crawl.source import CrawlOutcome, CrawlSource
from webstencil.jobs.job import Pipeline
from webstencil.model import Page, Snapshot
from webstencil.output import JsonLines
from webstencil.processes import import_path
from webstencil.protocols import Done, Resources
from webstencil.settings import Settings
from webstencil.store import SqlStore, open_store
from webstencil.store.sqlite import connect_to_read
from webstencil.testing import StackRenderer

# A crawl without a browser, for tests that kill it.
#
#     python -m research.support.crawl_kills URL FOLDER
#
# A file lists every rendering, and whether the store had that page's stencil already.


DEFAULT_LIMITS = CrawlLimits()


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


def run_crawl(
    url: str, folder: Path, limits: CrawlLimits = DEFAULT_LIMITS, sites: int = 1
) -> CrawlOutcome:
    """Crawl a site into a folder."""
    return run_plan(make_plan(url, folder, limits, sites), folder)


if __name__ == "__main__":
    run_crawl(sys.argv[1], Path(sys.argv[2]))


PAGES = 40
PAUSE = 0.004  # s that the server takes for a page
MOST_REQUESTS = 100  # that a crawl makes before it is killed
LONGEST_WAIT = 0.1  # s between the last of them and the kill


def site(path: str, _headers: dict[str, str]) -> Reply:
    """Answer for a site of three templates with redirects and dead links."""
    time.sleep(PAUSE)
    name, _, number = path.strip("/").partition("/")
    if path == "/style.css":
        return Reply(b"p{}", kind="text/css")
    if name == "old":
        return Reply(status=301, headers=(("Location", f"/story/{number}"),))
    if path != "/" and not (number.isdecimal() and int(number) < PAGES):
        return Reply(b"no", 404)
    first = int(number or 0) * 4 + 1
    links = [f"/{kind}/{first + step}" for step in range(4) for kind in ("story", "shop")]
    return Reply(linked(path, *links, f"/old/{first + 4}", text=template(name, first)))


def template(name: str, number: int) -> str:
    """Write the part of a page in which the templates differ; a shop has three kinds of goods."""
    goods = (["h3", "q", "s"], ["dl", "i"], ["pre"])[number % 3]
    tags = {"story": ["h2", "em", "b"], "shop": goods}
    rows = "".join(f"<div><{tag}><span>x</span></{tag}></div>" for tag in tags.get(name, []))
    return (
        f"</p><section id={name or 'home'}{number % 3 if name == 'shop' else ''}>{rows}</section>"
    )


def kind_of(path: str) -> str:
    """Name the kind of a request to the site."""
    name = path.strip("/").partition("/")[0]
    if "." in name:
        return "robots.txt" if name == "robots.txt" else "resources"
    if name == "old":
        return "redirects"
    return "pages" if site(path, {}).status == 200 else "missing pages"


def crawl_with_kills(server: Server, folder: Path, kills: int, seed: int) -> list[Counter[str]]:
    """Kill a crawl so often, or until it is complete, then let it end.

    Return which requests were repeated after each kill: how many of each kind.
    """
    lot = random.Random(seed)
    folder.mkdir()
    starts: list[int] = []  # requests made before each process
    while len(starts) < kills and not is_complete(folder):
        starts.append(len(server.asked))
        killed_once(server, folder, lot)
    starts.append(len(server.asked))
    complete = is_complete(folder)
    run_crawl(server.url + "/", folder)  # a complete crawl is only visited again
    ends = [*starts[1:], len(server.asked)]
    spans = list(zip(starts, ends, strict=True))[: len(starts) - complete]
    return [repeats(server.asked[starts[0] : end], end - start) for start, end in spans[1:]]


def is_complete(folder: Path) -> bool:
    """Return whether the crawl was finished; the next start would be another one."""
    path = frontier_path(folder / "site.db")
    if not path.exists():
        return False
    with closing(connect_to_read(path)) as db:
        tables = db.execute("SELECT * FROM sqlite_master WHERE name = 'job'").fetchall()
        return bool(tables and db.execute("SELECT * FROM job WHERE finished").fetchall())


def repeats(asked: Sequence[str], last: int) -> Counter[str]:
    """Count by kind which of the last requests had been made before."""
    seen = set(asked[: len(asked) - last])
    found: Counter[str] = Counter()
    for path in asked[len(asked) - last :]:
        found[kind_of(path)] += path in seen
        seen.add(path)
    return found


def killed_once(server: Server, folder: Path, lot: random.Random) -> None:
    """Start a crawl and kill it at a random moment."""
    command = [sys.executable, "-m", __name__, server.url + "/", str(folder)]
    process = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": ":".join(import_path())})
    until = len(server.asked) + lot.randrange(MOST_REQUESTS)
    while process.poll() is None and len(server.asked) < until:
        time.sleep(PAUSE)
    time.sleep(lot.random() * LONGEST_WAIT)
    fetching = list(descendants(process.pid))
    process.kill()
    process.wait()
    if lot.random() < 0.3:  # else it has to notice that its parent is gone
        send(signal.SIGKILL, fetching)
