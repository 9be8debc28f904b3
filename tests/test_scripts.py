"""Pages as their scripts leave them, by a real browser."""

import json
import pickle
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from research.support.process_tree import browsers, send
from webstencil.cli.main import main
from webstencil.errors import BrowserMissing, PageCrashed, PageTimeout
from webstencil.model import RawPage, Resource
from webstencil.render.scripts import ScriptLimits, ScriptRunner
from webstencil.sources import Several
from webstencil.testing import MemorySource

pytestmark = pytest.mark.browser

URL = "http://a.example/news/1"
SHELL = b"""<!DOCTYPE html><meta charset=utf-8><title>App</title><noscript>Needs scripts</noscript>
<div id=app>Loading</div><script src=/app.js></script>"""
APP = b"""fetch('/data.json').then(answer => answer.json()).then(data => setTimeout(() => {
  document.getElementById('app').innerHTML = `<h1>${data.title}</h1><p>${location.pathname}</p>`
}, 300))"""
SITE = MemorySource(
    {URL: SHELL},
    {
        "http://a.example/app.js": Resource(APP, "text/javascript"),
        "http://a.example/data.json": Resource('{"title": "Café"}'.encode(), "application/json"),
    },
)


@pytest.fixture(scope="module")
def run_scripts() -> Iterator[ScriptRunner]:
    """Run scripts with all the time that they need on a busy machine."""
    with ScriptRunner(ScriptLimits(page_timeout=60.0)) as running:
        try:
            running(RawPage(URL, b"<p>x"), SITE)
        except BrowserMissing as error:
            pytest.skip(f"no scripts are run here: {error}")
        yield running


@pytest.fixture
def run_briefly(run_scripts: ScriptRunner) -> Iterator[ScriptRunner]:
    """Run scripts that do not end."""
    del run_scripts  # where it can run, so can this
    with ScriptRunner(ScriptLimits(page_timeout=2.0, settle_timeout=2.0)) as running:
        yield running


def left(run_scripts: ScriptRunner, html: str) -> str:
    """Return what the scripts of a page leave of it."""
    return run_scripts(RawPage(URL, html.encode()), SITE).body.decode()


def test_a_page_is_what_its_scripts_make_of_it(run_scripts: ScriptRunner) -> None:
    """With data from its source, at its own URL, and without its `noscript` elements."""
    page = run_scripts(RawPage(URL, SHELL, origin="here"), SITE)

    assert page == RawPage(
        URL,
        '<!DOCTYPE html><html><head><meta charset="utf-8"><title>App</title>\n</head><body>'
        '<div id="app"><h1>Café</h1><p>/news/1</p></div><script src="/app.js"></script>'
        "</body></html>".encode(),
        "utf-8",
        "here",
    )


def test_a_page_in_another_charset_is_read_in_it(run_scripts: ScriptRunner) -> None:
    """As it is parsed; what comes out is UTF-8."""
    page = run_scripts(RawPage(URL, "<p>Caf\xe9".encode("latin-1"), "iso-8859-1"), SITE)

    assert "<p>Café</p>" in page.body.decode()


@pytest.mark.parametrize(
    "script",
    [
        "alert(1); confirm(2); print(); window.open('/app.js')",
        "location = 'http://b.example/'",
        "document.forms[0].submit()",
        "setInterval(() => document.body.append('x'), 1)",
        "fetch('/data.json', {method: 'POST', body: 'x'}).then(() => document.body.innerHTML = '')",
        "navigator.serviceWorker.register('/app.js').then(() => document.body.innerHTML = '')",
    ],
)
def test_a_page_cannot_leave_ask_or_send(run_scripts: ScriptRunner, script: str) -> None:
    """It stays the page that it is, and what it tries is refused."""
    html = f"<form action=/data.json method=post></form><p>Still here<script>{script}</script>"

    assert "<p>Still here" in left(run_scripts, html)


def test_a_page_whose_scripts_do_not_end_is_given_up(run_briefly: ScriptRunner) -> None:
    """It fails alone."""
    with pytest.raises(PageTimeout):
        left(run_briefly, "<p>x<script>for (;;);</script>")


def test_a_page_that_wants_all_memory_fails_alone(run_scripts: ScriptRunner) -> None:
    """The next one is done."""
    with pytest.raises(PageCrashed):
        left(
            run_scripts,
            "<p>x<script>const all = []; for (;;) all.push(new Array(1e6).fill(1))</script>",
        )

    assert "<p>next</p>" in left(run_scripts, "<p>next")


def test_browser_killed_between_two_pages_is_replaced(run_scripts: ScriptRunner) -> None:
    """The next page does not notice."""
    assert "<p>one</p>" in left(run_scripts, "<p>one")
    send(signal.SIGKILL, browsers())

    assert "<p>two</p>" in left(run_scripts, "<p>two")


def test_what_is_no_page_stays_as_it_is(run_scripts: ScriptRunner) -> None:
    """The parser reports it later."""
    pdf = RawPage(URL, b"%PDF-1.4")

    assert run_scripts(pdf, SITE) == pdf


def test_a_copy_has_the_limits_and_no_browser(run_scripts: ScriptRunner) -> None:
    """So that it can be sent to other processes."""
    with pickle.loads(pickle.dumps(run_scripts)) as copy:
        assert "<p>copied</p>" in left(copy, "<p>copied")


def test_a_source_takes_pages_whose_scripts_fail_as_they_came(run_briefly: ScriptRunner) -> None:
    """And says so."""
    body = b"<p>x<script>for (;;);</script>"
    source = Several([MemorySource({URL: body})], through=run_briefly)

    assert [page.body for page in source.pages()] == [body]
    assert [note.kind for note in source.notes.all()] == [
        "page whose scripts do not end: taken as it came"
    ]


def test_commands_run_scripts_if_asked_to(tmp_path: Path, run_scripts: ScriptRunner) -> None:
    """`run` over a folder, `segment` and `extract` with one page."""
    del run_scripts  # skips if none can be run here
    (tmp_path / "site").mkdir()
    page = tmp_path / "site" / "page.html"
    page.write_bytes(SHELL.replace(b"/app.js", b"app.js"))
    (tmp_path / "site" / "app.js").write_text(
        "document.getElementById('app').innerHTML = '<h1>Rain in Rome</h1>'"
    )
    out = tmp_path / "out.jsonl"
    lines = (
        ("run", tmp_path / "site", "--store", tmp_path / "s.db", "--out", out, "--quiet"),
        ("segment", page),
        ("extract", page),
    )
    results = [CliRunner().invoke(main, [*map(str, line), "--javascript"]) for line in lines]

    assert [result.exit_code for result in results] == [0, 0, 0]
    assert "Rain in Rome" in json.dumps(json.loads(out.read_text())["areas"])
    assert "Rain in Rome" in results[1].output
    assert "Rain in Rome" in results[2].output
