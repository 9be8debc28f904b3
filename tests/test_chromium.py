"""The browser process: how it starts, dies, and what it leaves behind."""

import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from research.support.process_tree import (
    browsers,
    descendants,
    own_temporary_folder,
    page_processes,
    send,
)
from webstencil.errors import BrowserMissing, PageCrashed, PageTimeout
from webstencil.model import Resource, Viewport
from webstencil.render import browser, chromium
from webstencil.render.browser import Browser
from webstencil.render.chromium import BrowserGone, BrowserRefused, Chromium, Confinement
from webstencil.render.tab import Tab

pytestmark = pytest.mark.browser

MEMORY = 2 << 30  # bytes
PAGE = Resource(b"<!DOCTYPE html><p>x", "text/html; charset=utf-8")


@pytest.fixture(autouse=True)
def folder() -> Iterator[Path]:
    with own_temporary_folder() as path:
        yield path


def soon() -> float:
    return time.monotonic() + 20


def refuse(_url: str, _kind: str) -> None:
    """Answer no request."""


def show(running: Chromium, page: Resource = PAGE) -> Tab:
    tab = Tab(running, Viewport())
    tab.show(page, "http://page.example/", refuse, until=soon())
    return tab


def test_closed_browser_leaves_no_process_and_no_file(folder: Path) -> None:
    """What a browser started or wrote is gone with it."""
    running = chromium.start(browser.find_browser(), memory_limit=MEMORY)
    show(running)
    during = (bool(browsers()), len(list(folder.iterdir())))
    running.close()

    assert during == (True, 1)
    assert (descendants(), list(folder.iterdir())) == ({}, [])


@pytest.mark.parametrize("confinement", chromium.confinements(), ids=str)
def test_browser_works_in_every_confinement(confinement: Confinement) -> None:
    """Whatever a system refuses, there is a way to start that it may grant."""
    try:
        running = Chromium(browser.find_browser(), confinement, memory_limit=MEMORY)
    except BrowserGone as error:
        pytest.skip(f"refused here: {error}")
    captured = show(running).capture((), until=soon())
    running.close()

    assert len(captured["documents"][0]["textBoxes"]["layoutIndex"]) == 1


def test_root_does_not_run_the_browser() -> None:
    """As root, all processes of the browser belong to the user nobody."""
    if os.geteuid() != 0:
        pytest.skip("needs root")
    running = chromium.start(browser.find_browser(), memory_limit=MEMORY)
    show(running)
    owners = {Path(f"/proc/{pid}").stat().st_uid for pid in (*browsers(), *page_processes())}
    running.close()

    assert owners == {chromium.NOBODY_ID}


def test_program_that_is_no_browser_is_reported(folder: Path) -> None:
    """The error has the program's last words; nothing is left behind."""
    program = script(folder, "echo I am a shell >&2; exit 3")

    with pytest.raises(BrowserMissing, match=r"does not start \(I am a shell\); run `webstencil"):
        chromium.start(Browser(program, "PATH"), memory_limit=MEMORY)
    assert (descendants(), list(folder.iterdir())) == ({}, [program])


def test_few_open_files_are_reported(folder: Path) -> None:
    """The advice is about them, and not to get another browser."""
    program = script(folder, "echo 'FATAL: Too many open files (24)' >&2; exit 3")

    with pytest.raises(BrowserMissing, match=r"let a process open more files, as by `ulimit -n"):
        chromium.start(Browser(program, "PATH"), memory_limit=MEMORY)


def test_missing_temporary_folder_is_reported(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As no page could be rendered, it ends the job: each would fail alike."""
    program = script(folder, "exit 3")
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "nowhere"))

    with pytest.raises(BrowserMissing, match=r"No such file .*another one in \$TMPDIR"):
        chromium.start(Browser(program, "PATH"), memory_limit=MEMORY)


def script(folder: Path, command: str) -> Path:
    path = folder / "chromium"
    path.write_text(f"#!/bin/sh\n{command}\n")
    path.chmod(0o755)
    return path


def test_start_without_sandbox_is_warned_of(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Where the sandbox is refused the browser starts without it, and a warning is logged."""
    real = browser.find_browser()
    picky = script(folder, f'case "$*" in *--no-sandbox*) exec {real.path} "$@";; esac; exit 1')
    with caplog.at_level(logging.WARNING):
        running = chromium.start(
            Browser(picky, "PATH", real.libraries, real.fonts), memory_limit=MEMORY
        )
    running.close()

    assert not running.confinement.sandbox
    assert "without its sandbox" in caplog.text


def test_killed_browser_is_noticed() -> None:
    """The next command fails at once, not after its time limit."""
    running = chromium.start(browser.find_browser(), memory_limit=MEMORY)
    send(signal.SIGKILL, browsers())

    with pytest.raises(BrowserGone):
        running.call("Browser.getVersion", until=time.monotonic() + 60)
    running.close()


def test_killed_page_is_noticed_and_the_browser_lives_on() -> None:
    """A page's crash is that page's alone."""
    running = chromium.start(browser.find_browser(), memory_limit=MEMORY)
    tab = show(running)
    send(signal.SIGKILL, page_processes())

    with pytest.raises(PageCrashed):
        tab.capture((), until=time.monotonic() + 60)
    assert show(running).complete
    running.close()


def test_page_that_does_not_answer_is_timed_out() -> None:
    """Waiting for a page ends; so does waiting for the browser, under another name."""
    running = chromium.start(browser.find_browser(), memory_limit=MEMORY)
    tab = show(running)
    stopped = [*browsers(), *page_processes()]
    send(signal.SIGSTOP, stopped)

    with pytest.raises(PageTimeout):
        tab.capture((), until=time.monotonic() + 0.5)
    with pytest.raises(BrowserGone):
        running.call("Browser.getVersion", until=time.monotonic() + 0.5)
    running.close()
    assert not set(stopped) & set(descendants())


def test_refused_command_says_why() -> None:
    """An error of the protocol is an exception with the command's name."""
    running = chromium.start(browser.find_browser(), memory_limit=MEMORY)

    with pytest.raises(BrowserRefused, match=r"Page\.fly"):
        running.call("Page.fly", until=soon())
    running.close()


OWNER = """
import time
from webstencil.render import browser, chromium
running = chromium.start(browser.find_browser(), memory_limit=2 << 30)
print("started", flush=True)
time.sleep(60)
"""


def test_browser_ends_with_its_owner(folder: Path) -> None:
    """Even if our process is killed, its browser and the profile folder go."""
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER],
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(folder)},
    )
    assert owner.stdout is not None
    owner.stdout.readline()
    made = list(folder.iterdir())
    started = list(descendants(owner.pid))
    owner.kill()
    owner.communicate()
    limit = time.monotonic() + 20
    while time.monotonic() < limit and (list(folder.iterdir()) or any(map(alive, started))):
        time.sleep(0.05)

    assert len(made) == 1
    assert (list(folder.iterdir()), [pid for pid in started if alive(pid)]) == ([], [])


def alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
