"""The demo site: what a visitor, a crawler and a template matcher will find in it."""

import re
import struct
import zlib
from collections import Counter, deque
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit
from xml.etree import ElementTree

import pytest

from research.demo import DemoSite, build
from research.demo.demo_command import beside
from research.demo.demo_site import FEWEST_PAGES, HERE, PAGES
from webstencil.errors import SettingsError
from webstencil.model import PageResult, Status

VOID = frozenset({"br", "img", "input", "link", "meta"})
ADDRESSES = frozenset({"href", "src", "action"})
FOLDERS = ("templates", "templates/redesign")


class Reader(HTMLParser):
    """Reads a page's URLs and ids, and counts tags that do not close what was opened."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.urls: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.tags: Counter[str] = Counter()
        self.faults = 0
        self.depth = 0
        self._open: list[str] = []
        self.feed(html)
        self.close()
        self.faults += len(self._open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        for name, value in attrs:
            if name in ADDRESSES and value:
                self.urls.append(value)
                self.links += [value] if tag == "a" else []
            elif name == "id" and value:
                self.ids.append(value)
        if tag not in VOID:
            self._open.append(tag)
        if tag == "ol":
            self.depth = max(self.depth, self._open.count("ol"))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1] == tag:
            self._open.pop()
        else:
            self.faults += 1


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> DemoSite:
    return build(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="module")
def texts(site: DemoSite) -> dict[str, str]:
    return {path: text_of(site, path) for path, _ in site.gold}


@pytest.fixture(scope="module")
def readers(texts: dict[str, str]) -> dict[str, Reader]:
    return {path: Reader(text) for path, text in texts.items()}


def text_of(site: DemoSite, path: str) -> str:
    charset = "windows-1252" if path == site.legacy else "utf-8"
    return (site.folder / path).read_bytes().decode(charset)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }


def pages_of(site: DemoSite, template: str) -> list[str]:
    return [path for path, name in site.gold if name == template]


def own_paths(site: DemoSite, path: str, urls: list[str]) -> Iterator[tuple[str, str]]:
    """Yield file path and fragment of each URL that points into the site."""
    for target in urls:
        url, fragment = urldefrag(urljoin(site.base_url + path, target))
        if url.startswith(site.base_url):
            yield unquote(urlsplit(url).path).lstrip("/"), fragment


def test_site_has_the_promised_pages_from_ten_templates(site: DemoSite) -> None:
    """The default site has 320 pages; the gold names the template of each."""
    counts = Counter(template for _, template in site.gold)

    assert counts == {
        "article": 160,
        "author": 10,
        "broken": 1,
        "empty": 1,
        "front": 1,
        "longread": 2,
        "product": 81,
        "product-list": 21,
        "section": 35,
        "static": 8,
    }


def test_each_template_is_a_file_of_its_own(site: DemoSite, redesign: DemoSite) -> None:
    """The gold has the names of ten files, and of those in which the redesign differs."""
    files = [{path.stem for path in (HERE / folder).glob("*.html")} for folder in FOLDERS]
    anew = files[1] - {"frame", "pieces"}

    assert {name for _, name in site.gold} == files[0]
    assert {name for _, name in redesign.gold} == files[0] - anew | {f"new-{name}" for name in anew}


def test_what_was_found_stands_beside_what_wrote_it() -> None:
    """Each template with those that were found in its pages, most pages first."""
    written = {"a": "post", "b": "post", "c": "post", "d": "list"}
    found = {"a": "x", "b": "y", "c": "y", "d": None}
    results = [
        PageResult(url, "s", Status.HIT, None, 1.0, template=name) for url, name in found.items()
    ]

    assert list(beside(written, results)) == [
        ("post", "3", "y", "2"),
        ("post", "3", "x", "1"),
        ("list", "1", "(none)", "1"),
    ]


def test_gold_names_every_page_once_in_order(site: DemoSite) -> None:
    """The gold is sorted and has exactly the HTML files of the folder."""
    files = sorted(path for path in contents(site.folder) if path.endswith(".html"))

    assert [path for path, _ in site.gold] == files


def test_every_build_gives_the_same_bytes(site: DemoSite, tmp_path: Path) -> None:
    """A second build, also over an existing one, equals the first byte for byte."""
    build(tmp_path)
    build(tmp_path)

    assert contents(tmp_path) == contents(site.folder)


@pytest.mark.parametrize("pages", [FEWEST_PAGES, 97, 150])
def test_site_has_as_many_pages_as_asked_for(tmp_path: Path, pages: int) -> None:
    """The number of pages is the one asked for, or little more where a list needs another page."""
    small = build(tmp_path, pages=pages)

    assert pages <= len(small.gold) <= pages + 2


@pytest.mark.parametrize("pages", [12, PAGES + 1])
def test_too_few_or_too_many_pages_are_refused(tmp_path: Path, pages: int) -> None:
    """A site too small for its templates or too large for its content is refused, with why."""
    with pytest.raises(
        SettingsError, match=f"up to {PAGES} and at least {FEWEST_PAGES}, not {pages}"
    ):
        build(tmp_path, pages=pages)


@pytest.fixture(scope="module")
def redesign(tmp_path_factory: pytest.TempPathFactory) -> DemoSite:
    return build(tmp_path_factory.mktemp("redesign"), redesign=True)


def test_redesign_tells_the_same_stories_in_other_templates(
    site: DemoSite, redesign: DemoSite
) -> None:
    """All URLs stay; longreads, the broken and the empty page look as before."""
    old, new = dict(site.gold), dict(redesign.gold)
    same = {"longread", "broken", "empty"}

    assert new == {path: name if name in same else f"new-{name}" for path, name in old.items()}
    for path, name in old.items():
        unchanged = (site.folder / path).read_bytes() == (redesign.folder / path).read_bytes()
        assert unchanged is (name in same)


def test_redesigned_site_is_sound(redesign: DemoSite) -> None:
    """Tags are closed, ids are unique, URLs and fragments lead somewhere."""
    readers = {path: Reader(text_of(redesign, path)) for path, _ in redesign.gold}
    files = set(contents(redesign.folder))
    targets = {
        target
        for path, reader in readers.items()
        for target in own_paths(redesign, path, reader.urls)
    }

    assert [path for path, reader in readers.items() if reader.faults] == [redesign.broken]
    assert {path for path, _ in targets} <= files
    assert {(path, mark) for path, mark in targets if mark and mark not in readers[path].ids} == (
        set()
    )
    assert [path for path, reader in readers.items() if len(set(reader.ids)) < len(reader.ids)] == [
        redesign.broken
    ]


def test_empty_page_has_no_bytes(site: DemoSite) -> None:
    """The empty page is a file of zero bytes."""
    assert (site.folder / site.empty).read_bytes() == b""


def test_legacy_page_declares_the_charset_it_is_in(site: DemoSite) -> None:
    """The legacy page is not UTF-8, says what it is, and reads right when decoded so."""
    body = (site.folder / site.legacy).read_bytes()
    declared = re.search(rb'<meta charset="([\w-]+)">', body)

    assert declared is not None
    assert "Hélène Desrœux" in body.decode(declared[1].decode())
    with pytest.raises(UnicodeDecodeError):
        body.decode("utf-8")


def test_only_the_broken_page_has_tags_that_do_not_match(
    site: DemoSite, readers: dict[str, Reader]
) -> None:
    """The broken page has many faults and no head; on all other pages every tag is closed."""
    faulty = [path for path, reader in readers.items() if reader.faults]

    assert faulty == [site.broken]
    assert readers[site.broken].faults > 20
    assert "head" not in readers[site.broken].tags


def test_redesigned_articles_share_no_markup_with_the_others(
    site: DemoSite, texts: dict[str, str]
) -> None:
    """Two articles are set in another template with a style sheet of its own."""
    assert sorted(site.redesigned) == pages_of(site, "longread")
    assert len(site.redesigned) == 2
    for path in site.redesigned:
        assert "style/longread.css" in texts[path]
        assert not re.search(r"style/site\.css|site-header|entry-content|<article", texts[path])


def test_every_address_leads_to_a_file_of_the_site(
    site: DemoSite, readers: dict[str, Reader]
) -> None:
    """No link, image or style sheet of the site is missing, and none lies elsewhere."""
    files = set(contents(site.folder))
    missing = set()
    for path, reader in readers.items():
        inside = [one for one in reader.urls if not one.startswith("mailto:")]
        targets = [target for target, _ in own_paths(site, path, inside)]
        assert len(targets) == len(inside)
        missing |= set(targets) - files

    assert missing == set()


def test_every_fragment_names_an_id(site: DemoSite, readers: dict[str, Reader]) -> None:
    """A link to a place on a page finds that place."""
    lost = {
        (target, fragment)
        for path, reader in readers.items()
        for target, fragment in own_paths(site, path, reader.links)
        if fragment and fragment not in readers[target].ids
    }

    assert lost == set()


def test_ids_are_unique_on_every_sound_page(site: DemoSite, readers: dict[str, Reader]) -> None:
    """No id is twice on a page, except the broken one."""
    doubled = [path for path, reader in readers.items() if len(set(reader.ids)) < len(reader.ids)]

    assert doubled == [site.broken]


def test_crawler_reaches_every_page(site: DemoSite, readers: dict[str, Reader]) -> None:
    """Following links from the front page leads to all pages."""
    seen, queue = {"index.html"}, deque(["index.html"])
    while queue:
        path = queue.popleft()
        found = {target for target, _ in own_paths(site, path, readers[path].links)} - seen
        seen |= found
        queue.extend(sorted(found))

    assert seen == {path for path, _ in site.gold}


def test_links_come_in_all_forms(readers: dict[str, Reader]) -> None:
    """There are relative, root-relative and absolute links, some with a query or a fragment."""
    links = {link for reader in readers.values() for link in reader.links}

    assert any(link.startswith("../") for link in links)
    assert any(link.startswith("/") for link in links)
    assert any(link.startswith("http://demo.example/") for link in links)
    assert any("?" in link and not link.startswith("mailto:") for link in links)
    assert any(".html#" in link for link in links)


def test_articles_differ_widely_in_length(site: DemoSite, texts: dict[str, str]) -> None:
    """Articles have from 2 to 60 paragraphs, and from none to 40 comments."""
    articles = [texts[path] for path in pages_of(site, "article")]
    bodies = [text.split('class="entry-content">')[1].split("<footer")[0] for text in articles]
    lengths = [
        len(re.findall(r"<p>|<p class=\"read-more\">", strip_boxes(body))) for body in bodies
    ]
    talks = [text.count('<li id="comment-') for text in articles]

    assert (min(lengths), max(lengths)) == (2, 60)
    assert (min(talks), max(talks)) == (0, 40)


def strip_boxes(body: str) -> str:
    return re.sub(r"<(aside|blockquote).*?</\1>", "", body, flags=re.DOTALL)


def test_replies_nest(site: DemoSite, readers: dict[str, Reader]) -> None:
    """Comments are nested lists, up to four deep."""
    assert max(readers[path].depth for path in pages_of(site, "article")) == 4


OPTIONAL = [
    ("article", r'<h2 id="[a-z0-9-]+">'),
    ("article", r'<section class="related">'),
    ("article", r'<figure class="gallery'),
    ("article", r'<figure class="figure figure-(left|right)">'),
    ("article", r'<blockquote class="pull-quote">'),
    ("article", r'<aside class="newsletter inline-newsletter">'),
    ("article", r'<aside class="promo">'),
    ("article", r'<table class="data">'),
    ("article", r'<pre class="listing"><code>'),
    ("article", r"<ol>\n<li>"),
    ("article", r"<ul>\n<li>"),
    ("article", r'<figure class="hero-figure">'),
    ("article", r'<div class="author-box">'),
    ("article", r'<time class="updated"'),
    ("article", r'id="widget-most-read"'),
    ("product", r'<section id="reviews"'),
    ("product", r"<del>£"),
    ("product", r'<table class="sizes">'),
    ("product", r'<ul class="thumbs">'),
    ("product", r'<section class="also">'),
    ("section", r'<link rel="next"'),
    ("section", r'<link rel="prev"'),
    ("product-list", r'<link rel="prev"'),
]


@pytest.mark.parametrize(("template", "pattern"), OPTIONAL)
def test_some_pages_have_it_and_some_do_not(
    site: DemoSite, texts: dict[str, str], template: str, pattern: str
) -> None:
    """What a template may leave out is present on several of its pages, and absent from others."""
    having = [bool(re.search(pattern, texts[path])) for path in pages_of(site, template)]

    assert 5 <= sum(having) <= len(having) - 5


COMMON = [
    r'<body class="[\w -]+">',
    r'<link rel="canonical" href="http://demo\.example/',
    r'<meta property="og:title"',
    r"<style>",
    r"<script>window\.lantern",
    r"<!-- cookie notice",
    r'<div id="cookie-notice"',
    r'<svg class="icon',
    r'<ul class="sub-menu">',
    r'<nav id="site-navigation"',
    r'<footer id="colophon"',
]


@pytest.mark.parametrize("pattern", COMMON)
def test_all_framed_pages_have_it(site: DemoSite, texts: dict[str, str], pattern: str) -> None:
    """The frame is the same on all pages but the redesigned, the broken and the empty one."""
    frameless = {*site.redesigned, site.broken, site.empty}
    lacking = [path for path, text in texts.items() if not re.search(pattern, text)]

    assert frameless >= set(lacking)


def test_each_article_has_classes_of_its_own(site: DemoSite, texts: dict[str, str]) -> None:
    """Each article carries its number, section and tags in its id and classes."""
    pattern = r'<article id="post-(\d+)" class="post-\1 post [\w -]*category-[a-z]+ tag-[\w -]+">'
    found = [re.search(pattern, texts[path]) for path in pages_of(site, "article")]
    numbers = {match[1] for match in found if match}

    assert len(numbers) == len(found)
    assert all(
        f"postid-{match[1]} " in texts[path]
        for path, match in zip(pages_of(site, "article"), found, strict=True)
        if match
    )


@pytest.mark.parametrize(
    ("template", "kind"),
    [
        ("article", "NewsArticle"),
        ("product", "Product"),
        ("author", "Person"),
        ("front", "WebSite"),
    ],
)
def test_machines_are_told_what_a_page_is(
    site: DemoSite, texts: dict[str, str], template: str, kind: str
) -> None:
    """Pages carry linked data of the right kind."""
    assert all(f'"@type": "{kind}"' in texts[path] for path in pages_of(site, template))


def test_style_hides_submenus_and_fixes_the_cookie_notice(site: DemoSite) -> None:
    """The style sheet uses what segmenters stumble over: hidden, fixed, floating, grid, flex."""
    style = (site.folder / "style/site.css").read_text("utf-8")

    assert re.search(r"\.sub-menu \{ display: none;", style)
    assert re.search(r"\.cookie-notice \{ position: fixed;", style)
    assert {"float: left", "display: grid", "display: flex"} <= set(
        re.findall(r"float: left|display: (?:grid|flex)", style)
    )


def test_no_slot_is_left_open(texts: dict[str, str]) -> None:
    """No sentence shows a slot of the grammar that made it."""
    assert [path for path, text in texts.items() if re.search(r"\{[a-z_]+\}", text)] == []


def test_png_pictures_are_sound(site: DemoSite) -> None:
    """Each PNG has as many pixels as its head says, and its chunks' checksums are right."""
    pictures = [body for path, body in contents(site.folder).items() if path.endswith(".png")]

    assert len(pictures) == 26
    for body in pictures:
        chunks = dict(png_chunks(body))
        width, height = struct.unpack(">2I", chunks[b"IHDR"][:8])
        pixels = zlib.decompress(chunks[b"IDAT"])
        assert list(chunks) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
        assert len(pixels) == height * (width + 1)
        assert max(pixels) < len(chunks[b"PLTE"]) // 3


def png_chunks(body: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(b"\x89PNG\r\n\x1a\n")
    while at < len(body):
        length, kind = struct.unpack(">I4s", body[at : at + 8])
        inside = body[at + 8 : at + 8 + length]
        assert struct.unpack(">I", body[at + 8 + length :][:4]) == (zlib.crc32(kind + inside),)
        yield kind, inside
        at += 12 + length


def test_svg_pictures_are_well_formed(site: DemoSite) -> None:
    """Each SVG file is XML with a size."""
    drawings = [body for path, body in contents(site.folder).items() if path.endswith(".svg")]
    roots = [ElementTree.fromstring(body) for body in drawings]

    assert len(roots) == 53
    assert all(root.tag.endswith("svg") and root.get("width") for root in roots)
