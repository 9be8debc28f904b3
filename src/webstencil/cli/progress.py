"""How far a job is, as a value: for a display, for lines of words, for lines of JSON."""

from collections import deque
from dataclasses import dataclass

from webstencil.pipeline.report import Report

NO_ERRORS = ("locate: ", "match: ")  # problems that are answers: an area is not on a page
SHOWN_ERRORS = 4  # kinds, those that came most often
LATELY = 20.0  # seconds


@dataclass(frozen=True, slots=True)
class State:
    """Where a job stands."""

    done: int  # pages, also those that an earlier run did
    queued: int | None  # pages, None if nobody knows
    pages_per_second: float  # without those that an earlier run did
    templates: int
    renderings: int
    hit_ratio: float  # 0..1
    failed: int
    skipped: int
    errors: tuple[tuple[str, int], ...]  # "stage: kind" and how often
    seconds: float  # since the start
    seconds_left: float | None  # None if nobody knows


class Pace:
    """How fast a job goes on lately: what an earlier run did is passed fast, what is new is not."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque([(0.0, 0)])

    def at(self, seconds: float, done: int) -> float:
        """Return the pages per second of late; `done` pages are done so long after the start."""
        while len(self._seen) > 1 and seconds - self._seen[1][0] > LATELY:
            self._seen.popleft()
        self._seen.append((seconds, done))
        before, had = self._seen[0]
        return (done - had) / (seconds - before) if seconds > before else 0.0


def state_of(
    report: Report, total: int | None, templates: int, seconds: float, pace: Pace
) -> State:
    """Tell how far a job is."""
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


def state_words(state: State) -> str:
    """Say where a job stands in one line."""
    queued = "unknown" if state.queued is None else f"{state.queued:,}"
    words = [
        f"{state.done:,} pages done, {queued} queued",
        f"{state.pages_per_second:,.1f} pages/s",
        f"{state.templates:,} stencils",
        f"{state.renderings:,} renderings",
        f"{state.hit_ratio:.1%} hits",
        f"{state.failed:,} failed",
    ]
    if state.skipped:
        words.append(f"{state.skipped:,} skipped")
    if state.seconds_left is not None:
        words.append(f"{clock(state.seconds_left)} left")
    return ", ".join(words)


def error_words(state: State) -> str:
    """Say which problems came most often."""
    shown = [f"{kind} {count:,}" for kind, count in state.errors[:SHOWN_ERRORS]]
    return ", ".join(shown + ["…"] * (len(state.errors) > SHOWN_ERRORS))


def clock(seconds: float) -> str:
    """Write a time as hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
