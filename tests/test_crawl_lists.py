"""A crawl's lists and jobs, without any network."""

import gzip
import os
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from webstencil.crawl.frontier import (
    PAGE_LIMIT,
    VISIT_WHOLE,
    Frontier,
    FrontierEntry,
    Lists,
    begin_job,
    next_visit,
    queue_lost_results,
)
from webstencil.crawl.frontier_tables import ServerReply, locked, open_lists
from webstencil.crawl.messages import NEXT_SITE, PAGE, CrawlLimits, CrawlPlan
from webstencil.crawl.warc_writer import WarcWriter
from webstencil.errors import SourceError, StoreError

SMALL = 4096  # bytes
HOME = "https://one.example/"


@pytest.fixture
def lists(tmp_path: Path) -> Iterator[Lists]:
    with Lists(tmp_path / "frontier") as opened:
        yield opened


def plan(tmp_path: Path, start: str = HOME, sites: int = 1, pages: int = 100) -> CrawlPlan:
    return CrawlPlan(start, tmp_path / "frontier", sites, CrawlLimits(pages=pages))


def entered(lists: Lists, asked: CrawlPlan) -> Frontier | None:
    """Begin or resume a job and enter the site that is next."""
    number = next_visit(lists.db, begin_job(lists.db, asked), asked)
    return None if number is None else Frontier(lists.db, number, asked.limits)


def visit(frontier: Frontier, links: dict[str, list[str]]) -> list[str]:
    """Visit all pages of a site that has these links; return them in order."""
    order = []
    while found := frontier.take(1, ()):
        (entry,) = found
        frontier.add(links.get(entry.url, []), entry)
        frontier.settle(entry, PAGE)
        order.append(entry.url)
    frontier.flush()
    frontier.finish(VISIT_WHOLE)
    return order


def test_pages_come_breadth_first_and_each_once(lists: Lists, tmp_path: Path) -> None:
    """In the order in which they were found."""
    frontier = entered(lists, plan(tmp_path))
    assert frontier is not None
    links = {
        HOME: [HOME + "b", HOME + "a", HOME + "b#again"],
        HOME + "b": [HOME + "c", HOME],
        HOME + "a": [HOME + "d", HOME + "c?utm_medium=x"],
    }

    assert visit(frontier, links) == [HOME, *(HOME + name for name in "bacd")]


def test_sites_follow_in_the_order_of_their_links(lists: Lists, tmp_path: Path) -> None:
    """A job of two sites takes the first outgoing one; --next-site the one after; then none."""
    two = plan(tmp_path, sites=2)
    first = entered(lists, two)
    assert first is not None
    visit(first, {HOME: ["https://two.example/x", "https://three.example/"]})
    second = entered(lists, two)
    assert second is not None
    visit(second, {})
    assert entered(lists, two) is None
    third = entered(lists, plan(tmp_path, NEXT_SITE))
    assert third is not None
    visit(third, {})

    assert [site.site for site in (first, second, third)] == [
        "one.example",
        "two.example",
        "three.example",
    ]
    assert entered(lists, plan(tmp_path, NEXT_SITE)) is None


def test_finished_job_is_done_again_with_the_same_sites(lists: Lists, tmp_path: Path) -> None:
    """All known pages are visited again, breadth first."""
    two = plan(tmp_path, sites=2)
    for _ in range(2):
        for name in ("one.example", "two.example"):
            frontier = entered(lists, two)
            assert frontier is not None
            assert frontier.site == name
            links = {HOME: [HOME + "a", "https://two.example/", "https://three.example/"]}
            visited = visit(frontier, links)
        assert visited == ["https://two.example/"]
        assert entered(lists, two) is None


def test_higher_limit_reopens_a_visit(lists: Lists, tmp_path: Path) -> None:
    """The same limit makes a new one."""
    frontier = entered(lists, plan(tmp_path, pages=1))
    assert frontier is not None
    (entry,) = frontier.take(1, ())
    frontier.add([HOME + "a"], entry)
    frontier.settle(entry, PAGE)
    frontier.finish(PAGE_LIMIT)
    assert entered(lists, plan(tmp_path, pages=1)) is None
    more = entered(lists, plan(tmp_path, pages=2))

    assert more is not None
    assert [page.url for page in more.take(9, ())] == [HOME + "a"]


def test_what_is_not_committed_is_as_if_it_had_not_been(tmp_path: Path) -> None:
    """A settled page never loses the links that it added before."""
    with Lists(tmp_path / "frontier") as lists:
        frontier = entered(lists, plan(tmp_path))
        assert frontier is not None
        lists.commit()
        (entry,) = frontier.take(1, ())
        frontier.add([HOME + "a"], entry)
        frontier.settle(entry, PAGE)
        lists.db.execute("ROLLBACK")  # what SQLite does when it finds a killed process's file
        lists.db.execute("BEGIN")
        again = entered(lists, plan(tmp_path))

        assert again is not None
        assert again.take(9, ()) == [entry]
        assert isinstance(entry, FrontierEntry)


def test_results_that_were_forgotten_are_fetched_again(lists: Lists, tmp_path: Path) -> None:
    """The lists follow the store."""
    frontier = entered(lists, plan(tmp_path))
    assert frontier is not None
    visit(frontier, {HOME: [HOME + "a"]})

    assert queue_lost_results(lists.db, frontier.number, {HOME}) == 1
    assert [entry.url for entry in frontier.take(9, ())] == [HOME + "a"]


def test_reply_is_kept_until_its_page_is_settled(lists: Lists, tmp_path: Path) -> None:
    """A crawl that was ended early does not ask again; the next visit does."""
    frontier = entered(lists, plan(tmp_path))
    assert frontier is not None
    (entry,) = frontier.take(1, ())
    reply = ServerReply("", 200, b"<p>x", "text/html", None, etag='"1"')
    frontier.keep(entry, reply)
    again = entered(lists, plan(tmp_path))
    assert again is not None

    assert again.kept(entry) == reply
    again.settle(entry, PAGE)
    assert again.kept(entry) is None
    again.keep(entry, ServerReply("HTTP 503", 503, again=True))
    again.keep(entry, ServerReply("timeout"))
    assert again.kept(entry) is None


def test_page_that_is_left_is_taken_by_the_next_crawl(lists: Lists, tmp_path: Path) -> None:
    """And stays in the list of pages to visit meanwhile."""
    frontier = entered(lists, plan(tmp_path))
    assert frontier is not None
    (entry,) = frontier.take(1, ())
    frontier.leave(entry)

    assert frontier.take(9, ()) == []
    assert frontier.queued == 1
    again = entered(lists, plan(tmp_path))
    assert again is not None
    assert again.take(9, ()) == [entry]


@pytest.mark.usefixtures("lists")
def test_second_crawl_is_kept_from_the_lists(tmp_path: Path) -> None:
    """It says so instead of spoiling both."""
    with (
        pytest.raises(SourceError, match="another crawl is using"),
        locked(tmp_path / "frontier", wait=0.0),
    ):
        pass


def test_archive_is_cut_back_to_whole_records(tmp_path: Path) -> None:
    """An incomplete record of a killed crawl is removed before the next is added."""
    path = tmp_path / "a.warc.gz"
    archive = WarcWriter(path, None)
    archive.write("https://one.example/", 200, [(b"X-A", b"b")], b"body")
    whole = archive.size
    archive.close()
    with path.open("ab") as file:
        file.write(b"half a rec")
    archive = WarcWriter(path, whole)

    assert archive.size == whole
    archive.close()


@contextmanager
def small_disk() -> Iterator[None]:
    """Let no file grow beyond some bytes, as a disk that is full; nor those of this process."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_full_disk_ends_an_archive_with_a_whole_record(tmp_path: Path) -> None:
    """The error says so, and the records before can be read."""
    path = tmp_path / "a.warc.gz"
    archive = WarcWriter(path, None)
    archive.write("https://one.example/", 200, [], b"body")
    whole = archive.size
    with (
        pytest.raises(SourceError, match=r"cannot write .*a.warc.gz: File too large; free some"),
        small_disk(),
    ):
        archive.write("https://one.example/2", 200, [], os.urandom(2 * SMALL))
    archive.close()

    assert archive_pages(path) == ["https://one.example/"]
    assert path.stat().st_size == whole


def archive_pages(path: Path) -> list[str]:
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    return [line.split()[1] for line in lines if line.startswith("WARC-Target-URI")]


def test_other_databases_are_left_alone(tmp_path: Path) -> None:
    """A file that is no crawl's lists is refused as it is; so is one that is no database."""
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE mine (a)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="is another database; name another file with --frontier"):
        open_lists(path)
    (tmp_path / "text").write_text("<html>" * 1000)
    with pytest.raises(StoreError, match="file is not a database; it is damaged or something"):
        open_lists(tmp_path / "text")

    assert path.read_bytes() == before


def test_archive_is_not_added_to_other_files(tmp_path: Path) -> None:
    """A name that was mistyped spoils nothing."""
    path = tmp_path / "dear.gz"
    path.write_bytes(gzip.compress(b"my own words"))
    before = path.read_bytes()

    with pytest.raises(SourceError, match="is no compressed WARC file"):
        WarcWriter(path, None)
    assert path.read_bytes() == before
