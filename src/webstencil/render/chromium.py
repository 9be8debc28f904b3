"""A Chromium process and its debugging protocol, over a pair of pipes. One thread may use it.

Every wait has an end: a page that crashes or hangs, and a browser that dies, become exceptions.
The browser cannot reach any network: it has its own empty one where the system allows that, it
resolves no host name, and each tab has a proxy that does not exist (see `tab.py`).
"""

import errno
import fcntl
import json
import logging
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from webstencil.errors import BrowserMissing, PageCrashed, PageTimeout, RenderError
from webstencil.render.browser import HOW_TO_GET_ONE, Browser, font_config

log = logging.getLogger(__name__)

Json: TypeAlias = dict[str, Any]
Listener: TypeAlias = Callable[[str, Json], None]
Kind = TypeVar("Kind", bound="Chromium")

MEMORY_LIMIT = 2 << 30  # bytes of each process
LAUNCH = Path(__file__).with_name("launch.py")
START_TIMEOUT = 30.0  # s; a cold start from a slow disk takes a few
STOP_TIMEOUT = 10.0  # s; a killed process is gone in milliseconds
NOBODY_ID = 65534  # user and group id
PIPE_SIZE = 1 << 20  # bytes; the default of 64 kB makes many small reads of a snapshot
LARGEST_READ = 1 << 20  # bytes read at once
SHARED_MEMORY = Path("/dev/shm")
ENOUGH_SHARED_MEMORY = 1 << 30  # bytes
LONGEST_LAST_WORDS = 300  # characters
MESSAGE_END = b"\0"  # of a message
MORE_FILES = "let a process open more files, as by `ulimit -n 1024`"

FLAGS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-breakpad",
    "--mute-audio",
    "--log-level=3",  # fatal errors only
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    # A frame of another site would have a process of its own, whose requests we would not see.
    "--disable-site-isolation-trials",
    # With RenderDocument, a new page is attached to its session too late to report its loading.
    "--disable-features=IsolateOrigins,site-per-process,RenderDocument,HttpsUpgrades,Translate",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    # Switched off tab by tab, scripts of some pages run nevertheless: the command comes too late.
    "--blink-settings=scriptEnabled=false",
)


class BrowserGone(RenderError):
    """The browser process ended or no longer answers."""


class BrowserRefused(RenderError):
    """The browser refused a command."""


@dataclass(frozen=True, slots=True)
class Confinement:
    """How the browser process is kept from doing harm, besides its flags."""

    sandbox: bool  # Chromium's own
    offline: bool  # in a network namespace without a device
    user: int | None = None  # that it runs as, None for our own


def confinements() -> tuple[Confinement, ...]:
    """List the confinements to try, best first; a container may refuse some.

    Chromium's sandbox does not work for root, nor within a namespace that a plain user made.
    """
    if os.geteuid() != 0:
        return (Confinement(True, False), Confinement(False, True), Confinement(False, False))
    pairs = ((True, True), (True, False), (False, True), (False, False))
    return tuple(Confinement(sandbox, offline, NOBODY_ID) for sandbox, offline in pairs)


def start(browser: Browser, *, memory_limit: int = MEMORY_LIMIT) -> "Chromium":
    """Start the browser as confined as this machine lets it be."""
    running, problems = try_start(Chromium, browser, confinements(), memory_limit)
    if running is None:
        step = MORE_FILES if "Too many open files" in problems[0] else HOW_TO_GET_ONE
        raise BrowserMissing(f"{browser.path} does not start ({problems[0]}); {step}")
    if not running.confinement.sandbox:
        reasons = "; ".join(dict.fromkeys(problems))
        log.warning("browser runs without its sandbox reason=%s", reasons)
    return running


def try_start(
    kind: type[Kind], browser: Browser, ways: Iterable[Confinement], memory_limit: int
) -> tuple[Kind | None, list[str]]:
    """Try one confinement after the other; return the browser, if one starts, and what failed."""
    problems: list[str] = []
    for confinement in ways:
        try:
            return kind(browser, confinement, memory_limit=memory_limit), problems
        except OSError as error:
            raise BrowserMissing(_no_room(error)) from error
        except BrowserGone as error:
            problems.append(str(error))
    return None, problems


class Chromium:
    """A running browser. Close it: its processes and its profile folder go with it."""

    def __init__(self, browser: Browser, confinement: Confinement, *, memory_limit: int) -> None:
        self.confinement = confinement
        self.listeners: dict[str, Listener] = {}  # by session
        self._buffer = bytearray()
        self._searched = 0  # bytes of the buffer that have no end of a message
        self._unsent = bytearray()
        self._last = 0  # number of the last command
        self._awaited: dict[int, Json | None] = {}  # answers by command
        self._next: dict[int, Callable[[Json], None]] = {}  # what to do with a result, by command
        self._crashed: set[str] = set()  # sessions
        with ExitStack() as stack:
            self._errors = stack.enter_context(tempfile.TemporaryFile())
            self._profile = _make_profile(browser, confinement, stack)
            self._read, self._write = self._launch(browser, memory_limit, stack)
            until = time.monotonic() + START_TIMEOUT
            self.version: str = self.call("Browser.getVersion", until=until)["product"]
            self._resources = stack.pop_all()

    def close(self) -> None:
        """End all processes of the browser and remove its profile."""
        self._resources.close()

    def call(self, method: str, *, until: float, session: str = "", **params: Any) -> Json:
        """Send a command and return its result; `until` is a time of the monotonic clock."""
        number = self.post(method, session=session, **params)
        self._awaited[number] = None
        try:
            while (answer := self._awaited[number]) is None:
                if session in self._crashed:
                    raise PageCrashed("the page's process crashed")
                self._step(until, session, method)
        finally:
            del self._awaited[number]
        if "error" in answer:
            raise BrowserRefused(f"{method}: {answer['error'].get('message')}")
        result: Json = answer["result"]
        return result

    def post(
        self,
        method: str,
        *,
        session: str = "",
        then: Callable[[Json], None] | None = None,
        **params: Any,
    ) -> int:
        """Send a command without waiting; `then` is given the result when it comes."""
        self._last += 1
        message: Json = {"id": self._last, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        if then:
            self._next[self._last] = then
        self._unsent += json.dumps(message).encode() + MESSAGE_END
        self._flush()
        return self._last

    def wait(self, done: Callable[[], bool], *, until: float, session: str = "") -> None:
        """Handle events until `done`; raise `PageTimeout` if it takes longer than `until`."""
        while not done():
            if session in self._crashed:
                raise PageCrashed("the page's process crashed")
            self._step(until, session, "waiting")

    def crashed(self, session: str) -> bool:
        """Return whether a session's page has crashed by now."""
        while self._poll(0.0):
            pass
        return session in self._crashed

    def forget(self, session: str) -> None:
        """Stop listening to a session that has ended or is about to."""
        self.listeners.pop(session, None)
        self._crashed.discard(session)

    def _launch(self, browser: Browser, memory_limit: int, stack: ExitStack) -> tuple[int, int]:
        their_read, our_write = os.pipe()
        our_read, their_write = os.pipe()
        for end in (our_read, our_write):
            stack.callback(os.close, end)
        if sys.platform == "linux":
            with suppress(OSError):  # the user may have too many large pipes already
                fcntl.fcntl(our_read, fcntl.F_SETPIPE_SZ, PIPE_SIZE)
        os.set_blocking(our_write, False)
        limits = (str(self._profile), str(memory_limit), *self._limits())
        pipes = (str(their_read), str(their_write))
        try:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", LAUNCH, *limits, *pipes, *self._command(browser)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                pass_fds=(their_read, their_write),
                start_new_session=True,
                env=_environment(browser, self._profile),
            )
        finally:
            os.close(their_read)
            os.close(their_write)
        stack.callback(_end, process)
        return our_read, our_write

    def _limits(self) -> tuple[str, str]:
        user = self.confinement.user
        return "" if user is None else str(user), "none" if self.confinement.offline else ""

    def _command(self, browser: Browser) -> list[str]:
        sandbox = () if self.confinement.sandbox else ("--no-sandbox",)
        profile = f"--user-data-dir={self._profile}"
        memory = () if _has_shared_memory() else ("--disable-dev-shm-usage",)
        return [str(browser.path), *FLAGS, *sandbox, *memory, profile, "about:blank"]

    def _step(self, until: float, session: str, what: str) -> None:
        """Wait for the pipes, both ways, lest each waits for the other."""
        remaining = until - time.monotonic()
        if remaining <= 0:
            if session:
                raise PageTimeout(f"no answer within the time limit ({what})")
            raise BrowserGone(f"the browser does not answer ({what})")
        self._poll(remaining)

    def _poll(self, seconds: float) -> bool:
        """Do what can be done with the pipes, within a time; return whether there was something."""
        poll = select.poll()
        poll.register(self._read, select.POLLIN)
        if self._unsent:
            poll.register(self._write, select.POLLOUT)
        ready = poll.poll(seconds * 1000)
        for descriptor, _ in ready:
            if descriptor == self._write:
                self._flush()
            else:
                self._receive()
        return bool(ready)

    def _flush(self) -> None:
        try:
            while self._unsent:
                del self._unsent[: os.write(self._write, self._unsent)]
        except BlockingIOError:
            return
        except BrokenPipeError as error:
            raise BrowserGone(self._last_words()) from error

    def _receive(self) -> None:
        data = os.read(self._read, LARGEST_READ)
        if not data:
            raise BrowserGone(self._last_words())
        self._buffer += data
        while (end := self._buffer.find(MESSAGE_END, self._searched)) >= 0:
            message = json.loads(self._buffer[:end])
            del self._buffer[: end + 1]
            self._searched = 0  # before a listener may raise
            self._handle(message)
        self._searched = len(self._buffer)

    def _handle(self, message: Json) -> None:
        number = message.get("id")
        if number is not None:
            if number in self._awaited:
                self._awaited[number] = message
            if (then := self._next.pop(number, None)) and "result" in message:
                then(message["result"])
            return
        session, method = message.get("sessionId", ""), message["method"]
        if method == "Inspector.targetCrashed":
            self._crashed.add(session)
        elif listener := self.listeners.get(session):
            listener(method, message["params"])

    def _last_words(self) -> str:
        """Return the line of the browser's error output that says why it ended."""
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        fatal = [line for line in lines if "FATAL" in line]
        return (fatal or lines or ["the browser ended without a word"])[-1][:LONGEST_LAST_WORDS]


def _no_room(error: OSError) -> str:
    """Return why no browser can be prepared."""
    if error.errno == errno.EMFILE:
        return f"no browser can be started: {error.strerror}; {MORE_FILES}"
    return (
        f"the browser needs a folder for temporary files: {error}; make room there, or name "
        "another one in $TMPDIR"
    )


def _has_shared_memory() -> bool:
    """Return whether /dev/shm is large enough; containers often have 64 MB of it."""
    try:
        return shutil.disk_usage(SHARED_MEMORY).total >= ENOUGH_SHARED_MEMORY
    except OSError:
        return False


def _make_profile(browser: Browser, confinement: Confinement, stack: ExitStack) -> Path:
    profile = Path(tempfile.mkdtemp(prefix="webstencil-"))
    stack.callback(shutil.rmtree, profile, ignore_errors=True)
    (profile / "fonts.conf").write_text(font_config(browser.fonts, profile / "fonts"))
    if confinement.user is not None:
        os.chown(profile, confinement.user, confinement.user)
        (profile / "fonts.conf").chmod(0o644)
    return profile


def _environment(browser: Browser, profile: Path) -> dict[str, str]:
    """Return the variables that the browser needs; all it writes goes into its profile."""
    folders = dict.fromkeys(("HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), str(profile))
    libraries = {"LD_LIBRARY_PATH": str(browser.libraries)} if browser.libraries else {}
    fonts = {"FONTCONFIG_FILE": str(profile / "fonts.conf")}
    paths = {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8", "TZ": "UTC"}
    return {**folders, **libraries, **fonts, **paths}


def _end(process: subprocess.Popen[bytes]) -> None:
    """Have the launcher end the browser with all its children and remove the profile."""
    if process.stdin:
        process.stdin.close()
    process.terminate()
    try:
        process.wait(STOP_TIMEOUT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
