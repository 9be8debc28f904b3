"""The command line, run as a user runs it."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from webstencil import __version__
from webstencil.cli import screen
from webstencil.cli.main import error_words, main
from webstencil.render import doctor
from webstencil.store import open_store

ARTICLE = """<!doctype html><title>A</title><style>body{margin:0}header{background:#ddd;height:80px}
main{margin-top:60px;padding:20px}</style><body><header>The Daily</header>
<main><h1>Story %d</h1><p>Text of story %d.</p></main>"""


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    folder = tmp_path / "mirror"
    folder.mkdir()
    for number in range(12):
        (folder / f"{number}.html").write_text(ARTICLE % (number, number))
    (folder / "empty.html").write_bytes(b"")
    return folder


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            OSError(errno.ENOSPC, "No space left on device"),
            "No space left on device; free some space and run the same command again",
        ),
        (
            OSError(errno.EROFS, "Read-only file system", "a.png"),
            "a.png: Read-only file system; choose a writable path",
        ),
        (OSError(errno.EIO, "Input/output error", "a"), "a: Input/output error"),
        (
            MemoryError(),
            "out of memory; add memory, or leave out the largest pages",
        ),
    ],
)
def test_what_the_system_refuses_comes_with_the_next_step(
    error: OSError | MemoryError, words: str
) -> None:
    """Where there is one."""
    assert error_words(error) == words


def test_version_is_told() -> None:
    """And nothing else."""
    assert run("--version").output == f"webstencil, version {__version__}\n"


def test_every_command_explains_itself() -> None:
    """Each has a help text that says what it does."""
    for name, command in sorted(main.commands.items()):
        result = run(name, "--help")
        assert result.exit_code == 0
        assert command.help


@pytest.mark.parametrize("group", [(), ("sites",), ("stencils",), ("evaluate",), ("browser",)])
def test_lists_of_commands_have_whole_sentences(group: tuple[str, ...]) -> None:
    """None is cut off."""
    told = run(*group, "--help").output

    assert "Commands:" in told
    assert "..." not in told.split("Commands:")[1]


def test_settings_of_segmenters_are_listed() -> None:
    """With default, range and meaning."""
    assert "pdoc" in run("segment", "--help-settings").output
    assert "1..10" in run("segment", "--help-settings").output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["segment", "nowhere.html"], "does not exist; name an HTML file"),
        (["segment", "."], ". is a folder; name one page of it"),
        (["segment", "x.html", "--set", "pdoc=12"], "pdoc must be 1..10, not 12"),
        (["segment", "x.html", "--set", "colour=1"], "there is no setting"),
        (["run", "nowhere", "--store", "s.db"], "does not exist"),
        (["stencils", "list", "--store", "nowhere.db"], "there is no store"),
        (
            ["run", ".", "--store", "mysql://me:secret@host/db"],
            "is an SQLite file or a PostgreSQL database, not mysql://: give",
        ),
    ],
)
def test_errors_are_one_sentence(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No traceback, exit code 2."""
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)

    assert result.exit_code == 2
    assert result.output.startswith("Error: ")
    assert said in result.output
    assert result.output.count("\n") == 1


def test_errors_of_the_system_are_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also unexpected ones; `--debug` shows where."""

    def fail() -> tuple[doctor.Check, ...]:
        raise PermissionError(13, "Permission denied", "/some/file")

    monkeypatch.setattr(doctor, "checks", fail)

    assert run("doctor").output == (
        "Error: /some/file: Permission denied; change its permissions, or choose another path\n"
    )
    assert isinstance(run("--debug", "doctor").exception, PermissionError)


def test_texts_of_pages_are_shown_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What looks like a style or an emoji of the terminal is a text like any other."""
    (tmp_path / "a.html").write_text("<title>[red] :cat: [/b]</title><p>[red] :cat: [/b]")
    monkeypatch.chdir(tmp_path)
    base = "http://a.example/[/b]/:cat:"

    assert "[red] :cat: [/b]" in run("items", "a.html").output
    assert "[red] :cat: [/b]" in run("extract", "a.html", "--format", "txt").output
    assert f"{base}/a.html" in run("survey", ".", "--base-url", base).output


LONG_TITLE = "A title that is longer than what a terminal shows of a text, " * 3


def test_tables_have_whole_texts_outside_a_terminal(tmp_path: Path) -> None:
    """Lines are neither cut, nor wrapped, nor padded; a terminal shows the start of a text."""
    page = tmp_path / "a.html"
    page.write_text(f"<title>{LONG_TITLE}</title><p>{'word ' * 5000}")
    command = [sys.executable, "-m", "webstencil", "items", str(page)]
    piped = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    ours, theirs = os.openpty()
    job = subprocess.Popen(command, stdout=theirs)
    os.close(theirs)
    shown = os.read(ours, 10_000).decode()
    job.wait()
    os.close(ours)

    assert LONG_TITLE.strip() in piped
    assert [line for line in piped.splitlines() if line != line.rstrip()] == []
    assert "A title that" in shown
    assert shown.count("of a text") == 0


def test_lists_are_printed_as_csv_and_json(tmp_path: Path) -> None:
    """For spreadsheets and programs; `--json` is short for `--format json`."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.html").write_text(f'<p>{name}, "quoted"')
    base = ("survey", tmp_path, "--base-url", "http://a.org/")
    table, csv, as_json = (run(*base, "--format", form) for form in ("table", "csv", "json"))
    facts = json.loads(as_json.stdout)[0]

    assert table.stdout.startswith("a.org: 2 pages, 1 templates, ")
    assert csv.stdout.splitlines()[0] == "site,number,template,pages,typical page,type"
    assert csv.stdout.splitlines()[1].startswith("a.org,1,page: /….html,2,http://a.org/")
    assert facts["templates"][0]["urls"] == ["http://a.org/a.html", "http://a.org/b.html"]
    assert run(*base, "--json").stdout == as_json.stdout


def test_rows_are_one_function_for_all_formats(capsys: pytest.CaptureFixture[str]) -> None:
    """Commas and quotes of cells survive in each."""
    rows = [("a", 'x, "y"')]
    told = []
    for form in ("table", "csv", "json"):
        screen.show_rows(("name", "text"), rows, form)
        told.append(capsys.readouterr().out)

    assert told[:2] == ['name  text\na     x, "y"\n', 'name,text\na,"x, ""y"""\n']
    assert json.loads(told[2]) == [{"name": "a", "text": 'x, "y"'}]


def test_characters_a_terminal_cannot_show_are_escaped(tmp_path: Path) -> None:
    """They end no job."""
    (tmp_path / "a.html").write_text("<title>Größe</title>")
    command = [sys.executable, "-m", "webstencil", "items", str(tmp_path / "a.html")]
    told = subprocess.run(
        command, env={**os.environ, "PYTHONIOENCODING": "ascii"}, capture_output=True, check=True
    )

    assert rb"Gr\xf6\xdfe" in told.stdout


def test_closed_output_is_no_crash() -> None:
    """As a service without a terminal may start it; files are still written."""
    command = f"exec {sys.executable} -m webstencil stencils list --store no.db >&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)

    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert "there is no store no.db" in done.stderr


@pytest.mark.parametrize("arguments", ["--help", "--version", "doctor", "evaluate --help"])
def test_a_full_device_is_told_in_one_sentence(arguments: str) -> None:
    """Also where Python itself writes the rest of the output when it ends."""
    command = f"exec {sys.executable} -m webstencil {arguments} > /dev/full"
    environment = {name: os.environ[name] for name in os.environ if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        ["sh", "-c", command], env=environment, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("Error: No space left on device; ")


def test_a_reader_that_has_enough_is_no_error() -> None:
    """As `head` is."""
    command = f"{sys.executable} -m webstencil segment --help-settings | head -n 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)

    assert (done.stdout.strip(), done.stderr) == ("bcs", "")


def test_nothing_to_show_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty table would leave the user in doubt."""
    monkeypatch.chdir(tmp_path)
    open_store(tmp_path / "s.db").close()
    (tmp_path / "a.html").write_text("<p>x")
    (tmp_path / "empty").mkdir()
    listed = run("sites", "list", "--store", "s.db")
    drift = run("sites", "drift", "--store", "s.db")
    items = run("items", "a.html")

    assert [result.exit_code for result in (listed, drift, items)] == [0, 0, 0]
    assert listed.output.startswith("No sites yet; `webstencil run SOURCE --store s.db`")
    assert drift.output == "No pages were processed yet; there is nothing to compare.\n"
    assert items.output.startswith("Nothing was found on this page; --with vips")
    assert "there is no page in empty" in run("survey", "empty").output


def test_debug_shows_the_traceback() -> None:
    """For those who want to know."""
    assert run("--debug", "segment", "nowhere.html").exception.__class__.__name__ == "SourceError"


@pytest.mark.browser
def test_segment_writes_areas_and_pictures(mirror: Path, tmp_path: Path) -> None:
    """As JSON, PNG and SVG, and as a table."""
    out = [tmp_path / "deep" / name for name in ("a.json", "a.png", "a.svg")]
    result = run(
        *("segment", mirror / "3.html", "--json", out[0], "--png", out[1], "--svg", out[2])
    )

    assert result.exit_code == 0
    assert "Text of story 3." in result.output
    areas = json.loads(out[0].read_text())
    assert any("Text of story 3." in area["text"] for area in areas)
    assert out[1].read_bytes().startswith(b"\x89PNG")
    assert out[2].read_text().startswith("<svg")


@pytest.mark.browser
def test_run_processes_a_folder_and_goes_on_where_it_was(mirror: Path, tmp_path: Path) -> None:
    """A few pages are rendered, the others hit; the second run does what is new."""
    store, out = tmp_path / "s.db", tmp_path / "out.jsonl"
    first = run("run", mirror, "--store", store, "--out", out)
    (mirror / "new.html").write_text(ARTICLE % (99, 99))
    second = run("run", mirror, "--store", store, "--out", out)

    pages = [json.loads(line) for line in out.read_text().splitlines()]
    assert first.exit_code == second.exit_code == 0
    assert "pages unchanged      12" in second.output
    statuses = [page["status"] for page in pages]
    assert (len(pages), statuses.count("failed")) == (14, 1)
    assert 0 < statuses.count("learned") < statuses.count("hit")
    assert "mirror: 13 pages, 1 template" in run("sites", "show", "mirror", "--store", store).output
    forgotten = run("sites", "forget", "mirror", "--store", store).output
    assert "processes 13 pages again" in forgotten
    assert (
        "mirror is not learned; `webstencil run`"
        in run("sites", "show", "mirror", "--store", store).output
    )


@pytest.mark.browser
def test_interrupt_ends_cleanly_with_the_command_to_go_on(mirror: Path, tmp_path: Path) -> None:
    """Ctrl-C: what is done is on disk, exit code 130."""
    for number in range(12, 9000):
        (mirror / f"{number}.html").write_text(ARTICLE % (number, number))
    out = tmp_path / "out.jsonl"
    arguments = ["run", str(mirror), "--store", str(tmp_path / "s.db"), "--out", str(out)]
    job = subprocess.Popen(
        [sys.executable, "-m", "webstencil", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ,
    )
    while not (out.exists() and out.read_bytes().count(b"\n") > 5):
        time.sleep(0.02)
    job.send_signal(signal.SIGINT)
    _, complaint = job.communicate(timeout=30)

    assert job.returncode == 130
    assert f"{sys.executable} -m webstencil {' '.join(arguments)}" in complaint
    assert "Traceback" not in complaint
    assert all(json.loads(line) for line in out.read_text().splitlines())


@pytest.mark.browser
def test_demo_leads_to_all_it_made(tmp_path: Path) -> None:
    """Every file that it names exists; it ends with what was found beside what wrote the site."""
    done = run("demo", "--folder", tmp_path / "demo")
    named = re.findall(rf"{re.escape(str(tmp_path))}\S+", done.output)

    assert done.exit_code == 0
    assert {Path(name).name for name in named} >= {"results.jsonl", "index.html", "pictures"}
    assert "Adjusted Rand index" in done.output
    assert [name for name in named if not Path(name).exists()] == []
