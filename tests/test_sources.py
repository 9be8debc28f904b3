"""Sources by name, several read as one, and templates with few pages."""

import gzip
import io
from pathlib import Path

import pytest
from warcs import CSS, record

from webstencil.errors import SettingsError, SourceError
from webstencil.jobs.job import Pipeline
from webstencil.model import Mode, Problem, Resource, Status
from webstencil.protocols import Source
from webstencil.settings import Settings
from webstencil.sources import (
    Folder,
    Note,
    PageFile,
    Several,
    WarcFile,
    open_page,
    open_source,
    open_sources,
)
from webstencil.sources.opening import NO_STYLE
from webstencil.store import open_store
from webstencil.testing import MemorySource, StackRenderer

PAGE = b"<!doctype html><body><h1>Title</h1>"


def urls(source: Source) -> list[str]:
    return [raw.url for raw in source.pages()]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write one source of each kind to the working folder."""
    for name in ("site/a.html", "site/sub/b.html", "one.htm"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(PAGE)
    (tmp_path / "site" / "style.css").write_text("p{}")
    (tmp_path / "crawl.warc.gz").write_bytes(gzip.compress(record("http://w.example/1", PAGE)))
    (tmp_path / "unnamed").write_bytes(record("http://u.example/1", PAGE))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("site", Folder),
        ("one.htm", PageFile),
        ("crawl.warc.gz", WarcFile),
        ("unnamed", WarcFile),
        ("si*", Several),
    ],
)
@pytest.mark.usefixtures("here")
def test_kinds_are_told_apart(name: str, kind: type) -> None:
    """By what is there, else by the first bytes."""
    source = open_source(name)

    assert type(source) is kind
    assert source.count() == len(urls(source)) > 0


def test_paths_are_names_too(tmp_path: Path) -> None:
    """Who has a `Path` in hand need not write it as text."""
    (tmp_path / "a.html").write_text("<p>x")

    assert repr(open_source(tmp_path)) == f"Folder('{tmp_path}')"
    assert repr(open_page(tmp_path / "a.html")) == f"PageFile('{tmp_path}/a.html')"


def test_patterns_match_pages_and_warcs_and_nothing_else(here: Path) -> None:
    """Also at any depth, in the order of their names."""
    assert urls(open_source("site/**/*")) == [
        f"http://localhost{here}/site/a.html",
        f"http://localhost{here}/site/sub/b.html",
    ]
    assert urls(open_source("*.warc*")) == ["http://w.example/1"]
    with pytest.raises(SourceError, match="no page and no WARC file matches"):
        open_source("site/*.css")


@pytest.mark.parametrize("packed", [False, True])
def test_list_names_sources_a_line(here: Path, packed: bool) -> None:
    """From its own folder; what is missing gives a warning, and the rest is read."""
    (here / "lists").mkdir()
    (here / "lists" / "inner.txt").write_text("one.htm")
    text = b"../site\n\n../crawl.warc.gz\nnowhere.warc\ninner.txt\nunnamed\n"
    path = here / "lists" / ("warc.paths.gz" if packed else "all.txt")
    path.write_bytes(gzip.compress(text) if packed else text)
    source = open_source(str(path))
    found = urls(source)

    assert found == [
        "http://site/a.html",
        "http://site/sub/b.html",
        "http://w.example/1",
        "http://u.example/1",
    ]
    assert isinstance(source, Several)
    (note,) = source.notes.all()
    assert (note.kind, note.count) == ("listed source that cannot be opened", 2)
    assert "nowhere.warc does not exist" in note.first


@pytest.mark.usefixtures("here")
def test_list_can_come_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `find ... | webstencil run -` has it."""
    monkeypatch.setattr("sys.stdin", io.StringIO("crawl.warc.gz\nsite\n"))

    assert urls(open_source("-"))[0] == "http://w.example/1"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nowhere", "does not exist"),
        ("", "does not exist"),
        ("/dev/null", "is neither a file nor a folder"),
        ("long.txt", "nothing in the list can be opened: .*File name too long"),
        ("https://a.example/", "is on the web"),
        ("empty.txt", "it is empty"),
    ],
)
def test_what_cannot_be_opened_is_an_error(here: Path, name: str, said: str) -> None:
    """With the next step."""
    (here / "empty.txt").write_text("\n")
    (here / "long.txt").write_text("x" * 5000)

    with pytest.raises(SourceError, match=said):
        open_source(name)


def test_page_that_comes_again_is_left_out(here: Path) -> None:
    """The first one counts, in this and in a second reading."""
    again = record("http://w.example/1", b"<p>later") + record("http://w.example/2", PAGE)
    (here / "later.warc").write_bytes(again)
    source = open_sources(["crawl.warc.gz", "later.warc"])
    first = [raw.body for raw in source.pages()]
    second = [raw.body for raw in source.pages()]

    assert first == second == [PAGE, PAGE]
    assert source.notes.all() == (
        Note("page that came before", 1, f"http://w.example/1 in {here}/later.warc:0"),
    )


def test_resources_may_be_in_another_file(here: Path) -> None:
    """A crawl may be in several WARC files."""
    (here / "more.warc").write_bytes(record("http://w.example/s.css", b"p{}", http=CSS))
    source = open_sources(["crawl.warc.gz", "more.warc"])

    assert source.fetch("http://w.example/s.css") == Resource(b"p{}", "text/css")


def test_missing_style_sheets_give_a_warning(here: Path) -> None:
    """Areas of a page without style sheets are poor; missing images cost little."""
    source = open_sources([str(here / "site")])
    for name in ("gone.css?v=2", "gone.css", "gone.png"):
        source.fetch(f"http://site/{name}")
        source.fetch(f"https://site/{name}")

    assert source.notes.all() == (Note(NO_STYLE, 2, "http://site/gone.css?v=2"),)


def test_compressed_pages_of_a_folder_are_read(tmp_path: Path) -> None:
    """Under the URL of the page in them, once; also where the name does not say so."""
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(b"<p>a"))
    (tmp_path / "b.html").write_bytes(gzip.compress(b"<p>b"))
    (tmp_path / "c.html").write_bytes(b"<p>c")
    (tmp_path / "c.html.gz").write_bytes(gzip.compress(b"<p>old"))
    folder = Folder(tmp_path, base_url="http://h.example")

    assert [(raw.url, raw.body) for raw in folder.pages()] == [
        ("http://h.example/a.html", b"<p>a"),
        ("http://h.example/b.html", b"<p>b"),
        ("http://h.example/c.html", b"<p>c"),
    ]
    assert next(PageFile(tmp_path / "a.html.gz").pages()).body == b"<p>a"


def story(number: int) -> bytes:
    return f"<body><h1>Story {number}</h1><div><p>Text {number}</p></div>".encode()


RARE = b"<body><table><tr><td>x</table><form><input></form>"
MIXED = MemorySource(
    {f"http://a.example/{number}": story(number) for number in range(3)}
    | {"http://a.example/rare": RARE, "http://a.example/empty": b""}
    | {"http://b.example/1": story(9)}
)


def test_templates_with_few_pages_are_not_rendered(tmp_path: Path) -> None:
    """They are counted site by site; their pages say why they have no areas."""
    renderer = StackRenderer()
    with open_store(tmp_path / "s.db") as store:
        pipeline = Pipeline(store, renderer, Settings(mode=Mode.PAPER, min_pages_per_template=3))
        results = {result.url: result for result in pipeline.run(MIXED)}

    assert renderer.rendered == ["http://a.example/0"]
    assert {url: result.status for url, result in results.items()} == {
        "http://a.example/0": Status.LEARNED,
        "http://a.example/1": Status.HIT,
        "http://a.example/2": Status.HIT,
        "http://a.example/rare": Status.SKIPPED,
        "http://a.example/empty": Status.FAILED,
        "http://b.example/1": Status.SKIPPED,
    }
    assert results["http://b.example/1"].problems == (
        Problem("match", "rare", "its template has 1 of the 3 pages that it must have"),
    )
    assert pipeline.report().skipped == 2


def test_skipped_pages_are_done_when_asked_for(tmp_path: Path) -> None:
    """A later run with a lower number renders their templates."""
    with open_store(tmp_path / "s.db") as store:
        list(
            Pipeline(
                store, StackRenderer(), Settings(mode=Mode.PAPER, min_pages_per_template=3)
            ).run(MIXED)
        )
        renderer = StackRenderer()
        list(
            Pipeline(store, renderer, Settings(mode=Mode.PAPER, min_pages_per_template=1)).run(
                MIXED
            )
        )

    assert renderer.rendered == ["http://a.example/rare", "http://b.example/1"]


def test_number_of_pages_must_make_sense() -> None:
    """At least one."""
    with pytest.raises(SettingsError, match="1 or more, not 0"):
        Settings(min_pages_per_template=0)


def test_results_tell_where_their_page_was_read(tmp_path: Path) -> None:
    """The WARC file and the offset in it."""
    path = tmp_path / "a.warc"
    path.write_bytes(record("http://a.example/1", PAGE) + record("http://a.example/2", PAGE))
    with open_store(tmp_path / "s.db") as store:
        results = list(Pipeline(store, StackRenderer()).run(WarcFile(path)))

    assert [result.origin for result in results] == [raw.origin for raw in WarcFile(path).pages()]
    assert results[0].origin == f"{path}:0"
