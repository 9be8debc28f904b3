"""A source has a page without reading all others."""

import gzip
from pathlib import Path

from warcs import record

from webstencil.model import RawPage
from webstencil.protocols import Source
from webstencil.sources import Folder, PartOf, Several, SourcePart, WarcFile
from webstencil.sources.parts import page_of, pages_named
from webstencil.testing import MemorySource

PLAIN_HTML = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
BODIES = {f"http://one.example/a/{n}.html": f"<p>Page {n}</p>".encode() for n in range(9)}


def folder(top: Path) -> Folder:
    for url, body in BODIES.items():
        path = top / "one.example" / url.split("/", 3)[3]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return Folder(top / "one.example")


def archive(top: Path) -> WarcFile:
    path = top / "a.warc"
    path.write_bytes(b"".join(record(url, body, http=PLAIN_HTML) for url, body in BODIES.items()))
    return WarcFile(path)


def test_a_page_is_the_one_that_all_pages_have(tmp_path: Path) -> None:
    """Of every kind of source, read before or not; what is not there is None."""
    for source in (
        folder(tmp_path),
        archive(tmp_path),
        Several([MemorySource({}), archive(tmp_path)]),
        MemorySource(BODIES),
    ):
        for _ in range(2):
            assert [page_of(source, url) for url in BODIES] == list(source.pages())
        assert page_of(source, "http://one.example/a/none.html") is None


def test_a_packed_page_and_one_of_a_mirror_are_found(tmp_path: Path) -> None:
    """At the address that the folder gives them."""
    for name in ("one.example", "two.example"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x y.html.gz").write_bytes(gzip.compress(b"<p>Hello"))
    source = Folder(tmp_path)
    pages = list(source.pages())

    assert [page.url for page in pages] == [
        "http://one.example/x%20y.html",
        "http://two.example/x%20y.html",
    ]
    assert [source.page(page.url) for page in pages] == pages


def test_only_what_is_wanted_is_asked_for() -> None:
    """A part has no page of another part; a source that can only be read is read."""
    asked = []

    class Asked(MemorySource):
        def page(self, url: str) -> RawPage | None:
            asked.append(url)
            return next((page for page in self.pages() if page.url == url), None)

    wanted = sorted(BODIES)[:3]
    source: Source = Asked(BODIES)
    parts = [PartOf(source, SourcePart(number, 2)) for number in range(2)]
    found = [page.url for part in parts for page in pages_named(part, wanted)]

    assert sorted(found) == sorted(asked) == wanted
    assert len(list(pages_named(MemorySource(BODIES), wanted))) == len(BODIES)


def test_parts_of_whole_sites_have_all_pages_of_a_site() -> None:
    """Each site is in one part, and all are in some."""
    urls = [f"http://{site}.example/{n}" for site in "abcdef" for n in range(5)]
    parts = [SourcePart(number, 3, whole_sites=True) for number in range(3)]
    found = [[url for url in urls if part.has(url)] for part in parts]
    sites = [{url.split("/")[2] for url in part} for part in found]

    assert sorted(url for part in found for url in part) == sorted(urls)
    assert sum(map(len, sites)) == len({url.split("/")[2] for url in urls})
