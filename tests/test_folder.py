"""Folders: which files are pages, what their URLs are, what their resources are."""

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest

from webstencil.codec import LARGEST_BODY
from webstencil.errors import ParseError, SettingsError, SourceError
from webstencil.markup.parse import parse
from webstencil.model import Resource
from webstencil.sources import Folder, Note, PageFile, open_sources
from webstencil.urls import has_made_up_host, normalise, site_of


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


def lay_out(top: Path, *names: str) -> Folder:
    """Write an empty page for each name, and open them as a folder."""
    for name in names:
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text("<html>")
    return Folder(top)


def urls_of(folder: Folder) -> list[str]:
    return [page.url for page in folder.pages()]


@pytest.mark.parametrize(
    ("name", "host"),
    [
        ("www.example.com", "www.example.com"),
        ("Blog.Example.co.uk", "Blog.Example.co.uk"),
        ("my_blog.example.com", "my_blog.example.com"),
        ("xn--e1afmkfd.xn--p1ai", "xn--e1afmkfd.xn--p1ai"),
        ("user.github.io", "user.github.io"),
        ("example.com:8080", "example.com:8080"),
        ("example.com+8080", "example.com:8080"),
        ("127.0.0.1_8000", "127.0.0.1:8000"),
        ("192.0.2.7", "192.0.2.7"),
        ("localhost", "localhost"),
        ("wiki.local", "wiki.local"),
    ],
)
def test_folder_named_after_a_host_has_its_pages(tmp_path: Path, name: str, host: str) -> None:
    """As wget and HTTrack lay out their mirrors; the mirror or the host's folder may be named."""
    mirror = lay_out(tmp_path / "mirror", f"{name}/a/b.html")

    assert urls_of(mirror) == [f"http://{host}/a/b.html"]
    assert urls_of(Folder(tmp_path / "mirror" / name)) == [f"http://{host.lower()}/a/b.html"]


@pytest.mark.parametrize(
    "name", ["java.base", "jquery.ui", "v1.2", "1.20", "index.files", "node.js", "index.php", "com"]
)
def test_dots_alone_make_no_host(tmp_path: Path, name: str) -> None:
    """A host ends in a public suffix, is an IP address or a name of a private network."""
    folder = lay_out(tmp_path / "site", f"{name}/a.html")

    assert urls_of(folder) == [f"http://site/{name}/a.html"]


def test_folders_beside_pages_are_parts_of_their_site(tmp_path: Path) -> None:
    """Also if their names are hosts, as two modules in the manual of Java are."""
    names = ("index.html", "java.base/a.html", "java.se/b.html", "jdk.net/c.html")

    assert urls_of(lay_out(tmp_path / "api", *names)) == [f"http://api/{name}" for name in names]


def test_folders_in_a_folder_of_a_host_are_no_hosts(tmp_path: Path) -> None:
    """Host folders lie at the top of a mirror, never deeper."""
    folder = lay_out(tmp_path, "example.com/docs.rs/a.html", "example.com/node.js/b.html")

    assert urls_of(folder) == [
        "http://example.com/docs.rs/a.html",
        "http://example.com/node.js/b.html",
    ]


@pytest.mark.parametrize("other", ["hts-log.txt", "hts-cache/new.txt", "cdn.example.net/b.css"])
def test_page_at_the_top_of_a_mirror_changes_no_host(tmp_path: Path, other: str) -> None:
    """HTTrack writes one there; several folders that are all named like hosts are a mirror, too."""
    folder = lay_out(tmp_path / "mirror", "index.html", "example.com/a.html", other)

    assert urls_of(folder) == ["http://mirror/index.html", "http://example.com/a.html"]


@pytest.mark.parametrize(
    ("name", "host"),
    [
        ("My Site", "my-site"),
        ("java.base", "java.base"),
        ("My Site.com", "my-site-com"),
        ("python3.11", "python3-11"),
        ("2024", "folder-2024"),
    ],
)
def test_hosts_that_are_made_up_are_recognised(tmp_path: Path, name: str, host: str) -> None:
    """They are valid and nobody's, so that nothing is linked to a stranger or to nowhere."""
    (url,) = urls_of(lay_out(tmp_path / name, "a.html"))

    assert url == f"http://{host}/a.html"
    assert site_of(url) == host
    assert has_made_up_host(url)


def test_hosts_of_the_web_are_not_made_up(tmp_path: Path) -> None:
    """Nor those of servers on this machine; pages from files and broken URLs have none."""
    write(tmp_path, a_html="<p>x")
    (page,) = PageFile(tmp_path / "a.html").pages()
    made_up = (page.url, "http://localhost/", "http://broken.7/", "")
    real = ("https://example.com/", "http://localhost:8000/", "http://127.0.0.1/", "http://[::1]/")

    assert [has_made_up_host(url) for url in made_up] == [True] * 4
    assert [has_made_up_host(url) for url in real] == [False] * 4


def test_base_url_decides_over_names(tmp_path: Path) -> None:
    """And resources below it are found."""
    write(tmp_path, a__b_html="<p>x", style_css="p{}")
    folder = Folder(tmp_path, base_url="https://example.com/docs/")

    assert [page.url for page in folder.pages()] == ["https://example.com/docs/a/b.html"]
    assert folder.fetch("https://example.com/docs/style.css") == Resource(b"p{}", "text/css")


@pytest.mark.parametrize(
    "url",
    [
        "example.com",
        "not a URL",
        "file:///mirror",
        "",
        "http://a.example/b#c",
        "http://a.example/?q",
    ],
)
def test_base_url_must_be_a_url(tmp_path: Path, url: str) -> None:
    """Else every page would have one that no browser takes, and no site."""
    with pytest.raises(SettingsError, match="the root URL of a folder must be like"):
        Folder(tmp_path, base_url=url)


def test_names_that_are_no_unicode_are_escaped(tmp_path: Path) -> None:
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


def test_folders_that_cannot_be_read_give_a_warning(
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
            file.truncate(LARGEST_BODY + 1)
    folder = Folder(tmp_path, base_url="http://h.example")
    (page,) = folder.pages()

    assert (page.body, page.fault) == (b"", "it is larger than 100,000,000 bytes")
    assert folder.fetch("http://h.example/b.css") is None
    with pytest.raises(SourceError, match="larger than 100,000,000 bytes"):
        list(PageFile(tmp_path / "a.html").pages())


@pytest.mark.parametrize("name", ["x" * 5000 + ".css", "y/" * 5000 + "z.css", "%00.css"])
def test_names_that_no_file_can_have_are_missing(tmp_path: Path, name: str) -> None:
    """A page that asks for them is rendered without them."""
    write(tmp_path, a_html="<p>x")

    assert Folder(tmp_path).fetch(f"http://h.example/{name}") is None
    assert PageFile(tmp_path / "a.html").fetch(f"http://localhost/{name}") is None


def test_one_file_finds_its_resources(tmp_path: Path) -> None:
    """Beside it, above it, and from the root of a site that nobody named; nothing else."""
    write(tmp_path, site__sub__a_html="<p>x", site__sub__b_css="b", site__c_css="c", d_txt="d")
    file = PageFile(tmp_path / "site" / "sub" / "a.html")
    (page,) = file.pages()
    found = [file.fetch(urljoin(page.url, href)) for href in ("b.css", "../c.css", "/c.css")]

    assert page.body == b"<p>x"
    assert [resource.body for resource in found if resource] == [b"b", b"c", b"c"]
    assert file.fetch(urljoin(page.url, "../../d.txt")) is None
    assert file.fetch("http://localhost/etc/passwd") is None


NAMES = ("a.css", "docs.rs/a.css", "sub folder/50%.css", "a.css?v=1", "a#b.css", b"gr\xfcn.css")


@pytest.mark.parametrize("top", ["", "Example.com", "example.com+8080", "docs.rs"])
@pytest.mark.parametrize("base_url", [None, "https://h.example/my%20docs/"])
@pytest.mark.parametrize("page", ["example.com/index.html", "index.html"])
def test_files_are_found_at_their_urls(
    tmp_path: Path, top: str, base_url: str | None, page: str
) -> None:
    """Whatever they are called, in mirrors and in sites, also if the same name is elsewhere."""
    lay_out(tmp_path, page)
    files = [tmp_path / top / os.fsdecode(name) for name in NAMES]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(bytes(file))
    folder = Folder(tmp_path, base_url=base_url)
    found = [folder.fetch(normalise(folder.address(file)) or "") for file in files]

    assert [resource and resource.body for resource in found] == [bytes(file) for file in files]


def test_one_file_finds_names_that_are_no_unicode(tmp_path: Path) -> None:
    """Its style sheets are called as the mirror of an old site has them."""
    write(tmp_path, a_html="<p>x")
    (tmp_path / os.fsdecode(b"gr\xfcn.css")).write_text("p{}")
    file = PageFile(tmp_path / "a.html")
    (page,) = file.pages()

    assert file.fetch(urljoin(page.url, "gr%FCn.css")) == Resource(b"p{}", "text/css")


def test_folder_of_a_site_is_no_host_for_its_resources(tmp_path: Path) -> None:
    """A page that asks `http://docs.rs/` for a file does not mean the site's own folder."""
    write(tmp_path, index_html="<p>x", docs_rs__a_css="p{}")

    assert Folder(tmp_path).fetch("http://docs.rs/a.css") is None


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


def test_missing_folder_is_an_error(tmp_path: Path) -> None:
    """Before anything else happens."""
    with pytest.raises(SourceError, match="does not exist"):
        Folder(tmp_path / "nowhere")
    with pytest.raises(SourceError, match="is not a file"):
        PageFile(tmp_path / "nowhere.html")


def test_one_file_with_a_url_finds_its_resources(tmp_path: Path) -> None:
    """Beside it, as the links of the page say."""
    write(tmp_path, a_html="<p>x", css__b_css="b")
    file = PageFile(tmp_path / "a.html", base_url="https://a.org/x/page")

    found = file.fetch("https://a.org/x/css/b.css")

    assert next(file.pages()).url == "https://a.org/x/page"
    assert found is not None
    assert found.body == b"b"
