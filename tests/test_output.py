"""Output: one line a page, as docs/output.md says."""

import json
import os
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path

import pytest
from reading import read_json_lines

from webstencil.codec import put
from webstencil.errors import WebstencilError
from webstencil.geometry import Rect
from webstencil.model import Item, PageArea, PageResult, Problem, Status
from webstencil.output import JsonLines, json_areas, json_line
from webstencil.output.parquet import TABLE_COLUMNS, page_row

RESULT = PageResult(
    url="http://a.example/é",
    site="a.example",
    status=Status.HIT,
    stencil="abc",
    confidence=0.5,
    areas=(
        PageArea(1, 0, None, "Zwei\nZeilen", "#x > p", "/html/body/p", Rect(1, 2, 3, 4.5), 1, 1.0),
    ),
    problems=(Problem("locate", "count", "area 2 is not on this page"),),
    items=(Item("headline", "Zwei", "h1", "/html/body/h1", 0.9, "font size", 1),),
    origin="a.warc.gz:12",
    template="story: /…",
)
ANOTHER = replace(RESULT, url="http://a.example/other")
DOCUMENTED = Path(__file__).parents[1] / "docs" / "output.md"


def test_attributes_are_an_object() -> None:
    """Programs look them up by name."""
    area = replace(RESULT.areas[0], attributes=(("doc", 7.0), ("depth", 1.0)))

    (written,) = json.loads(json_line(replace(RESULT, areas=(area,))))["areas"]

    assert written["attributes"] == {"doc": 7.0, "depth": 1.0}
    assert json.loads(json_areas([area])) == [written]


def test_line_holds_all_fields_of_a_result() -> None:
    """Names and nesting are those of the values."""
    assert json.loads(json_line(RESULT)) == {
        "url": "http://a.example/é",
        "site": "a.example",
        "status": "hit",
        "stencil": "abc",
        "confidence": 0.5,
        "areas": [
            {
                "id": 1,
                "parent": 0,
                "kind": None,
                "text": "Zwei\nZeilen",
                "selector": "#x > p",
                "xpath": "/html/body/p",
                "rect": {"left": 1, "top": 2, "right": 3, "bottom": 4.5},
                "nodes": 1,
                "confidence": 1.0,
                "slot": None,
                "attributes": {},
                "name": "",
            }
        ],
        "origin": "a.warc.gz:12",
        "version": 0,
        "template": "story: /…",
        "grain": None,
        "type": None,
        "type_confidence": None,
        "template_number": None,
        "problems": [{"stage": "locate", "kind": "count", "message": "area 2 is not on this page"}],
        "items": [
            {
                "kind": "headline",
                "text": "Zwei",
                "selector": "h1",
                "xpath": "/html/body/h1",
                "confidence": 0.9,
                "how": "font size",
                "area": 1,
                "markdown": "",
                "fields": [],
            }
        ],
    }


def test_the_type_is_in_the_last_columns_of_pages() -> None:
    """New columns go to the end, and a table of an older version can still be read with them."""
    row = page_row(replace(RESULT, type="forum", type_confidence=0.5, template_number=3))

    assert list(row) == [name for name, _ in TABLE_COLUMNS["pages"]]
    assert list(row.items())[-3:] == [
        ("type", "forum"),
        ("type_confidence", 0.5),
        ("template_number", 3),
    ]


def test_line_is_one_line() -> None:
    """Texts with line breaks do not break it."""
    assert json_line(RESULT).count(b"\n") == 1


@pytest.mark.parametrize("value", [PageResult, PageArea, Problem, Item, Rect])
def test_every_field_is_documented(value: type) -> None:
    """docs/output.md names each of them in its tables."""
    documented = DOCUMENTED.read_text()

    assert [field.name for field in fields(value) if f"| `{field.name}` |" not in documented] == []


def test_file_starts_with_what_is_known_and_drops_what_a_crash_left(tmp_path: Path) -> None:
    """Half a line of an earlier run is gone, what the store knows is there."""
    path = tmp_path / "deep" / "out.jsonl"
    path.parent.mkdir()
    path.write_bytes(json_line(RESULT) + b'{"url": "http://a.exa')
    with JsonLines(path, lambda: [RESULT]) as lines:
        lines.write(ANOTHER)

    assert path.read_bytes() == json_line(RESULT) + json_line(ANOTHER)
    assert list(path.parent.iterdir()) == [path]


def test_page_done_again_is_in_the_file_once(tmp_path: Path) -> None:
    """Its old line stays until the end, then its new one stands where the store has it."""
    path = tmp_path / "out.jsonl"
    again = replace(RESULT, confidence=0.75)
    store = [RESULT, ANOTHER]
    with JsonLines(path, lambda: store) as lines:
        lines.write(again)
        assert path.read_bytes() == json_line(RESULT) + json_line(ANOTHER)
        store[:] = [ANOTHER, again]

    assert path.read_bytes() == json_line(ANOTHER) + json_line(again)


@pytest.mark.parametrize("name", ["page.html", "site.db", "r.jsonl.gz", "r.jsonl.zst"])
def test_files_of_others_are_spared(tmp_path: Path, name: str) -> None:
    """A name that was mistyped costs no page, no store and no archive."""
    path = tmp_path / name
    path.write_bytes(b"my own words")

    with pytest.raises(WebstencilError, match="is not a results file; delete it or choose"):
        JsonLines(path, lambda: [RESULT])
    assert path.read_bytes() == b"my own words"
    assert list(tmp_path.iterdir()) == [path]


def test_pipes_and_devices_stay_what_they_are(tmp_path: Path) -> None:
    """No file takes their place; what is written at once goes through them."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(WebstencilError, match="is not a file"):
        JsonLines(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    put(path, b"data")

    assert os.read(reader, 100) == b"data"
    assert path.is_fifo()
    os.close(reader)


def test_two_processes_may_write_the_same_file(tmp_path: Path) -> None:
    """It is always the whole of what one of them has written."""
    path = tmp_path / "same"
    code = (
        "import sys, pathlib; from webstencil.codec import put\n"
        "for _ in range(300): put(pathlib.Path(sys.argv[1]), sys.argv[2].encode() * 100_000)"
    )
    processes = [subprocess.Popen([sys.executable, "-c", code, path, name]) for name in "ab"]

    assert [process.wait() for process in processes] == [0, 0]
    assert path.read_bytes() in {b"a" * 100_000, b"b" * 100_000}
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["r.jsonl", "r.jsonl.gz", "r.jsonl.zst"])
def test_own_files_are_written_again(tmp_path: Path, name: str) -> None:
    """Those that hold nothing yet, and those of earlier runs, however they are packed."""
    path = tmp_path / name
    for known in ((), (RESULT,), (RESULT, ANOTHER)):
        JsonLines(path, lambda known=known: known).close()

    assert [line["url"] for line in read_json_lines(path)] == [RESULT.url, ANOTHER.url]


def test_full_disk_and_bad_paths_are_told(tmp_path: Path) -> None:
    """In one sentence, with the next step."""
    with pytest.raises(WebstencilError, match="is not a file; choose one"):
        JsonLines(tmp_path)
    lines = JsonLines(tmp_path / "x")
    lines.close()
    lines._file = Path("/dev/full").open("wb", buffering=0)  # noqa: SIM115 - closed below

    with pytest.raises(WebstencilError, match="run the same command again"):
        lines.write(RESULT)
    lines.close()
