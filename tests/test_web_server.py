"""The command `webstencil web`: a real server, a real browser, a clean end."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from open_browser import visiting
from web_store import HOSTILE_URL, NEW_STORY, make_store

from research.support.process_tree import descendants
from webstencil.cli import web_commands as commands
from webstencil.cli.main import main

ENDED = 15.0  # s


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_store(tmp_path_factory.mktemp("server") / "site.db")


@contextmanager
def serving(path: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start the command; yield it and the URL that it prints."""
    call = [sys.executable, "-m", "webstencil", "web", "--store", str(path), "--port", "0"]
    process = subprocess.Popen(
        [*call, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield process, "http" + process.stdout.readline().partition(" at http")[2].split()[0]
    finally:
        process.kill()
        process.communicate()


@pytest.mark.browser
def test_a_visitor_looks_at_a_store_and_tries_a_page(path: Path) -> None:
    """Nothing is asked of other servers, no console complains, and Ctrl-C ends it all."""
    with serving(path) as (process, address):
        with visiting() as visit:
            visit.go(address)
            title = visit.tell("document.title")
            visit.click("document.querySelector('tbody a')")
            site = visit.tell("document.querySelector('h1').textContent")
            visit.click("document.querySelector('.card h3 a')")
            number = visit.tell("document.querySelector('.box.leaf').dataset.area")
            over = "new PointerEvent('pointerover', {bubbles: true})"
            row, box = f"document.getElementById('row-{number}')", f"#box-{number}"
            # At once, since the browser may tell of a pointer somewhere else in between.
            lit = visit.tell(
                f"{row}.dispatchEvent({over});"
                "[...document.querySelectorAll('.on')].map((one) => one.id).sort()"
            )
            again = visit.tell(
                f"document.querySelector('{box} path').dispatchEvent({over});"
                f"{row}.classList.contains('on')"
            )
            visit.tell(
                "document.querySelector('[data-filter]').value = 'no area has this';"
                "document.querySelector('[data-filter]').dispatchEvent(new Event('input'))"
            )
            shown = visit.tell("document.querySelectorAll('#areas tbody tr:not([hidden])').length")
            visit.go(address + "try")
            visit.tell(f"document.getElementById('html').value = {NEW_STORY.format('x')!r}")
            visit.click("document.querySelector('[value=lay]')")
            tried = visit.tell("document.querySelector('.facts').innerText")
            worker = [line for line in descendants(process.pid).values() if "spawn_main" in line]
            faults, requests = visit.faults, visit.requests
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=ENDED)

    assert title == "Sites - webstencil"
    assert site == "a.example"
    assert lit == [f"box-{number}", f"row-{number}"]
    assert again
    assert shown == 0
    assert "2 slots of its site laid over it" in tried
    assert len(worker) == 1
    assert faults == []
    assert [url for url in requests if not url.startswith(address)] == []
    assert (process.returncode, *told) == (0, "", "")


@pytest.mark.browser
def test_a_strangers_script_does_not_run(path: Path) -> None:
    """Not in texts, not in URLs, not in what is searched for; a SIGTERM ends the server."""
    with serving(path) as (process, address):
        with visiting(width=390, scheme="dark") as visit:
            stolen = []
            hostile = quote(HOSTILE_URL, safe="")
            for place in (f"result?url={hostile}", f"pages?q={hostile}", "site?name=b.example"):
                visit.go(address + place)
                stolen.append(visit.tell("typeof window.stolen"))
            dark = visit.tell("getComputedStyle(document.body).backgroundColor")
            wide = visit.tell("document.documentElement.scrollWidth")
            faults = visit.faults
        process.send_signal(signal.SIGTERM)
        told = process.communicate(timeout=ENDED)

    assert stolen == ["undefined"] * 3
    assert dark == "rgb(22, 24, 27)"
    assert wide == 390
    assert faults == []
    assert (process.returncode, *told) == (0, "", "")


def test_who_serves_to_others_is_warned(path: Path) -> None:
    """There is no login."""
    with serving(path, "--host", "0.0.0.0") as (process, address):
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=ENDED)

    assert address.startswith("http://127.0.0.1:")
    assert complaint == (
        "Anyone who can reach 0.0.0.0 can see this store and try pages: there is no login.\n"
    )


def test_what_keeps_it_from_serving_is_told_in_a_sentence(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No store, a port that is taken, a missing extra."""

    def said(*options: str) -> tuple[int, str]:
        answer = CliRunner().invoke(main, ["web", *options])
        return answer.exit_code, answer.output

    none = said("--store", str(tmp_path / "none.db"))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        busy = said("--store", str(path), "--port", port)
    monkeypatch.setattr(commands, "NEEDED", ("json", "no_such_library"))
    missing = said("--store", str(path))

    assert none[0] == busy[0] == missing[0] == 2
    assert "there is no store" in none[1]
    assert f"cannot serve at 127.0.0.1, port {port}" in busy[1]
    assert missing[1] == (
        "Error: the web pages need no_such_library; install them with "
        "`pip install webstencil[web]`\n"
    )
