"""All formats: what they promise in common, and each for itself."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from dataclasses import fields, replace
from pathlib import Path

import killed_job
import pytest
from reading import front_matter, read_any, read_json_lines, read_markdown, read_table

from webstencil.errors import SettingsError, WebstencilError
from webstencil.geometry import Rect
from webstencil.model import Item, PageArea, PageResult, Problem, Status
from webstencil.output import HtmlFolder, JsonLines, MarkdownFolder, ParquetFolder, open_output
from webstencil.output.files import file_of_page
from webstencil.output.markdown import PageMarkdown, content_of, place_in_warc, reason_of
from webstencil.output.parquet import TABLE_COLUMNS

HIT = PageResult(
    url="http://a.example/é",
    site="a.example",
    status=Status.HIT,
    stencil="abc",
    confidence=0.5,
    areas=(
        PageArea(0, None, "header", "Paper", "#h", "/html/h", Rect(0, 0, 9, 9), 1, 1.0),
        PageArea(1, 0, None, "Two\nlines", "#x > p", "/html/p", Rect(1, 2, 3, 4.5), 1, 1.0),
    ),
    problems=(Problem("locate", "count", "area 2 is not on this page"),),
    items=(Item("headline", "Two", "h1", "/html/h1", 0.9, "font", 1, "", (("link", "/x"),)),),
    origin="/data/a.warc.gz:12",
)
FAILED = PageResult(
    url="http://b.example:8080/",
    site="b.example:8080",
    status=Status.FAILED,
    stencil=None,
    confidence=0.0,
    problems=(Problem("parse", "ParseError", "it is empty: nothing"),),
    origin="/data/b.html",
)
KILLS = int(os.environ.get("WEBSTENCIL_KILLS", "2"))  # of each format
PAGES = 300  # of the job that is killed
LONGEST = 0.4  # s that the job lives after it has begun
OUTPUTS = ["out.jsonl", "out.jsonl.gz", "out.jsonl.zst", "parquet", "md", "html"]
DOCUMENTED = (Path(__file__).parents[1] / "docs" / "output.md").read_text()


def name_of(output: str) -> str:
    return output if output in ("parquet", "md", "html") else "jsonl"


def written(path: Path, *results: PageResult, known: tuple[PageResult, ...] = ()) -> None:
    with open_output(path, name_of(path.name), lambda: known) as output:
        for result in results:
            output.write(result)


def told(path: Path) -> list[tuple[str, str, float]]:
    return sorted((page["url"], page["status"], page["confidence"]) for page in read_any(path))


@pytest.mark.parametrize("output", OUTPUTS)
def test_what_is_known_and_what_comes_is_there_once(tmp_path: Path, output: str) -> None:
    """Also where a page is done again, and where an earlier run was killed."""
    path = tmp_path / "deep" / output
    changed = replace(HIT, confidence=0.75)
    other = replace(HIT, url="http://a.example/other")
    written(path, HIT, FAILED)
    written(path, known=(HIT,))  # a store that lost a page, or a crash before it was written
    store = [HIT, FAILED]
    with open_output(path, name_of(output), lambda: store) as out:
        store.append(other)
        out.write(other)
        store[:] = [FAILED, other, changed]
        out.write(changed)

    assert told(path) == [
        ("http://a.example/other", "hit", 0.5),
        ("http://a.example/é", "hit", 0.75),
        ("http://b.example:8080/", "failed", 0.0),
    ]
    assert [one.name for one in tmp_path.rglob("*.part")] == []


@pytest.mark.parametrize("output", OUTPUTS)
def test_second_run_with_nothing_new_changes_nothing(tmp_path: Path, output: str) -> None:
    """Byte for byte."""
    path = tmp_path / output
    written(path, HIT, FAILED)
    before = {one: one.read_bytes() for one in tmp_path.rglob("*") if one.is_file()}
    written(path, known=(HIT, FAILED))

    assert {one: one.read_bytes() for one in tmp_path.rglob("*") if one.is_file()} == before


def start(path: Path, pages: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, killed_job.__file__, str(path), str(pages)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


def readable(path: Path) -> bool:
    """Return whether the files of a killed job can be read, except for half a last line of JSON."""
    if not path.exists():
        return True
    if path.suffix == ".jsonl":
        whole = path.read_bytes().rpartition(b"\n")[0]
        path.with_name("copy.jsonl").write_bytes(whole)
        path = path.with_name("copy.jsonl")
    if path.name == "parquet":
        read_table(path, "areas")
    pages = [page["url"] for page in read_any(path)]
    return len(pages) == len(set(pages))


@pytest.mark.parametrize("output", ["out.jsonl", "out.jsonl.zst", "parquet", "md"])
def test_killed_job_leaves_whole_files_and_the_next_ends_it(tmp_path: Path, output: str) -> None:
    """SIGKILL at random moments; then all is as after an undisturbed run."""
    chance = random.Random(output)
    path = tmp_path / output
    for _ in range(KILLS):
        job = start(path, PAGES)
        assert job.stdout is not None
        job.stdout.readline()
        time.sleep(chance.uniform(0, LONGEST))
        job.send_signal(signal.SIGKILL)
        job.communicate()
        assert readable(path)
    last = start(path, PAGES)
    last.communicate(timeout=100)
    expected = {result.url: result for result, _ in killed_job.results(PAGES)}

    assert last.returncode == 0
    assert told(path) == sorted(
        (result.url, result.status.value, pytest.approx(result.confidence, abs=1e-4))
        for result in expected.values()
    )
    if output == "parquet":
        assert [row["text"] for row in read_table(path, "areas")] == [
            area.text for url in sorted(expected) for area in expected[url].areas
        ]


def test_folder_may_be_named_for_json_lines(tmp_path: Path) -> None:
    """The file in it has a fixed name."""
    written(tmp_path, HIT)

    assert read_json_lines(tmp_path / "results.jsonl")[0]["url"] == HIT.url


@pytest.mark.parametrize("kind", [MarkdownFolder, ParquetFolder, HtmlFolder])
def test_file_instead_of_a_folder_is_an_error(tmp_path: Path, kind: type) -> None:
    """And left as it is."""
    (tmp_path / "file").write_text("mine")

    with pytest.raises(WebstencilError, match="is a file; choose a folder"):
        kind(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"


def test_unknown_format_is_an_error(tmp_path: Path) -> None:
    """With those there are."""
    with pytest.raises(SettingsError, match="unknown format 'xml'; choose one of html, jsonl, md"):
        open_output(tmp_path / "x", "xml")


def test_content_is_what_was_extracted_else_the_texts_of_the_areas() -> None:
    """As Markdown where there is some."""
    piece = Item("content", "Plain", "p", "/p", 1.0, "x", 1)
    items = (piece, replace(piece, markdown="**Bold**"))

    assert content_of(HIT) == PageMarkdown("Paper\n\nTwo\nlines", "areas")
    assert content_of(replace(HIT, items=items)) == PageMarkdown("Plain\n\n**Bold**", "items")
    assert content_of(FAILED) == PageMarkdown("", "")


def test_reason_and_place_are_told() -> None:
    """Why there are no areas; which WARC file, at which byte."""
    assert reason_of(FAILED) == "parse: ParseError: it is empty: nothing"
    assert reason_of(HIT) is None
    assert place_in_warc(HIT) == ("/data/a.warc.gz", 12)
    assert place_in_warc(FAILED) == (None, None)


def test_tables_hold_all_of_a_result(tmp_path: Path) -> None:
    """Partitioned by site; a port in its name is escaped and comes back."""
    written(tmp_path / "parquet", HIT, FAILED)
    hit, failed = read_table(tmp_path / "parquet", "pages")
    areas = read_table(tmp_path / "parquet", "areas")
    (item,) = read_table(tmp_path / "parquet", "items")

    assert [(page["site"], page["reason"]) for page in (hit, failed)] == [
        ("a.example", None),
        ("b.example:8080", "parse: ParseError: it is empty: nothing"),
    ]
    assert (hit["warc_file"], hit["warc_offset"], hit["areas"]) == ("/data/a.warc.gz", 12, 2)
    assert hit["problems"] == [
        {"stage": "locate", "kind": "count", "message": "area 2 is not on this page"}
    ]
    assert areas[1] == {
        "url": HIT.url,
        "site": "a.example",
        "id": 1,
        "parent": 0,
        "kind": None,
        "text": "Two\nlines",
        "selector": "#x > p",
        "xpath": "/html/p",
        "left": 1.0,
        "top": 2.0,
        "right": 3.0,
        "bottom": 4.5,
        "nodes": 1,
        "confidence": 1.0,
        "slot": None,
        "attributes": [],
        "name": "",
    }
    assert (item["kind"], item["fields"]) == ("headline", [{"name": "link", "value": "/x"}])


def test_tables_have_a_column_for_every_field() -> None:
    """A new field of a value asks for a column."""
    unpacked = {"rect", "site"}
    for table, value in (("pages", PageResult), ("areas", PageArea), ("items", Item)):
        columns = {name for name, _ in TABLE_COLUMNS[table]}
        assert {field.name for field in fields(value)} - columns <= unpacked


@pytest.mark.parametrize("table", TABLE_COLUMNS)
def test_columns_are_documented(table: str) -> None:
    """With their types, in their order."""
    part = DOCUMENTED.split(f"### `{table}`")[1].split("###")[0]

    assert re.findall(r"^\| `(\w+)` \| ([^|]+) \|", part, re.MULTILINE) == [
        ("site", "string"),
        *TABLE_COLUMNS[table],
    ]


def test_parts_that_a_crash_left_without_their_pages_go(tmp_path: Path) -> None:
    """So do drafts."""
    path = tmp_path / "parquet"
    written(path, HIT)
    areas = path / "areas" / "site=a.example"
    (areas / "part-00002.parquet").write_bytes((areas / "part-00001.parquet").read_bytes())
    (path / ".draft.parquet").write_bytes(b"half")
    written(path, known=(HIT,))

    assert [one.name for one in areas.iterdir()] == ["part-00001.parquet"]
    assert sorted(one.name for one in path.iterdir()) == ["areas", "items", "pages"]


def test_memory_for_parts_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The site with the most waiting text is written when all have too much."""
    monkeypatch.setattr("webstencil.output.parquet.MOST_WAITING_TEXT", 3000)
    path = tmp_path / "parquet"
    with ParquetFolder(path) as output:
        for number in range(9):
            output.write(replace(HIT, url=f"http://{number}.example/", site=f"{number % 3}.ex"))
        early = len(read_table(path, "pages"))

    assert 0 < early < 9
    assert len(read_table(path, "pages")) == 9


def test_markdown_has_front_matter(tmp_path: Path) -> None:
    """Which YAML readers take, and the main content after it."""
    told = replace(HIT, template="story: /…", type="article", type_confidence=0.9)
    written(tmp_path / "md", told, FAILED)

    assert front_matter(tmp_path / "md" / "a.example" / "é.md") == {
        "url": HIT.url,
        "type": "article",
        "type_confidence": 0.9,
        "site": "a.example",
        "status": "hit",
        "reason": None,
        "template": "story: /…",
        "stencil": "abc",
        "confidence": 0.5,
        "content_from": "areas",
        "origin": "/data/a.warc.gz:12",
        "text": "Paper\n\nTwo\nlines",
    }
    assert (tmp_path / "md" / "b.example_8080" / "index.md").exists()


def test_front_matter_has_the_items_of_the_page(tmp_path: Path) -> None:
    """Title, date and author, if they were extracted."""
    told = [Item(kind, f"The {kind}", "", "", 0.9, "meta") for kind in ("author", "title", "row")]
    written(tmp_path / "md", replace(HIT, items=tuple(told)))
    facts = front_matter(tmp_path / "md" / "a.example" / "é.md")

    assert list(facts)[:4] == ["url", "title", "author", "type"]
    assert (facts["title"], facts["author"]) == ("The title", "The author")


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://a.example/", "a.example/index.md"),
        ("http://a.example", "a.example/index.md"),
        ("https://u:secret@a.example/x/y.html", "a.example/x/y.md"),
        ("http://a.example/x/", "a.example/x/index.md"),
        ("http://a.example/x.md/y", "a.example/x.md_/y.md"),
        ("http://a.example/%2e%2e/y", "a.example/%2e%2e/y.md"),
        ("http://a.example/../../y", "a.example/_./_./y.md"),
        ("http://a.example/.ssh/..", "a.example/_ssh/_..md"),
        ("http://a.example//etc//passwd", "a.example/_/etc/_/passwd.md"),
        ("http://a.example/a\\b:c\0d", "a.example/a_b_c_d.md"),
        ("http://../../etc", "_./_./etc.md"),
    ],
)
def test_names_of_files_come_from_urls(url: str, name: str) -> None:
    """And stay in the folder."""
    assert str(file_of_page(url, ".md")) == name


NASTY = [
    "http://a.example/" + "../" * 60 + "etc/passwd",
    "http://a.example/" + "x" * 5000,
    "http://a.example/" + "/".join("d" * 200 for _ in range(90)),
    "http://a.example/p?id=1",
    "http://a.example/p?id=2",
    "http://a.example/p",
    "https://a.example/p",
    "http://a.example/P",
    "http://a.example/p.html",
    "http://a.example/p/",
    "http://a.example/p/index",
    "http://a.example/p.md/x",
    "http://[::1]:80/..",
    "http://[broken/",
    "file:///etc/passwd",
    "nonsense",
    "",
    "http://a.example/ümläut/日本語" * 9,
]


def test_no_url_leaves_the_folder_or_takes_anothers_file(tmp_path: Path) -> None:
    """Every page has one file of its own, below the folder."""
    written(tmp_path / "out" / "md", *[replace(HIT, url=url) for url in NASTY])
    files = [one for one in tmp_path.rglob("*") if one.is_file()]

    assert all((tmp_path / "out" / "md") in one.parents for one in files)
    assert sorted(page["url"] for page in read_markdown(tmp_path)) == sorted(NASTY)


def test_packed_lines_are_put_in_place_at_the_end(tmp_path: Path) -> None:
    """Until then there is nothing, or what an earlier run made."""
    path = tmp_path / "out.jsonl.gz"
    with JsonLines(path) as lines:
        lines.write(HIT)
        assert not path.exists()

    assert [page["url"] for page in read_json_lines(path)] == [HIT.url]


def test_missing_pyarrow_is_named_with_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the job."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    with pytest.raises(WebstencilError, match=r"pip install webstencil\[parquet\]"):
        ParquetFolder(tmp_path / "tables")


@pytest.mark.parametrize("library", ["duckdb", "pandas", "polars"])
def test_examples_of_the_documents_run(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    library: str,
) -> None:
    """As they stand there, on results of ours."""
    pytest.importorskip(library)
    codes = re.findall(r"```python\n(.*?)```", DOCUMENTED, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    for path, name in (("tables", "parquet"), ("results.jsonl", None), ("results.jsonl.gz", None)):
        with open_output(Path(path), name) as out:
            out.write(HIT)
            out.write(FAILED)
    ours = [code for code in codes if f"import {library}" in code]
    for code in ours:
        exec(compile(code, "docs/output.md", "exec"), {})

    assert ours
    assert "b.example:8080" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["out.jsonl", "out.parquet", "out.md", "out.html"])
def test_outputs_take_paths_and_texts(tmp_path: Path, name: str) -> None:
    """As `open` does."""
    with open_output(str(tmp_path / name)) as output:
        output.write(HIT)

    assert (tmp_path / name).exists()


@pytest.mark.parametrize("output", OUTPUTS)
def test_two_runs_do_not_write_to_one_path(tmp_path: Path, output: str) -> None:
    """The second is an error; once the first is done, it may."""
    path = tmp_path / output
    with open_output(path, name_of(output)) as first:
        first.write(HIT)
        with pytest.raises(WebstencilError, match="another run is writing to"):
            open_output(path, name_of(output))
    written(path, FAILED, known=(HIT,))

    assert len(read_any(path)) == 2


def test_standard_output_is_refused() -> None:
    """A file called - is what nobody wants."""
    with pytest.raises(SettingsError, match="choose one"):
        open_output("-")
