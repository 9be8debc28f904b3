"""Output of a running job: lines, a live display, JSON lines."""

import json
import sys
from collections import deque
from collections.abc import Mapping
from copy import copy
from dataclasses import asdict, dataclass
from enum import StrEnum
from time import monotonic
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from webstencil.cli.commands import is_piped, is_quiet
from webstencil.report import Report

# The progress of a job as a value.


NO_ERRORS = ("locate: ", "match: ")  # not errors: an area is not on a page
SHOWN_ERRORS = 4  # kinds, those that came most often
LATELY = 20.0  # seconds
TEMPLATES, STENCILS = "templates", "stencils"  # what pages follow, by mode


@dataclass(frozen=True, slots=True)
class State:
    """The progress of a job."""

    done: int  # pages, with unchanged ones
    queued: int | None  # pages, None if unknown
    pages_per_second: float  # without unchanged ones
    templates: int | None  # or stencils, that pages follow so far; None if not counted
    renderings: int
    hit_ratio: float  # 0..1
    failed: int
    skipped: int
    errors: tuple[tuple[str, int], ...]  # "stage: kind" and how often
    seconds: float  # since the start
    seconds_left: float | None  # None if unknown


class Pace:
    """The recent speed of a job: unchanged pages are fast, new ones are not."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque([(0.0, 0)])

    def restart(self, seconds: float, done: int) -> None:
        """Forget the speed so far."""
        self._seen = deque([(seconds, done)])

    def at(self, seconds: float, done: int) -> float:
        """Return the recent pages per second, with `done` pages so many seconds after the start."""
        while len(self._seen) > 1 and seconds - self._seen[1][0] > LATELY:
            self._seen.popleft()
        self._seen.append((seconds, done))
        before, had = self._seen[0]
        return (done - had) / (seconds - before) if seconds > before else 0.0


def state_of(
    report: Report, total: int | None, templates: int | None, seconds: float, pace: Pace
) -> State:
    """Return the progress of a job."""
    done = report.pages + report.unchanged
    queued = None if total is None else max(0, total - done)
    lately = pace.at(seconds, done)
    return State(
        done=done,
        queued=queued,
        pages_per_second=report.pages / seconds if seconds > 0 else 0.0,
        templates=templates,
        renderings=report.rendered,
        hit_ratio=report.hit_ratio,
        failed=report.failed,
        skipped=report.skipped,
        errors=tuple(pair for pair in report.problems if not pair[0].startswith(NO_ERRORS)),
        seconds=seconds,
        seconds_left=queued / lately if queued is not None and lately else None,
    )


def state_words(state: State, thing: str = TEMPLATES) -> str:
    """Write the progress in one line; pages follow templates, or in paper mode stencils."""
    queued = "unknown" if state.queued is None else f"{state.queued:,}"
    words = [
        f"{state.done:,} pages done, {queued} queued",
        f"{state.pages_per_second:,.1f} pages/s",
        f"{state.renderings:,} renderings",
        f"{state.hit_ratio:.1%} hits",
        f"{state.failed:,} failed",
    ]
    if state.templates is not None:
        words.insert(2, f"{state.templates:,} {thing}")
    if state.skipped:
        words.append(f"{state.skipped:,} skipped")
    if state.seconds_left is not None:
        words.append(f"{clock(state.seconds_left)} left")
    return ", ".join(words)


def error_words(state: State) -> str:
    """Write the most frequent problems."""
    shown = [f"{kind} {count:,}" for kind, count in state.errors[:SHOWN_ERRORS]]
    return ", ".join(shown + ["…"] * (len(state.errors) > SHOWN_ERRORS))


def clock(seconds: float) -> str:
    """Write a time as hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


EVERY = 2.0  # s between two lines where there is no terminal
REFRESHED = 4  # times a second, in a terminal
BAR = 60  # characters
WORDS = 60  # characters of a text that a table shows in a terminal
ENDLESS = 10**9  # characters of a line that no terminal has to wrap


def console(stderr: bool) -> Console:
    """Make a console that shows texts of pages as they are: `[red]` and `:cat:` mean nothing."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream and stream.isatty() else ENDLESS  # None: it was closed from the start
    return Console(stderr=stderr, width=width, highlight=False, markup=False, emoji=False)


_out = console(stderr=False)
_err = console(stderr=True)


def text_limit() -> int | None:
    """Return how many characters of a text to show: all of them unless in a terminal."""
    return WORDS if _out.file.isatty() else None


def show(thing: RenderableType) -> None:
    """Print a table."""
    _print(_err if is_piped() else _out, thing)


def say(words: str) -> None:
    """Print text as it is; it may be a page's text or JSON."""
    _write(_err if is_piped() else _out, words)


def complain(words: str) -> None:
    """Print a line to stderr."""
    _err.print(words, soft_wrap=True)


def note(words: str) -> None:
    """Print a line to stderr that `--quiet` leaves out: progress, what was written."""
    if not is_quiet():
        complain(words)


def warn(thing: RenderableType) -> None:
    """Print a table to stderr."""
    _print(_err, thing)


def _print(to: Console, thing: RenderableType) -> None:
    """Print a table; where there is no terminal, lines are neither wrapped nor padded."""
    if isinstance(thing, Table) and thing.title:  # it would be wrapped to the table's width
        _write(to, str(thing.title))
        thing = copy(thing)
        thing.title = None
    if to.file.isatty():
        to.print(thing)
        return
    with to.capture() as captured:
        to.print(thing)
    lines = captured.get().removesuffix("\n").split("\n")
    _write(to, "\n".join(line.rstrip() for line in lines))


def _write(to: Console, words: str) -> None:
    to.file.write(words + "\n")
    to.file.flush()


class Talk(StrEnum):
    """How a job reports progress."""

    DISPLAY = "display"  # live in a terminal, else a line every few seconds
    JSON = "json"  # a JSON line every few seconds
    QUIET = "quiet"  # not at all


class Progress:
    """Shows the progress of a job."""

    def __init__(
        self, total: int | None, talk: Talk = Talk.DISPLAY, *, thing: str = TEMPLATES
    ) -> None:
        """Show how many of `total` pages are done; `thing` is what they follow."""
        self._total = total
        self._talk = talk
        self._thing = thing
        self._began = self._said = monotonic()
        self._pace = Pace()
        self._before: tuple[str, int | None, int] | None = None  # words, total and done
        self._state = state_of(Report(), total, None, 0.0, self._pace)
        live = talk == Talk.DISPLAY and _err.is_terminal
        self._live = (
            Live(get_renderable=self._display, console=_err, refresh_per_second=REFRESHED)
            if live
            else None
        )

    def show(self, report: Report, total: int | None = None, templates: int | None = None) -> None:
        """Show the state of the job; `total` may become known late."""
        self._total = total or self._total
        now = monotonic()
        if self._before is not None:  # that time tells nothing of the pages to come
            self._before = None
            self._pace.restart(now - self._began, self._state.done)
        self._state = state_of(report, self._total, templates, now - self._began, self._pace)
        if self._live is None and now - self._said > EVERY:
            self._said = now
            self._say()

    def survey(self, read: int) -> None:
        """Show how many pages were read to know their sites, before any is processed."""
        self._before = survey_words(read, self._total), self._total, read
        self._tell_before("survey", {"pages": read})

    def render(self, rendered: int, planned: int) -> None:
        """Show how many of the planned pages of sites were rendered."""
        self._before = rendering_words(rendered, planned), planned, rendered
        self._tell_before("render", {"rendered": rendered, "planned": planned})

    def _tell_before(self, event: str, facts: Mapping[str, int]) -> None:
        now = monotonic()
        if self._live is None and self._before is not None and now - self._said > EVERY:
            self._said = now
            if self._talk == Talk.JSON:
                log_json(event, facts)
            elif self._talk == Talk.DISPLAY:
                complain(self._before[0])

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *exc: object) -> None:
        if self._live is not None:
            self._live.stop()

    def _say(self) -> None:
        if self._talk == Talk.JSON:
            log_json("progress", asdict(self._state))
        elif self._talk == Talk.DISPLAY:
            errors = error_words(self._state)
            complain(state_words(self._state, self._thing) + (f" ({errors})" if errors else ""))

    def _display(self) -> RenderableType:
        state = self._state
        if self._before is not None:
            words, total, done = self._before
            return Group(Text(words), ProgressBar(total=total, completed=done, width=BAR))
        bar = ProgressBar(total=self._total, completed=state.done, width=BAR)
        lines = [Text(state_words(state, self._thing)), Text(error_words(state), style="dim")]
        # The bar comes last: it does not end its line, so text after it would be cut off.
        return Group(*lines[: 2 if state.errors else 1], bar)


def survey_words(read: int, total: int | None) -> str:
    """Write the progress of a survey in one line."""
    return f"{read:,} pages surveyed" + (f" of {total:,}" if total is not None else "")


def rendering_words(rendered: int, planned: int) -> str:
    """Write the progress of learning sites in one line."""
    return f"rendered {rendered:,} of {planned:,} planned pages"


class Ticker:
    """Prints a line every few seconds."""

    def __init__(self, talk: Talk = Talk.DISPLAY) -> None:
        self._talk = talk
        self._said = monotonic()

    def tell(self, words: str) -> None:
        """Print the line if the last one is old enough."""
        if self._talk != Talk.QUIET and monotonic() - self._said > EVERY:
            self._said = monotonic()
            note(words)


def log_json(event: str, facts: Mapping[str, object]) -> None:
    """Print an event as a JSON line to stderr."""
    complain(json.dumps({"event": event, **facts}, ensure_ascii=False))
