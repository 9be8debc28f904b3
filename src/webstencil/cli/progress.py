"""The progress of a job as a value."""

from collections import deque
from dataclasses import dataclass

from webstencil.report import Report

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
