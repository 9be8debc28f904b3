"""What the user sees: lines, progress displays and tables."""

from __future__ import annotations

import csv
import json
import sys
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import asdict, dataclass
from enum import StrEnum
from io import StringIO
from time import monotonic
from typing import TYPE_CHECKING, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from webstencil.cli.commands import is_piped, is_quiet
from webstencil.model import Item, Mode, PageArea
from webstencil.report import Report

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webstencil.cli.site_outcomes import GrowthRow
    from webstencil.geometry import Rect
    from webstencil.render.doctor import Check
    from webstencil.segment import Setting
    from webstencil.sources import Note

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


# Tables of a job: its report, failures and warnings; areas, items, settings and checks.


SITES = 20  # shown of many
ITEM_COLUMNS = ("kind", "confidence", "method", "text")
SLOTTED_COLUMNS = ("area", "in", "slot", "name", "kind", "confidence", "text")
CHECK_STYLES = {"ok": "green", "optional": "dim", "missing": "red"}
AREA_COLUMNS = ("area", "in", "kind", "left, top, width x height", "text")


def plain_table(*columns: str, title: str | None = None) -> Table:
    """Make a table without borders, easy to copy and to read by programs."""
    table = Table(
        title=title,
        title_justify="left",
        title_style="",
        show_header=any(columns),
        box=None,
        pad_edge=False,
        padding=(0, 2, 0, 0),
    )
    for column in columns:
        table.add_column(column, justify="left", overflow="fold")
    return table


def table_of(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """Make a table of rows."""
    table = plain_table(*columns)
    for row in rows:
        table.add_row(*row)
    return table


def report_table(report: Report, mode: Mode = Mode.DEFAULT) -> Table:
    """Show the counts and times of a run."""
    table = plain_table("", "")
    table.add_row("pages", str(report.pages))
    table.add_row("pages rendered", str(report.rendered))
    if mode is Mode.PAPER:
        table.add_row("stencils learned", str(report.learned))
    table.add_row("hits", f"{report.hits} ({report.hit_ratio:.1%})")
    table.add_row("pages failed", str(report.failed))
    if report.agreement is not None:
        table.add_row("hits audited", f"{report.audited} (agreement {report.agreement:.3f})")
    if report.skipped:
        table.add_row("pages skipped (rare templates)", str(report.skipped))
    if report.redirects:
        table.add_row("pages that only redirect", str(report.redirects))
    if report.unchanged:
        table.add_row("pages unchanged", str(report.unchanged))
    if report.gone:
        table.add_row("pages gone", str(report.gone))
    for kind, number in report.problems:
        table.add_row(f"  {kind}", str(number))
    for stage, seconds in report.seconds:
        table.add_row(f"seconds: {stage}", f"{seconds:.2f}")
    return table


def steps_words(steps: Sequence[tuple[int, int]]) -> str:
    """Write how many stencils there were after how many pages."""
    return ", ".join(f"{templates} after {pages:,}" for pages, templates in steps)


def growth_table(rows: Sequence[GrowthRow]) -> Table:
    """Show the templates and stencils of each site of a run (CPS paper, Table 1)."""
    table = plain_table("site", "pages", "templates", "stencils", "hit ratio", "at 500 pages")
    for row in rows[:SITES]:
        at_500 = "" if row.hit_ratio_at_500 is None else f"{row.hit_ratio_at_500:.1%}"
        counts = (f"{row.pages:,}", str(row.templates), str(row.stencils))
        table.add_row(row.site, *counts, f"{row.hit_ratio:.1%}", at_500)
    if len(rows) > SITES:
        table.add_row(f"and {len(rows) - SITES:,} more sites")
    return table


def failures_table(failures: Sequence[Note]) -> Table:
    """Show why pages failed, with the first page of each reason."""
    return counted_table("why pages failed", "pages", failures)


def notes_table(notes: Sequence[Note]) -> Table:
    """Show the warnings of the sources."""
    return counted_table("warnings", "times", notes)


def counted_table(kind: str, times: str, notes: Sequence[Note]) -> Table:
    """Show notes with their count and first example."""
    return table_of(
        (kind, times, "first"), [(note.kind, f"{note.count:,}", note.first) for note in notes]
    )


def area_rows(areas: Iterable[PageArea]) -> Iterator[tuple[str, ...]]:
    """Write the areas of a page as rows; a terminal shows the start of their texts."""
    for area in areas:
        words = area.text.replace("\n", " ")[: text_limit()]
        yield str(area.id), holder(area.parent), area.kind or "", place(area.rect), words


def slot_rows(areas: Iterable[PageArea]) -> Iterator[tuple[str, ...]]:
    """Write the areas of a page with their slots as rows, as `area_rows` does."""
    for area in areas:
        numbers = (str(area.id), holder(area.parent), holder(area.slot))
        words = area.text.replace("\n", " ")[: text_limit()]
        yield *numbers, area.name, area.kind or "", f"{area.confidence:.2f}", words


def items_table(items: Sequence[Item]) -> Table:
    """List the items of a page; a terminal shows the start of their texts."""
    return table_of(ITEM_COLUMNS, item_rows(items, text_limit()))


def item_rows(items: Iterable[Item], limit: int | None = None) -> Iterator[tuple[str, ...]]:
    """Yield kind, confidence, method and text of items, texts up to `limit` characters.

    Rows and products have their fields instead of the text.
    """
    for item in items:
        parts = "; ".join(f"{name}: {value[:limit]}" for name, value in item.fields)
        words = " ".join(item.text.split())[:limit]
        text = parts if item.kind in ("row", "product") or not words else words
        yield item.kind, f"{item.confidence:.2f}", item.how, text


def settings_table(
    name: str, settings: Sequence[Setting], published: Mapping[str, object]
) -> Table:
    """List the settings of a segmenter, with the published values where they differ."""
    table = plain_table("setting", "default", "paper", "range", "meaning", title=name)
    for known in settings:
        own = published[known.name]
        paper = "" if own == known.default else str(own)
        table.add_row(known.name, str(known.default), paper, known.range, known.meaning)
    return table


def checks_table(checks: Sequence[Check]) -> Table:
    """Show what was checked, and how to install what is missing."""
    table = plain_table("", "", "")
    for check in checks:
        advice = f"; {check.fix}" if check.fix and not check.ok else ""
        mark = Text(check_word(check), style=CHECK_STYLES[check_word(check)])
        table.add_row(mark, check.name, check.detail + advice)
    return table


def check_word(check: Check) -> str:
    """Write the outcome of a check in one word."""
    return "ok" if check.ok else "optional" if check.optional else "missing"


def holder(number: int | None) -> str:
    return "" if number is None else str(number)


def place(rect: Rect) -> str:
    return f"{rect.left:.0f}, {rect.top:.0f}, {rect.width:.0f} x {rect.height:.0f}"


def show_rows(columns: Sequence[str], rows: Iterable[Sequence[str]], form: str = "table") -> None:
    """Print rows as `--format` says: as a table, as CSV, or as JSON objects."""
    if form == "json":
        objects = [dict(zip(columns, row, strict=True)) for row in rows]
        say(json.dumps(objects, indent=1, ensure_ascii=False))
    elif form == "csv":
        written = StringIO()
        csv.writer(written, lineterminator="\n").writerows([columns, *rows])
        say(written.getvalue().removesuffix("\n"))
    else:
        show(table_of(columns, rows))


def tell_left_out(urls: Iterable[str]) -> None:
    """Say on stderr how many pages an evaluation left out."""
    if known := list(dict.fromkeys(urls)):
        pages = "1 page" if len(known) == 1 else f"{len(known):,} pages"
        note(f"left out, since empty or not HTML: {pages}, first {known[0]}")


def show_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a title, a table and an empty line."""
    say(title)
    show(table_of(columns, rows))
    say("")
