"""`webstencil extract`: main content of pages, to the screen, into a file or a folder."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from reading import read_json_lines
from warcs import record

import webstencil
from webstencil.cli import screen
from webstencil.cli.main import main
from webstencil.output.tei import NAMESPACE

STORY = "<title>{0}</title><nav><a href=/>Home</a></nav><article><h1>{0}</h1><p>{1}</p></article>"
WORDS = "It was a bright cold day in April, and the clocks were striking thirteen, said {0}. " * 3

NAMES = ("a/b", "a_b", "A_b", "日本", "中国", "x" * 130 + "1", "x" * 130 + "2")


def story(name: str) -> str:
    return STORY.format(name, WORDS.format(name))


def extract(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["extract", *map(str, arguments)])


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write pages whose URLs differ only in separators, letters or length."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "mirror"
    for name in NAMES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.html").write_text(story(name[-9:]))
    return folder


def test_each_page_has_a_file_of_its_own(mirror: Path) -> None:
    """However similar the URLs are, no page overwrites another."""
    assert mirror.is_dir()
    result = extract("mirror", "--out", "texts", "--format", "txt")

    assert result.exit_code == 0, result.output
    files = [path for path in Path("texts").rglob("*") if path.is_file()]
    texts = [path.read_text() for path in files]
    assert {path.suffix for path in files} == {".txt"}
    assert {text.partition("\n")[0] for text in texts} == {name[-9:] for name in NAMES}


def test_one_page_goes_into_the_file_that_is_named(mirror: Path) -> None:
    """If its name ends as the format does; else into a folder."""
    assert mirror.is_dir()
    extract("mirror/a_b.html", "--out", "deep/story.md")
    extract("mirror/a_b.html", "--out", "stories")

    assert Path("deep/story.md").read_text().startswith("# a")
    assert [path.name for path in Path("stories").rglob("*.md")] == ["a_b.md"]


def test_metadata_comes_with_the_content_if_asked_for(mirror: Path) -> None:
    """As front matter or as fields; what has no place for it says so."""
    page = mirror / "told.html"
    head = "<title>Rain</title><meta name=author content='Ann Lee'>"
    page.write_text(f"{head}<h1>Rain</h1><time>5 May 2019</time><p>{'It rains in Rome. ' * 20}")
    text, lines = (extract(page, "--metadata", "--format", form) for form in ("md", "jsonl"))
    told = {"title": "Rain", "author": "Ann Lee", "date": "2019-05-05", "type": "article"}

    assert text.output.splitlines()[2:6] == [f'{k}: "{v}"' for k, v in told.items()]
    assert text.output.splitlines()[6].startswith("type_confidence: 0.")
    assert isinstance(json.loads(lines.output)["type_confidence"], float)
    assert json.loads(lines.output).items() >= told.items()
    assert (
        "--metadata needs --format md or jsonl or json or xml-tei"
        in extract(page, "--metadata", "--format", "txt").output
    )


def test_html_is_not_written_among_the_pages(mirror: Path) -> None:
    """The next run would take it for pages of the site."""
    told = extract("mirror", "--format", "html", "--out", mirror / "texts")

    assert told.exit_code == 2
    assert "where it would be read as pages; choose a folder elsewhere" in told.output
    assert not (mirror / "texts").exists()


def test_long_jobs_tell_how_far_they_are(mirror: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If they write files; what goes to the screen tells it by itself."""
    assert mirror.is_dir()
    monkeypatch.setattr(screen, "EVERY", -1.0)
    told = extract("mirror", "--out", "texts").output

    assert [told.count(words) for words in ("6 pages read", "7 pages written")] == [1, 1]
    assert told.endswith("pages written to texts: 7\n")
    assert "pages read" not in extract("mirror").output


def test_lines_are_there_as_a_whole(mirror: Path) -> None:
    """Packed if the name says so; a file that holds none is spared."""
    assert mirror.is_dir()
    told = [extract("mirror", "--format", "jsonl", "--out", f"x.jsonl{end}") for end in ("", ".gz")]
    Path("dear.txt").write_text("my own words")
    refused = extract("mirror", "--format", "jsonl", "--out", "dear.txt")

    assert [result.exit_code for result in (*told, refused)] == [0, 0, 2]
    assert len(read_json_lines(Path("x.jsonl"))) == 7
    assert read_json_lines(Path("x.jsonl")) == read_json_lines(Path("x.jsonl.gz"))
    assert Path("dear.txt").read_text() == "my own words"
    assert not list(Path().glob("*.part"))


def test_warc_files_are_read_like_folders(tmp_path: Path) -> None:
    """As all sources of `webstencil run` are."""
    pages = [record(f"http://a.example/{n}", story(n).encode()) for n in "abc"]
    (tmp_path / "crawl.warc").write_bytes(b"".join(pages))
    result = extract(tmp_path / "crawl.warc", "--format", "jsonl")

    told = [json.loads(line) for line in result.output.splitlines()]
    assert [line["url"] for line in told] == [f"http://a.example/{n}" for n in "abc"]


def test_pages_that_are_none_are_told(mirror: Path) -> None:
    """With the reason; if there is nothing else, that is an error."""
    (mirror / "z.html").write_bytes(b"")
    some = extract("mirror", "--out", "texts")
    none = extract("mirror/z.html")

    assert some.exit_code == 0
    assert "http://mirror/z.html is empty (0 bytes)" in some.output
    assert none.exit_code == 2
    assert "Error: no page has a result: 1 failed" in none.output


def test_disk_that_is_full_is_told(mirror: Path) -> None:
    """In one sentence, without a traceback."""
    assert mirror.is_dir()
    Path("texts").write_text("a file, no folder")
    result = extract("mirror", "--out", "texts")

    assert result.exit_code == 2
    assert result.output.startswith("Error: cannot write texts/")


NOTE = "<p>Please support our newspaper, we cannot live without the help of our readers.</p>"


def noted(name: str) -> bytes:
    """Write a story with the note that all of them have."""
    return story(name).replace("</article>", f"{NOTE}<p>{WORDS.format(name[::-1])}</p>").encode()


def texts(*arguments: str | Path) -> dict[str, str]:
    """Extract pages; return their texts by URL."""
    result = extract(*arguments, "--format", "jsonl")
    assert result.exit_code == 0, result.output
    told = [json.loads(line) for line in result.output.splitlines()]
    return {line["url"]: line["text"] for line in told}


def test_the_order_of_pages_does_not_matter(tmp_path: Path) -> None:
    """Each page is compared with all the others, of any number of sites, with a store or without.

    What all pages of a site say is no content; a site with one page has it.
    """
    urls = [f"http://{site}.example/{name}" for name in "defg" for site in "ab"]
    records = [record(url, noted(url[-1])) for url in (*urls, "http://c.example/d")]
    (tmp_path / "a.warc").write_bytes(b"".join(records))
    (tmp_path / "b.warc").write_bytes(b"".join(reversed(records)))

    found = texts(tmp_path / "a.warc")

    assert [url for url, text in found.items() if "Please support" in text] == [
        "http://c.example/d"
    ]
    assert texts(tmp_path / "b.warc") == found
    for name in ("b", "a"):
        assert texts(tmp_path / f"{name}.warc", "--store", tmp_path / "s.db") == found


def test_a_store_keeps_the_pages_to_compare_with(tmp_path: Path) -> None:
    """A page that comes alone is compared with those of the calls before."""
    pages = [record(f"http://a.example/{name}", noted(name)) for name in "defgh"]
    (tmp_path / "many.warc").write_bytes(b"".join(pages[1:]))
    (tmp_path / "one.warc").write_bytes(pages[0])
    store = ("--store", tmp_path / "s.db")

    before = texts(tmp_path / "one.warc", *store)
    texts(tmp_path / "many.warc", *store)
    after = texts(tmp_path / "one.warc", *store)

    assert ["Please support" in one["http://a.example/d"] for one in (before, after)] == [
        True,
        False,
    ]


def test_redirects_and_empty_pages_are_told_and_not_written(tmp_path: Path) -> None:
    """A reader of the folder finds pages with text only; the others are counted by reason."""
    folder = tmp_path / "site"
    folder.mkdir()
    head = '<meta http-equiv="refresh" content="0; URL={}">'
    for name in "ab":
        moved = f"<html><head>{head.format(f'/new/{name}')}</head><body>Moved.</body></html>"
        (folder / f"{name}.html").write_text(moved)
    (folder / "empty.html").write_text("<html><body><div id=app></div></body></html>")
    (folder / "story.html").write_text(story("c"))

    result = extract(folder, "--base-url", "https://a.org/", "--out", tmp_path / "texts")

    assert result.exit_code == 0, result.output
    assert [path.name for path in (tmp_path / "texts").rglob("*.md")] == ["story.md"]
    told = " ".join(result.stderr.split())
    assert "is a redirect 2 https://a.org/a.html is a redirect; extract the page" in told
    assert "https://a.org/new/a" in told
    assert "has no text 1" in told


def test_a_single_file_has_the_url_that_is_given(tmp_path: Path) -> None:
    """Its links are resolved against it; a folder's URL gets the name of the file."""
    path = tmp_path / "story.html"
    path.write_text(story("c").replace("It was", "<a href='d'>It</a> was", 1))

    lines = [
        json.loads(extract(path, "--base-url", url, "--format", "jsonl").stdout)
        for url in ("https://a.org/x/page?id=1", "https://a.org/y/", "https://a.org")
    ]

    assert [line["url"] for line in lines] == [
        "https://a.org/x/page?id=1",
        "https://a.org/y/story.html",
        "https://a.org/story.html",
    ]
    assert "[It](https://a.org/x/d) was" in lines[0]["markdown"]


def test_a_base_url_must_be_one(tmp_path: Path) -> None:
    """A mistake is told with the value."""
    path = tmp_path / "story.html"
    path.write_text(story("c"))

    result = extract(path, "--base-url", "a.org")

    assert result.exit_code == 2
    assert "not 'a.org'" in result.stderr


def piped(text: str, *arguments: str) -> Result:
    """Run `extract` with something on standard input."""
    return CliRunner().invoke(main, ["extract", "-", *arguments], input=text)


def test_a_page_can_come_from_standard_input() -> None:
    """Its links are absolute by --base-url."""
    link = "<p>The <a href=rome>city of Rome</a> is wet, said everybody who was there that day.</p>"
    told = piped(story("Rain") + link * 3, "--base-url", "https://site.example/a/")

    assert "(https://site.example/a/rome)" in told.output


def test_names_can_come_from_standard_input(mirror: Path) -> None:
    """A list, as for other commands; nothing is refused."""
    assert "bright cold day" in piped(f"{mirror / 'a_b.html'}\n").output
    assert "there is nothing on standard input" in piped(" \n").output


def test_json_is_one_object_with_metadata(mirror: Path) -> None:
    """Of one page; several go to a folder."""
    told = json.loads(extract(mirror / "a_b.html", "--format", "json").output)
    refused = extract("mirror", "--format", "json")

    assert (told["title"], told["kind"]) == ("a_b", "content")
    assert "--format json has one page; give a folder by --out" in refused.output
    assert extract("mirror", "--format", "json", "--out", "texts").exit_code == 0
    assert len(list(Path("texts").rglob("*.json"))) == len(NAMES)


def test_tei_is_xml(mirror: Path) -> None:
    """With a header and a body."""
    root = ElementTree.fromstring(extract(mirror / "a_b.html", "--format", "xml-tei").output)
    words = "".join(root.itertext())

    assert root.tag == f"{{{NAMESPACE}}}TEI"
    assert "the clocks were striking thirteen" in words
    assert extract(mirror / "a_b.html", "--format", "xml-tei", "--out", "one.xml").exit_code == 0
    assert ElementTree.parse("one.xml").getroot().tag == root.tag


def test_the_python_api_takes_the_same_formats() -> None:
    """Each gives a text."""
    told = json.loads(webstencil.extract(story("Rain"), format="json"))
    line = webstencil.extract(story("Rain"), format="jsonl")

    assert told["title"] == "Rain"
    assert json.loads(line) == told
    assert "\n" not in line
    assert webstencil.extract(story("Rain"), format="xml-tei").startswith("<?xml")
