"""Folders: which files are pages, what their addresses are, what their resources are."""

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest

from webstencil.codec.compression import LARGEST
from webstencil.errors import ParseError, SettingsError, SourceError
from webstencil.markup.parse import parse
from webstencil.model import Resource
from webstencil.sources import Folder, Note, PageFile, open_sources


def write(folder: Path, **files: str) -> None:
    """Write files whose names are spelled with __ for / and _ for a dot."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_pages_are_html_files_by_name_or_by_content(tmp_path: Path) -> None:
    """In the order of their paths; style sheets, images and data are none."""
    site = tmp_path / "My Site"
    write(site, b_html="<p>b", a__c_htm="<p>c", style_css="p{}", data_json="{}", d="<html>d", e="x")
    pages = list(Folder(site).pages())

    assert [page.url for page in pages] == [
        "http://my-site/b.html",
        "http://my-site/d",
        "http://my-site/a/c.htm",
    ]
    assert pages[0].body == b"<p>b"
    assert Folder(site).count() == 3


def test_pipes_and_links_in_a_circle_hold_nothing_up(tmp_path: Path) -> None:
    """Whatever they are called: a pipe that nobody writes to would be read for ever."""
    os.mkfifo(tmp_path / "pipe.html")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "circle").symlink_to(tmp_path)
    (tmp_path / "page.html").write_text("<p>x")
    named = open_sources([str(tmp_path / "*")])

    assert [Path(page.origin).name for page in Folder(tmp_path).pages()] == ["page.html"]
    assert [Path(page.origin).name for page in named.pages()] == ["page.html"] * 2


def test_first_folder_named_like_a_host_is_the_host(tmp_path: Path) -> None:
    """As wget and HTTrack lay out their mirrors."""
    (tmp_path / "www.example.com").mkdir()
    (tmp_path / "www.example.com" / "index.html").write_text("<p>x")

    assert [page.url for page in Folder(tmp_path).pages()] == ["http://www.example.com/index.html"]


def test_base_url_decides_over_names(tmp_path: Path) -> None:
    """And resources below it are found."""
    write(tmp_path, a__b_html="<p>x", style_css="p{}")
    folder = Folder(tmp_path, base_url="https://example.com/docs/")

    assert [page.url for page in folder.pages()] == ["https://example.com/docs/a/b.html"]
    assert folder.fetch("https://example.com/docs/style.css") == Resource(b"p{}", "text/css")


@pytest.mark.parametrize(
    "address",
    [
        "example.com",
        "not an address",
        "file:///mirror",
        "",
        "http://a.example/b#c",
        "http://a.example/?q",
    ],
)
def test_base_url_must_be_an_address(tmp_path: Path, address: str) -> None:
    """Else every page would have one that no browser takes, and no site."""
    with pytest.raises(SettingsError, match="the address of a folder's top is like"):
        Folder(tmp_path, base_url=address)


def test_names_that_are_no_unicode_are_told_in_text(tmp_path: Path) -> None:
    """Mirrors of old sites have them; all that results say can be stored and printed."""
    path = tmp_path / os.fsdecode(b"gr\xfcn.html")
    path.write_text("<p>x")
    pages = [*Folder(tmp_path).pages(), *PageFile(path).pages()]

    assert [page.url.rpartition("/")[2] for page in pages] == ["gr%FCn.html"] * 2
    assert [page.origin for page in pages] == [f"{tmp_path}/gr\\xfcn.html"] * 2


def test_file_that_cannot_be_read_is_a_page_with_a_fault(tmp_path: Path) -> None:
    """The other pages still come."""
    write(tmp_path, a_html="<p>a", c_html="<p>c")
    (tmp_path / "b.html").symlink_to(tmp_path / "nowhere")
    pages = list(Folder(tmp_path, base_url="http://h.example").pages())

    assert [(page.url, page.fault) for page in pages] == [
        ("http://h.example/a.html", ""),
        ("http://h.example/b.html", "No such file or directory"),
        ("http://h.example/c.html", ""),
    ]
    with pytest.raises(ParseError, match="cannot be read: No such file"):
        parse(pages[1])


def test_folders_that_cannot_be_read_are_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their pages would be missed in silence."""
    write(tmp_path, a_html="<p>a", closed__b_html="<p>b")
    folder = Folder(tmp_path, base_url="http://h.example")

    def scan(path: str) -> Iterator[os.DirEntry[str]]:
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    real = os.scandir
    monkeypatch.setattr(os, "scandir", scan)
    for _ in range(2):
        pages = [page.url for page in folder.pages()]

    assert (pages, folder.count()) == (["http://h.example/a.html"], 1)
    assert folder.notes.all() == (
        Note("folder that cannot be read: Permission denied", 1, str(tmp_path / "closed")),
    )


def test_giant_files_are_not_read(tmp_path: Path) -> None:
    """A file larger than any page is a page with a fault, or a resource that is missing."""
    for name in ("a.html", "b.css"):
        with (tmp_path / name).open("wb") as file:
            file.truncate(LARGEST + 1)
    folder = Folder(tmp_path, base_url="http://h.example")
    (page,) = folder.pages()

    assert (page.body, page.fault) == (b"", "it is larger than 100,000,000 bytes")
    assert folder.fetch("http://h.example/b.css") is None
    with pytest.raises(SourceError, match="larger than 100,000,000 bytes"):
        list(PageFile(tmp_path / "a.html").pages())


@pytest.mark.parametrize("name", ["x" * 5000 + ".css", "y/" * 5000 + "z.css", "%00.css"])
def test_names_that_no_file_can_have_are_missing(tmp_path: Path, name: str) -> None:
    """A page that asks for them is painted without them."""
    write(tmp_path, a_html="<p>x")

    assert Folder(tmp_path).fetch(f"http://h.example/{name}") is None
    assert PageFile(tmp_path / "a.html").fetch(f"http://localhost/{name}") is None


def test_one_file_finds_what_it_is_painted_with(tmp_path: Path) -> None:
    """Beside it, above it, and from the root of a site that nobody named; nothing else."""
    write(tmp_path, site__sub__a_html="<p>x", site__sub__b_css="b", site__c_css="c", d_txt="d")
    file = PageFile(tmp_path / "site" / "sub" / "a.html")
    (page,) = file.pages()
    found = [file.fetch(urljoin(page.url, address)) for address in ("b.css", "../c.css", "/c.css")]

    assert page.body == b"<p>x"
    assert [resource.body for resource in found if resource] == [b"b", b"c", b"c"]
    assert file.fetch(urljoin(page.url, "../../d.txt")) is None
    assert file.fetch("http://localhost/etc/passwd") is None


def test_resources_are_found_as_mirrors_save_them(tmp_path: Path) -> None:
    """With the query in the name, without it, without .html, by folder, on the site's own host."""
    (tmp_path / "style.css@ver=5").write_text("a{}")
    (tmp_path / "plain.css").write_text("b{}")
    write(tmp_path, page_html="<p>p", sub__index_html="<p>i")
    folder = Folder(tmp_path, base_url="http://h.example")
    found = [
        folder.fetch(f"http://h.example/{name}")
        for name in ("style.css?ver=5", "plain.css?ver=7", "page", "sub/")
    ]

    assert [resource.body for resource in found if resource] == [b"a{}", b"b{}", b"<p>p", b"<p>i"]
    assert folder.fetch("https://cdn.example/plain.css") == Resource(b"b{}", "text/css")


@pytest.mark.parametrize(
    "url",
    [
        "http://h.example/../secret.txt",
        "http://h.example/%2e%2e/secret.txt",
        "http://h.example/..%2fsecret.txt",
        "file:///etc/passwd",
        "http://h.example/link.txt",
    ],
)
def test_nothing_outside_the_folder_is_served(tmp_path: Path, url: str) -> None:
    """Neither by dots, nor by escapes, nor through a link."""
    site = tmp_path / "site"
    site.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (site / "link.txt").symlink_to(tmp_path / "secret.txt")

    assert Folder(site, base_url="http://h.example").fetch(url) is None


def test_missing_folder_is_told(tmp_path: Path) -> None:
    """Before anything else happens."""
    with pytest.raises(SourceError, match="does not exist"):
        Folder(tmp_path / "nowhere")
    with pytest.raises(SourceError, match="is not a file"):
        PageFile(tmp_path / "nowhere.html")
