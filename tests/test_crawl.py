"""Crawls of real servers on 127.0.0.1, rendered without a browser."""

import gzip
import re
from dataclasses import replace
from pathlib import Path

import pytest

from research.support import crawl_kills
from research.support.web_server import HTML, Reply, Server, linked, pages, serving
from webstencil.crawl.frontier_tables import frontier_path, listed_urls
from webstencil.crawl.messages import CrawlLimits
from webstencil.crawl.source import CrawlOutcome, CrawlSource
from webstencil.model import PageResult
from webstencil.settings import Settings
from webstencil.store import open_store

pytest.importorskip("scrapy", reason="crawling needs the extra `crawl`")

SESSION = "0123456789abcdef0123456789abcdef"
ROBOTS = b"User-agent: *\nDisallow: /secret\n"
BOMB = gzip.compress(b"<p>" + b"0" * 5_000_000)
SMALL = CrawlLimits(page_bytes=300_000)


def crawl(
    server: Server, folder: Path, limits: CrawlLimits = SMALL, path: str = "/", sites: int = 1
) -> CrawlOutcome:
    return crawl_kills.run_crawl(server.url + path, folder, limits, sites)


def lists(server: Server, folder: Path, which: str = "visited") -> dict[str, str]:
    """Return the outcome of each URL."""
    rows = listed_urls(frontier_path(folder / "site.db"), which)
    return {url.removeprefix(server.url): outcome for outcome, url in rows}


def results(folder: Path) -> dict[str, PageResult]:
    with open_store(folder / "site.db") as store:
        return {result.url: result for result in store.results(Settings().learner)}


def test_whole_site_is_visited_once(tmp_path: Path) -> None:
    """Every kind of link is followed, counted or left alone as the user expects."""
    odd = linked("Odd", text="Žluťoučký kůň").decode().encode("iso-8859-2", "replace")
    site: dict[str, bytes | Reply] = {}
    with serving(pages(site)) as server:
        site |= {
            "/robots.txt": Reply(ROBOTS, kind="text/plain"),
            "/": linked(
                "Home",
                "/a#part",
                "/a?utm_source=x",
                server.url.upper().replace("HTTP", "http") + "/a",
                f"/a;jsessionid={SESSION}",
                "/moved",
                "/loop",
                "/secret/plan",
                "/missing",
                "/paper",
                "/photo.jpg",
                "/odd",
                "/sorted?by=name",
                "/stub",
                "/faulty",
                "/stream",
                "/bomb",
                "/closed",
                "mailto:me@x.example",
                "http://me:secret@elsewhere.example/",
            ),
            "/a": linked("A", "/", "b"),
            "/b": linked("B", "/a"),
            "/moved": Reply(status=302, headers=(("Location", "/moved/again"),)),
            "/moved/again": Reply(status=301, headers=(("Location", "/b"),)),
            "/loop": Reply(status=302, headers=(("Location", "/loop"),)),
            "/secret/plan": linked("Secret"),
            "/paper": Reply(b"%PDF-1.4", kind="application/pdf"),
            "/odd": Reply(odd, kind="text/html; charset=iso-8859-2"),
            "/sorted?by=name": linked(
                "Sorted", "/from-sorted", head='<link rel="canonical" href="/sorted">'
            ),
            "/sorted": linked("Sorted", head='<link rel="canonical" href="/sorted?by=name">'),
            "/from-sorted": linked("From sorted"),
            "/stub": linked("Stub", head='<meta http-equiv="refresh" content="0;url=/b">'),
            "/faulty": Reply(b"down", 500),
            "/stream": Reply(b"<p>more</p>" * 1000, endless=True),
            "/bomb": Reply(BOMB, headers=(("Content-Encoding", "gzip"),)),
            "/closed": linked("Closed", "/behind", head='<meta name="robots" content="NOFOLLOW">'),
        }
        outcome = crawl(server, tmp_path)

    assert lists(server, tmp_path) == {
        "/": "page",
        "/a": "page",
        "/b": "page",
        "/moved": "redirect",
        "/moved/again": "redirect",
        "/loop": "redirect to itself",
        "/secret/plan": "forbidden by robots.txt",
        "/missing": "HTTP 404",
        "/paper": "not a page: application/pdf",
        "/odd": "page",
        "/sorted?by=name": "copy of its canonical page",
        "/sorted": "page",
        "/from-sorted": "page",
        "/stub": "redirect",
        "/faulty": "HTTP 500",
        "/stream": "too large",
        "/bomb": "too large",
        "/closed": "page",
    }
    assert outcome.new == 7
    assert outcome.visits[0].noticed == (("not a page by its name", 1),)
    assert list(listed_urls(frontier_path(tmp_path / "site.db"), "outgoing")) == [
        ("elsewhere.example", "http://elsewhere.example/")
    ]
    asked = {path: server.asked.count(path) for path in server.asked}
    assert asked.pop("/faulty") == 3
    assert asked.pop("/style.css") == 1
    assert set(asked.values()) == {1}
    assert server.agents == {"webstencil (+https://pypi.org/project/webstencil)"}
    known = results(tmp_path)
    assert "Žluťoučký kůň" in known[server.url + "/odd"].areas[-1].text
    check_archive(tmp_path / "site.warc.gz", server)


def check_archive(path: Path, server: Server) -> None:
    """All answers can be read from the WARC file."""
    warc = pytest.importorskip("fastwarc.warc")
    kept = {}
    for record in warc.ArchiveIterator(str(path), parse_http=True, auto_decode="none"):
        if record.record_type == warc.WarcRecordType.response:
            url = record.headers["WARC-Target-URI"].removeprefix(server.url)
            kept[url] = (record.http_headers.status_code, record.reader.read())

    assert kept["/missing"] == (404, b"not here")
    assert kept["/b"] == (200, linked("B", "/a"))
    assert kept["/bomb"] == (200, BOMB)
    assert kept["/robots.txt"] == (200, ROBOTS)


def test_mazes_end(tmp_path: Path) -> None:
    """A calendar without end and ids that change with every page; both are counted."""
    made = iter(range(1_000_000))

    def answer(path: str, _headers: dict[str, str]) -> Reply:
        where, _, query = path.partition("?")
        token = f"visitor={next(made)}"
        if where == "/calendar":
            month = int(query.partition("=")[2] or 0)
            return Reply(linked(f"Month {month}", f"/calendar?month={month + 1}"))
        if where in {"/", "/x", "/y", "/z"}:
            page = linked(f"Shop {where}", "x", "y", "z", "/calendar")
            return Reply(re.sub(rb'href="([xyz])"', rb'href="\1?%s"' % token.encode(), page))
        return Reply(b"", 404)

    with serving(answer) as server:
        outcome = crawl(server, tmp_path, CrawlLimits(chain=6))

    tally = dict(outcome.visits[0].tally)
    assert dict(outcome.visits[0].noticed) == {"endless chain of similar URLs": 1}
    assert tally["page"] == 4 + 7 + 1
    assert tally["same as another page"] < 12
    assert outcome.visits[0].why == "all pages"


def test_page_of_a_folder_is_visited_once(tmp_path: Path) -> None:
    """At `/` or `/index.html`, whichever was met first, if the bytes are the same."""
    home = linked("Home", "/index.html", "/a/index.html", "/a/", "/b/", "/b/index.html")
    canonical = '<link rel="canonical" href="/c/index.html">'
    site: dict[str, bytes | Reply] = {
        "/": home,
        "/index.html": home,
        "/a/": linked("A", "/c/"),
        "/a/index.html": linked("A", "/c/"),
        "/b/": linked("B"),
        "/b/index.html": linked("Another B"),
        "/c/": linked("C", head=canonical),
        "/c/index.html": linked("C", head=canonical),
    }
    with serving(pages(site)) as server:
        crawl(server, tmp_path)
        first = lists(server, tmp_path)
        crawl(server, tmp_path)

    assert {url for url, outcome in first.items() if outcome == "page"} == {
        "/", "/a/index.html", "/b/", "/b/index.html", "/c/index.html",
    }  # fmt: skip
    assert first["/index.html"] == first["/a/"] == "same as another page"
    assert lists(server, tmp_path) == first


def test_running_again_touches_what_is_new_or_changed(tmp_path: Path) -> None:
    """By ETag, by Last-Modified, by content; results of pages that are gone are deleted."""
    old = "Mon, 01 Jan 2024 00:00:00 GMT"
    site: dict[str, bytes | Reply] = {
        "/": linked("Home", "/tagged", "/dated", "/plain", "/changing", "/going"),
        "/tagged": Reply(linked("Tagged"), headers=(("ETag", '"1"'),)),
        "/dated": Reply(linked("Dated"), headers=(("Last-Modified", old),)),
        "/plain": linked("Plain"),
        "/changing": linked("Changing"),
        "/going": linked("Going"),
    }
    spared = []

    def answer(path: str, headers: dict[str, str]) -> Reply:
        if headers.get("If-None-Match") == '"1"' or headers.get("If-Modified-Since") == old:
            spared.append(path)
            return Reply(status=304)
        return pages(site)(path, headers)

    with serving(answer) as server:
        first = crawl(server, tmp_path)
        site["/changing"] = linked("Changed", "/new", text="Other words.")
        site["/new"] = linked("New")
        del site["/going"]
        second = crawl(server, tmp_path)

    assert (first.new, first.changed, first.unchanged, first.gone) == (6, 0, 0, 0)
    assert (second.new, second.changed, second.unchanged, second.gone) == (1, 1, 4, 1)
    assert sorted(spared) == ["/dated", "/tagged"]
    assert {url.removeprefix(server.url) for url in results(tmp_path)} == {
        "/", "/tagged", "/dated", "/plain", "/changing", "/new",
    }  # fmt: skip


def test_a_folder_and_its_index_page_are_one(tmp_path: Path) -> None:
    """If their bytes are the same; the list of URLs says so."""
    home, news = linked("Home", "/index.html", "/news/", "/old/"), linked("News", "/")
    site = {
        "/": home,
        "/index.html": home,
        "/news/": linked("News", "/", "/news/index.html"),
        "/news/index.html": news,
        "/old/": news,
    }
    with serving(pages(site)) as server:
        crawl(server, tmp_path)
        visited = lists(server, tmp_path)

    assert visited == {
        "/": "page",
        "/index.html": "same as another page",
        "/news/": "page",
        "/news/index.html": "page",
        "/old/": "page",
    }


def test_limit_of_pages_is_exact_and_can_be_raised(tmp_path: Path) -> None:
    """Breadth first: the pages nearest to the start; a higher limit goes on from there."""
    site: dict[str, bytes | Reply] = {"/": linked("0", "/1", "/2", "/3")}
    for number in range(1, 40):
        site[f"/{number}"] = linked(str(number), f"/{3 * number + 1}", f"/{3 * number + 2}")

    with serving(pages(site)) as server:
        outcome = crawl(server, tmp_path, CrawlLimits(pages=4))
        first = set(lists(server, tmp_path))
        asked = len(server.asked)
        more = crawl(server, tmp_path, CrawlLimits(pages=6))

    assert first == {"/", "/1", "/2", "/3"}
    assert outcome.visits[0].why == more.visits[0].why == "limit of pages"
    assert set(lists(server, tmp_path)) == first | {"/4", "/5"}
    assert len(server.asked) == asked + 2 + 1  # and robots.txt


def test_sites_are_visited_one_after_the_other(tmp_path: Path) -> None:
    """The first one linked to comes second; the third is left in the outgoing list."""
    with serving(lambda *_: Reply(linked("Second"))) as second:
        site: dict[str, bytes | Reply] = {
            "/": linked("First", second.url + "/here?a=1", "http://third.example/", "/more"),
            "/more": linked("More", second.url + "/there"),
        }
        with serving(pages(site)) as first:
            outcome = crawl(first, tmp_path, sites=2)

    assert [visit.site for visit in outcome.visits] == [
        url.removeprefix("http://") for url in (first.url, second.url)
    ]
    assert "/here?a=1" in second.asked
    assert "/there" not in second.asked
    assert list(lists(first, tmp_path, "outgoing")) == ["http://third.example/"]


def test_start_page_may_have_moved_to_another_site(tmp_path: Path) -> None:
    """The crawl goes where the site went."""
    with serving(pages({"/": linked("New", "/a"), "/a": linked("A")})) as new:
        moved = Reply(status=301, headers=(("Location", new.url + "/"),))
        with serving(pages({"/": moved})) as old:
            outcome = crawl(old, tmp_path)

    assert outcome.new == 2
    assert set(results(tmp_path)) == {new.url + "/", new.url + "/a"}


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_private_machines_are_not_asked(host: str, tmp_path: Path) -> None:
    """Neither by number nor by a name that resolves to one."""
    with serving(pages({"/": linked("Router")})) as server:
        server.url = server.url.replace("127.0.0.1", host)
        plan = crawl_kills.make_plan(server.url + "/", tmp_path, CrawlLimits())
        outcome = crawl_kills.run_plan(
            replace(plan, manners=replace(plan.manners, allow_private=False)), tmp_path
        )

    assert outcome.new == 0
    assert lists(server, tmp_path) == {"/": "private address"}
    assert server.asked == []


def test_proxy_is_used_and_is_no_way_to_our_own_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It fetches pages of hosts that only it knows; private hosts are not requested."""
    moved = Reply(status=302, headers=(("Location", "http://127.0.0.1:9/"),))
    site: dict[str, bytes | Reply] = {
        "http://outside.invalid/": linked("Home", "/moved"),
        "http://outside.invalid/moved": moved,
        "http://outside.invalid/style.css": moved,
    }
    with serving(pages(site)) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        monkeypatch.delenv("no_proxy", raising=False)
        plan = crawl_kills.make_plan("http://outside.invalid/", tmp_path, CrawlLimits(), sites=2)
        outcome = crawl_kills.run_plan(
            replace(plan, manners=replace(plan.manners, allow_private=False)), tmp_path
        )

    assert outcome.new == 1
    assert set(proxy.asked) == {"http://outside.invalid/robots.txt", *site}
    assert dict(outcome.visits[1].tally) == {"private address": 1}


def test_html_without_a_type_is_a_page() -> None:
    """Servers that name no type, or a vague one, are read, too."""
    from scrapy import Request  # noqa: PLC0415 - optional
    from scrapy.http import Response  # noqa: PLC0415

    from webstencil.crawl.fetching import read_reply  # noqa: PLC0415 - needs Scrapy

    def outcome(kind: str, body: bytes) -> str:
        request = Request("http://x.example/", meta={"wants": "page"})
        headers = {"Content-Type": kind} if kind else {}
        return read_reply(
            Response(request.url, headers=headers, body=body, request=request)
        ).outcome

    assert outcome("", b"<p>x") == ""
    assert outcome("text/plain", b"<!DOCTYPE html><p>x") == ""
    assert outcome("text/plain", b"words") == "not a page: text/plain"
    assert outcome(HTML, b"") == ""


def test_crawl_of_a_server_that_goes_down_can_be_resumed(tmp_path: Path) -> None:
    """It stops instead of giving up every page."""
    names = [f"/{number}" for number in range(50)]
    down = True

    def answer(path: str, _headers: dict[str, str]) -> Reply:
        if down and path in names:
            raise ConnectionAbortedError
        return Reply(linked(path, *names)) if path in {"/", *names} else Reply(status=404)

    with serving(answer) as server:
        first = crawl(server, tmp_path)
        down = False
        second = crawl(server, tmp_path)

    assert (first.visits[0].why, first.new) == ("no server answers", 1)
    assert (second.visits[0].why, second.new) == ("all pages", 50)


@pytest.mark.parametrize("status", [503, None])
def test_site_whose_robots_txt_fails_is_not_crawled_now(status: int | None, tmp_path: Path) -> None:
    """No page is requested, all stay in the lists, and the next crawl begins with them."""
    failing = True

    def answer(path: str, _headers: dict[str, str]) -> Reply:
        if path != "/robots.txt":
            return Reply(linked(path, "/a"))
        if not failing:
            return Reply(status=404)
        if status is None:
            raise ConnectionAbortedError
        return Reply(ROBOTS, status)

    with serving(answer) as server:
        first = crawl(server, tmp_path)
        asked = set(server.asked)
        waiting = lists(server, tmp_path, "extracted")
        failing = False
        second = crawl(server, tmp_path)

    (visit,) = first.visits
    host = server.url.removeprefix("http://")
    why = f"HTTP {status}" if status else "connection lost"
    assert (visit.why, visit.complete, visit.left) == ("no robots.txt", False, 1)
    assert visit.tally == (
        (
            f"robots.txt of {host} cannot be read ({why}): "
            "run the same command again later, or add --no-robots",
            1,
        ),
    )
    assert asked == {"/robots.txt"}
    assert list(waiting) == ["/"]
    assert (second.visits[0].why, second.new) == ("all pages", 2)


def test_robots_txt_that_is_not_there_allows_everything(tmp_path: Path) -> None:
    """Whatever the page says that comes instead of it."""
    site: dict[str, bytes | Reply] = {
        "/": linked("Home"),
        "/robots.txt": Reply(b"User-agent: *\nDisallow: /\n", 403, "text/plain"),
    }
    with serving(pages(site)) as server:
        assert crawl(server, tmp_path).new == 1


def test_nothing_but_the_web_is_crawled(tmp_path: Path) -> None:
    """A page cannot have a file of this machine read for it."""
    (tmp_path / "secret.css").write_text("p{}")
    with serving(pages({"/": linked("Home")})) as server:
        plan = crawl_kills.make_plan(server.url + "/", tmp_path, CrawlLimits())
        with CrawlSource(plan) as source:
            next(source.pages())
            found = source.fetch((tmp_path / "secret.css").as_uri())

    assert found is None
