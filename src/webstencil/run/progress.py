"""How far a job is, as a value: for a display, for lines of words, for lines of JSON."""

from dataclasses import dataclass

from webstencil.report import Report

NO_ERRORS = ("locate: ", "match: ")  # problems that are answers: an area is not on a page
SHOWN_ERRORS = 4  # kinds, those that came most often


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


def state_of(report: Report, total: int | None, templates: int, seconds: float) -> State:
    """Tell how far a job is."""
    done = report.pages + report.unchanged
    queued = None if total is None else max(0, total - done)
    speed = report.pages / seconds if seconds > 0 else 0.0
    return State(
        done=done,
        queued=queued,
        pages_per_second=speed,
        templates=templates,
        renderings=report.rendered,
        hit_ratio=report.hit_ratio,
        failed=report.failed,
        skipped=report.skipped,
        errors=tuple(pair for pair in report.problems if not pair[0].startswith(NO_ERRORS)),
        seconds=seconds,
        seconds_left=queued / speed if queued is not None and speed else None,
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
