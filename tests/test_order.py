"""Crawl order: what is promised to evaluations of whole sites."""

from research.papers.crawl_order import Crawled, is_stub
from webstencil.model import RawPage
from webstencil.testing import MemorySource

LEADS_ON = b'<meta http-equiv="refresh" content="0; url=/c.html"><a href="/c.html">here</a>'


def page(name: str, *links: str) -> RawPage:
    """Build a page with links."""
    body = "".join(f'<a href="{link}">go</a>' for link in links)
    return RawPage(f"http://a.example/{name}", f"<html><body>{body}</body></html>".encode())


def memory(pages: list[RawPage]) -> MemorySource:
    """Build a source of pages."""
    return MemorySource({raw.url: raw.body for raw in pages})


def test_pages_come_breadth_first_and_unlinked_ones_last() -> None:
    """A page comes after all that are nearer to the start; a page that nobody links to is last."""
    site = [page("a.html"), page("alone.html"), page("b.html", "a.html")]
    site += [page("c.html", "d.html"), page("d.html"), page("index.html", "b.html", "c.html")]

    names = [raw.url.rsplit("/", 1)[1] for raw in Crawled(memory(site)).pages()]

    assert names == ["index.html", "b.html", "c.html", "a.html", "d.html", "alone.html"]


def test_stub_is_left_out() -> None:
    """A crawler follows a page that only leads on, and does not keep it."""
    stub = RawPage("http://a.example/old.html", LEADS_ON)

    assert is_stub(stub)
    assert not is_stub(page("a.html"))
    assert list(Crawled(memory([stub, page("index.html")])).pages()) == [page("index.html")]


def test_page_with_text_is_no_stub() -> None:
    """A news page that reloads itself is still a page."""
    news = RawPage("http://a.example/news.html", LEADS_ON + b"<p>" + b"News and more news. " * 40)

    assert not is_stub(news)
