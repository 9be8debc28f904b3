"""`webstencil run`: sources in, results out, and what it says on the way."""

import gzip
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from reading import read_json_lines, read_markdown, read_table
from rich.console import Console
from warcs import CSS, record

from webstencil.cli import screen
from webstencil.cli.main import main
from webstencil.cli.screen import (
    STENCILS,
    Pace,
    Progress,
    State,
    Talk,
    clock,
    error_words,
    state_of,
    state_words,
)
from webstencil.cli.site_outcomes import Growth, GrowthRow
from webstencil.model import PageResult, Status
from webstencil.report import Report
from webstencil.sources.opening import NO_STYLE

REPORT = Report(
    pages=40,
    hits=30,
    learned=6,
    failed=3,
    skipped=1,
    rendered=7,
    unchanged=10,
    problems=(("locate: count", 9), ("parse: ParseError", 2), ("render: PageTimeout", 1)),
)


def test_state_tells_how_far_a_job_is() -> None:
    """Speed is that of the pages it did itself; areas that are not on a page are no errors."""
    assert state_of(REPORT, 100, 5, 20.0, Pace()) == State(
        done=50,
        queued=50,
        pages_per_second=2.0,
        templates=5,
        renderings=7,
        hit_ratio=30 / 36,
        failed=3,
        skipped=1,
        errors=(("parse: ParseError", 2), ("render: PageTimeout", 1)),
        seconds=20.0,
        seconds_left=20.0,
    )


def test_what_is_left_takes_as_long_as_pages_of_late() -> None:
    """Pages that an earlier run did are passed in no time, and tell nothing of new ones."""
    pace = Pace()

    assert pace.at(1.0, 1000) == 1000.0
    assert [pace.at(1.0 + seconds, 1000 + 2 * seconds) for seconds in range(1, 41)][-1] == 2.0


def test_state_is_told_in_words() -> None:
    """With what is known."""
    known = state_of(REPORT, 100, 5, 20.0, Pace())
    unknown = state_of(Report(), None, None, 0.0, Pace())

    assert state_words(known) == (
        "50 pages done, 50 queued, 2.0 pages/s, 5 templates, 7 renderings, 83.3% hits, 3 failed, "
        "1 skipped, 0:20 left"
    )
    assert ", 5 stencils, " in state_words(known, STENCILS)
    assert error_words(known) == "parse: ParseError 2, render: PageTimeout 1"
    assert state_words(unknown) == (
        "0 pages done, unknown queued, 0.0 pages/s, 0 renderings, 0.0% hits, 0 failed"
    )
    assert [clock(seconds) for seconds in (5.4, 65, 3661)] == ["0:05", "1:05", "1:01:01"]


def test_terminal_sees_a_live_display(monkeypatch: pytest.MonkeyPatch) -> None:
    """The facts, the errors, a bar; lines of their own, whole in a narrow terminal."""
    shown = io.StringIO()
    terminal = Console(file=shown, force_terminal=True, width=80, highlight=False)
    monkeypatch.setattr(screen, "_err", terminal)
    with Progress(100) as progress:
        progress.show(REPORT)

    words = " ".join(shown.getvalue().split())
    assert state_words(state_of(REPORT, 100, 6, 1.0, Pace())).split(", ")[0] in words
    assert "83.3% hits, 3 failed, 1 skipped" in words
    assert "parse: ParseError 2" in shown.getvalue()
    assert "━" in shown.getvalue()


@pytest.mark.parametrize(
    ("way", "begins"),
    [
        (Talk.DISPLAY, "50 pages done"),
        (Talk.JSON, '{"event": "progress", "done": 50'),
        (Talk.QUIET, ""),
    ],
)
def test_without_a_terminal_lines_are_said(
    monkeypatch: pytest.MonkeyPatch, way: Talk, begins: str
) -> None:
    """In words, as JSON, or not at all."""
    shown = io.StringIO()
    monkeypatch.setattr(screen, "_err", Console(file=shown, width=10_000))
    monkeypatch.setattr(screen, "EVERY", 0.0)
    with Progress(100, way) as progress:
        progress.show(REPORT)

    assert shown.getvalue().startswith(begins)
    assert bool(shown.getvalue()) == bool(begins)


@pytest.mark.parametrize(
    ("way", "told"),
    [
        (Talk.DISPLAY, "5 pages surveyed of 100\nrendered 3 of 9 planned pages\n"),
        (
            Talk.JSON,
            '{"event": "survey", "pages": 5}\n{"event": "render", "rendered": 3, "planned": 9}\n',
        ),
    ],
)
def test_survey_and_renderings_are_told_before_pages(
    monkeypatch: pytest.MonkeyPatch, way: Talk, told: str
) -> None:
    """A large site has no results for a while; that time tells nothing of the pages to come."""
    shown = io.StringIO()
    monkeypatch.setattr(screen, "_err", Console(file=shown, width=10_000, highlight=False))
    monkeypatch.setattr(screen, "EVERY", 0.0)
    with Progress(100, way) as progress:
        progress.survey(5)
        progress.render(3, 9)
        before = shown.getvalue()
        progress.show(REPORT)

    assert before == told
    assert " left" not in shown.getvalue().replace('seconds_left": null', "")


PAGE = PageResult("http://a.example/", "a.example", Status.HIT, "one", 1.0)


def grown() -> Growth:
    """Follow 600 pages of one site, of which every 100th has a new template, and one of another."""
    growth = Growth()
    for number in range(600):
        new = number % 100 == 0
        growth.add(
            replace(
                PAGE,
                status=Status.LEARNED if new else Status.HIT,
                stencil=str(number // 100),
                template="post" if number else None,
            )
        )
    growth.add(replace(PAGE, site="b.example", stencil="b", status=Status.LEARNED))
    growth.add(replace(PAGE, stencil=None, status=Status.FAILED))
    return growth


def test_growth_of_templates_is_followed() -> None:
    """By site, as Table 1 has it, and over all."""
    growth = grown()

    assert growth.rows() == (
        GrowthRow("a.example", 600, 1, 6, 594 / 600, 495 / 500),
        GrowthRow("b.example", 1, 0, 1, 0.0, None),
    )
    assert growth.stencils == 7
    assert growth.steps() == (
        *((1, 1), (2, 1), (5, 1), (10, 1), (20, 1), (50, 1), (100, 1), (200, 2), (500, 5)),
        (601, 7),
    )
    assert Growth().steps() == ()


def test_growth_is_drawn(tmp_path: Path) -> None:
    """As Figure 3 has it, a line for each site and one for all."""
    grown().draw(tmp_path / "growth.svg")

    assert (tmp_path / "growth.svg").read_text().count("<svg") == 1


def run(*arguments: str | Path, given: str | None = None) -> Result:
    return CliRunner().invoke(main, ["run", "--mode", "paper", *map(str, arguments)], input=given)


ARTICLE = """<!doctype html><title>A</title><link rel=stylesheet href=/s.css>
<body><header>The Daily</header><main><h1>Story {0}</h1><p>Text of story {0}.</p></main>"""


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """Write a WARC file of two sites, with a style sheet, a rare page and damage."""
    pages = [
        record(f"http://{site}.example/{n}", ARTICLE.format(n).encode())
        for site in ("a", "b")
        for n in range(4)
    ]
    style = record("http://a.example/s.css", b"header{background:#ddd;height:80px}", http=CSS)
    rare = record("http://a.example/rare", b"<body><table><tr><td>x</table><form><input></form>")
    packed = [gzip.compress(one) for one in (*pages, style, rare, pages[0])]
    packed[-2:-2] = [b"\x1f\x8b\x08damage"]
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(b"".join(packed))
    return path


@pytest.mark.browser
def test_run_takes_a_warc_to_all_formats(crawl: Path, tmp_path: Path) -> None:
    """One page of a template and site is rendered, rare ones are not, damage is told."""
    store = tmp_path / "s.db"
    first = run(
        *(crawl, "--store", store, "--format", "parquet", "--out", tmp_path / "tables"),
        *("--min-pages-per-template", "2", "--plot", tmp_path / "growth.png"),
    )
    again = [
        run(crawl, "--store", store, *arguments, "--min-pages-per-template", "2", "--quiet")
        for arguments in (("--out", tmp_path / "r.jsonl.zst"), ("--format", "md", "--out", "md"))
    ]

    assert [result.exit_code for result in (first, *again)] == [0, 0, 0], first.output
    pages = read_table(tmp_path / "tables", "pages")
    assert [(page["site"], page["status"]) for page in pages] == [
        *[("a.example", "learned"), *[("a.example", "hit")] * 3, ("a.example", "skipped")],
        *[("b.example", "learned"), *[("b.example", "hit")] * 3],
    ]
    assert pages[4]["reason"].startswith("match: rare: its template has 1 of the 2 pages")
    assert {page["warc_file"] for page in pages} == {str(crawl)}
    assert len(read_json_lines(tmp_path / "r.jsonl.zst")) == 9
    for said in (
        "a.example  4      1          1         75.0%",
        "damage in a WARC file",
        "came before",
    ):
        assert said in first.output
    assert (tmp_path / "growth.png").exists()
    assert "pages rendered" not in again[0].output


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.browser
def test_run_reads_lists_and_logs_json(crawl: Path, tmp_path: Path) -> None:
    """What a list from standard input names, with a summary for other programs."""
    result = run(
        "-", "--store", "s.db", "--format", "md", "--out", "md", "--log-json", given=f"{crawl}\n"
    )
    summary = json.loads(result.output.splitlines()[-1])

    assert (summary["event"], summary["pages"], summary["learned"]) == ("summary", 9, 3)
    assert summary["growth"][-1] == [9, 3]
    assert [note["kind"] for note in summary["notes"]] == [
        "damage in a WARC file",
        NO_STYLE,
        "page that came before",
    ]
    assert summary["notes"][1]["first"] == "http://b.example/s.css"
    assert len(read_markdown(tmp_path / "md")) == 9


@pytest.mark.browser
def test_who_asks_for_markdown_is_told_of_main_content(tmp_path: Path) -> None:
    """Else there are menus in the files, and nobody says why."""
    words = "Many words make a text that is long enough to be content. " * 5
    Path("one.html").write_text(f"<ul><li><a href=/>Home</a></li></ul><p>{words}</p>")
    options = ("one.html", "--store", "s.db", "--format", "md", "--out", "md")

    assert "--items content" in run(*options).output
    assert "--items content" not in run(*options, "--items", "content").output
    assert "Home" not in read_markdown(tmp_path / "md")[0]["text"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "does not exist"),
        (["*.nothing"], "matches *.nothing"),
        ([".", "--quiet", "--log-json"], "exclude each other"),
        ([".", "--plot", "x.pdf"], "must end in .png or .svg"),
        ([".", "--min-pages-per-template", "0"], "must be 1 or more, not 0"),
    ],
)
def test_mistakes_are_told_before_the_job(arguments: list[str], said: str) -> None:
    """In one sentence."""
    result = run(*arguments, "--store", "s.db")

    assert result.exit_code == 2
    assert result.output.startswith("Error: ")
    assert said in result.output


def test_no_page_is_an_error(tmp_path: Path) -> None:
    """Who names the wrong folder is told so, and what a page is."""
    (tmp_path / "mirror").mkdir()
    result = run("mirror", "--store", "s.db")

    assert result.exit_code == 2
    assert "Error: there is no page in mirror; pages are files named .html" in result.output


def test_reasons_of_failed_pages_are_told(tmp_path: Path) -> None:
    """With the first page of each; a job without any result is an error."""
    (tmp_path / "mirror").mkdir()
    (tmp_path / "mirror" / "a.html").write_bytes(b"")
    (tmp_path / "mirror" / "b.html").write_bytes(b"\n")
    (tmp_path / "mirror" / "c.html").write_bytes(b"%PDF-1.4")
    words = run("mirror", "--store", "s.db", "--quiet")
    lines = run("mirror", "--store", "s.db", "--log-json")

    why = "http://mirror/a.html is empty (0 bytes); nothing to segment"
    other = "http://mirror/c.html is a PDF file, not an HTML page; leave it out"
    assert words.exit_code == lines.exit_code == 2
    assert f"parse: is empty (N bytes)               2      {why}" in words.output
    assert f"parse: is a PDF file, not an HTML page  1      {other}" in words.output
    assert "Error: no page has a result: 3 failed, see above" in words.output
    assert json.loads(lines.output.splitlines()[-2])["failures"] == [
        {"kind": "parse: is empty (N bytes)", "count": 2, "first": why},
        {"kind": "parse: is a PDF file, not an HTML page", "count": 1, "first": other},
    ]
