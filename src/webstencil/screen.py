"""What a person sees of a job: tables, a progress display, one-line messages."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from enum import StrEnum
from io import TextIOWrapper
from time import monotonic
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from webstencil.demo.job import Outcome
from webstencil.drift import SiteDrift, Span
from webstencil.geometry import Rect
from webstencil.model import NO_PARENT, Area, Item, PageArea, Stencil
from webstencil.render.doctor import Check
from webstencil.report import Report
from webstencil.run.growth import SiteRow
from webstencil.run.progress import error_words, state_of, state_words
from webstencil.segment import SEGMENTERS, Setting
from webstencil.sources import Note
from webstencil.store import StencilHistory, StencilSummary

EVERY = 2.0  # s between two lines where there is no terminal
REFRESHED = 4  # times a second, in a terminal
BAR = 60  # characters
SITES = 20  # shown of many
ENDLESS = 10_000  # characters of a line that another program reads
WORDS = 60  # characters shown of a text


def console(stderr: bool) -> Console:
    """Make a console that shows texts of pages as they are: no [red], no :cat: means anything."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else ENDLESS
    return Console(stderr=stderr, width=width, highlight=False, markup=False, emoji=False)


_out = console(stderr=False)
_err = console(stderr=True)


def show_all_characters() -> None:
    """Write what the terminal or file cannot take as escapes: it ends no job."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def show(thing: RenderableType) -> None:
    _out.print(thing)


def say(words: str) -> None:
    """Write words as they are: they may be a page's text or JSON."""
    _out.file.write(words + "\n")
    _out.file.flush()


def complain(words: str) -> None:
    _err.print(words, soft_wrap=True)


def warn(thing: RenderableType) -> None:
    """Show what a person should know although nothing failed."""
    _err.print(thing)


class Talk(StrEnum):
    """How a job talks."""

    DISPLAY = "display"  # live in a terminal, else a line every few seconds
    JSON = "json"  # a line of JSON every few seconds, for other programs
    QUIET = "quiet"  # not at all


class Progress:
    """Shows how far a job is."""

    def __init__(self, total: int | None, talk: Talk = Talk.DISPLAY) -> None:
        self._total = total
        self._talk = talk
        self._began = self._said = monotonic()
        self._state = state_of(Report(), total, 0, 0.0)
        live = talk == Talk.DISPLAY and _err.is_terminal
        self._live = (
            Live(get_renderable=self._display, console=_err, refresh_per_second=REFRESHED)
            if live
            else None
        )

    def show(self, report: Report, total: int | None = None, templates: int | None = None) -> None:
        """Show the state of the job; `total` where it is known only now."""
        self._total = total or self._total
        now = monotonic()
        learned = report.learned if templates is None else templates
        self._state = state_of(report, self._total, learned, now - self._began)
        if self._live is None and now - self._said > EVERY:
            self._said = now
            self._say()

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
            complain(state_words(self._state) + (f" ({errors})" if errors else ""))

    def _display(self) -> RenderableType:
        state = self._state
        bar = ProgressBar(total=self._total, completed=state.done, width=BAR)
        lines = [Text(state_words(state)), Text(error_words(state), style="dim")]
        # The bar comes last: it ends no line, so that words after it would be cut off.
        return Group(*lines[: 2 if state.errors else 1], bar)


class Ticker:
    """Says every few seconds how far a job without a display is."""

    def __init__(self, talk: Talk = Talk.DISPLAY) -> None:
        self._talk = talk
        self._said = monotonic()

    def tell(self, words: str) -> None:
        """Say it, if the last time was long ago."""
        if self._talk != Talk.QUIET and monotonic() - self._said > EVERY:
            self._said = monotonic()
            complain(words)


def log_json(event: str, facts: Mapping[str, object]) -> None:
    """Write what happened as a line of JSON."""
    complain(json.dumps({"event": event, **facts}, ensure_ascii=False))


def plain_table(*columns: str, title: str | None = None) -> Table:
    """Make a table without frames, so that it can be copied and read by other programs."""
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


def report_table(report: Report) -> Table:
    """Sum up a job."""
    table = plain_table("", "")
    table.add_row("pages", str(report.pages))
    table.add_row("pages rendered", str(report.rendered))
    table.add_row("stencils learned", str(report.learned))
    table.add_row("pages that hit a stencil", f"{report.hits} ({report.hit_ratio:.1%})")
    table.add_row("pages failed", str(report.failed))
    if report.agreement is not None:
        table.add_row("hits audited", f"{report.audited} (agreement {report.agreement:.3f})")
    if report.skipped:
        table.add_row("pages skipped (rare templates)", str(report.skipped))
    if report.unchanged:
        table.add_row("pages unchanged, not done again", str(report.unchanged))
    for kind, number in report.problems:
        table.add_row(f"  {kind}", str(number))
    for stage, seconds in report.seconds:
        table.add_row(f"seconds: {stage}", f"{seconds:.2f}")
    return table


def steps_words(steps: Sequence[tuple[int, int]]) -> str:
    """Say how many templates there were after how many pages."""
    return ", ".join(f"{templates} after {pages:,}" for pages, templates in steps)


def growth_table(rows: Sequence[SiteRow]) -> Table:
    """Tell how many templates the sites of a run have (CPS paper, Table 1)."""
    table = plain_table("site", "pages", "templates", "hit ratio", "at 500 pages")
    for row in rows[:SITES]:
        at_500 = "" if row.hit_ratio_at_500 is None else f"{row.hit_ratio_at_500:.1%}"
        table.add_row(
            row.site, f"{row.pages:,}", str(row.templates), f"{row.hit_ratio:.1%}", at_500
        )
    if len(rows) > SITES:
        table.add_row(f"and {len(rows) - SITES:,} more sites")
    return table


def failures_table(failures: Sequence[Note]) -> Table:
    """Tell why pages failed, and which was the first."""
    table = plain_table("why pages failed", "pages", "first")
    for note in failures:
        table.add_row(note.kind, f"{note.count:,}", note.first)
    return table


def notes_table(notes: Sequence[Note]) -> Table:
    """Tell what was wrong with the sources."""
    table = plain_table("met while reading", "times", "first")
    for note in notes:
        table.add_row(note.kind, f"{note.count:,}", note.first)
    return table


def outcome_table(outcome: Outcome) -> Table:
    """Tell what the demo showed."""
    report = outcome.report
    rows = (
        ("pages", str(report.pages)),
        ("templates the site was written from", str(outcome.templates)),
        ("templates found (stencils learned)", str(report.learned)),
        ("pages rendered", str(report.learned)),
        ("pages that hit a stencil", f"{report.hits} (hit ratio {report.hit_ratio:.1%})"),
        ("pages that failed", f"{report.failed} (one is empty on purpose)"),
        ("seconds with stencils", f"{outcome.seconds:.1f}"),
        (
            "seconds if every page were rendered",
            f"{outcome.plain_seconds:.1f} (estimated from {outcome.sample} pages, rendered now)",
        ),
        ("time saved", f"{outcome.saved:.1%}"),
    )
    table = plain_table("", "")
    for row in rows:
        table.add_row(*row)
    return table


def next_steps(outcome: Outcome, program: str) -> tuple[str, ...]:
    """Say where the results are and what to try."""
    folder = outcome.results.parent
    return (
        "",
        f"Results, one line a page:    {outcome.results}",
        f"Areas of rendered pages:     {folder / 'pictures'} ({len(outcome.pictures)} pictures)",
        "",
        "Next:",
        f"  {program} stencils list --store {outcome.store}",
        f"  {program} demo --redesign --folder {folder}",
        f"  {program} stencils drift --store {outcome.store}",
        f"  {program} segment {folder / 'site' / 'index.html'} --png areas.png",
        f"  {program} run YOUR_FOLDER --store site.db --out results.jsonl",
    )


def areas_table(areas: Sequence[PageArea]) -> Table:
    """List the areas of a page with the start of their text."""
    table = plain_table("area", "in", "kind", "left, top, width x height", "text")
    for area in areas:
        above = "" if area.parent is None else str(area.parent)
        words = area.text.replace("\n", " ")[:WORDS]
        table.add_row(str(area.id), above, area.kind or "", place(area.rect), words)
    return table


def items_table(items: Sequence[Item]) -> Table:
    """List the items of a page: the parts of rows and products, the start of other texts."""
    table = plain_table("kind", "sure", "how", "text")
    for item in items:
        parts = "; ".join(f"{name}: {value[:WORDS]}" for name, value in item.fields)
        words = " ".join(item.text.split())[:WORDS]
        told = parts if item.kind in ("row", "product") else words
        table.add_row(item.kind, f"{item.confidence:.2f}", item.how, told)
    return table


def stencil_table(stencil: Stencil, history: StencilHistory) -> Table:
    """Show a stencil, its life and its areas."""
    title = (
        f"{stencil.key}  {stencil.site}",
        f"learned from {stencil.made_from}",
        f"by {stencil.made_by}",
        *history_words(history),
    )
    table = plain_table(
        *("area", "in", "kind", "left, top, width x height", "nodes", "attributes"),
        title="\n".join(title),
    )
    for number, area in enumerate(stencil.areas):
        said = " ".join(f"{name}={value:g}" for name, value in area.attributes)
        nodes = str(len(area.nodes))
        table.add_row(str(number), parent(area), area.kind or "", place(area.rect), nodes, said)
    return table


def history_words(history: StencilHistory) -> tuple[str, ...]:
    """Say when and why a stencil was learned, and what came of it."""
    sure = "" if history.confidence is None else f", mean confidence {history.confidence:.3f}"
    return (
        f"learned in the run of {history.learned or 'an unknown time'}",
        f"because: {history.why or 'not noted'}",
        f"last used in the run of {history.used or 'an unknown time'}",
        f"{history.state}, {history.hits} hits{sure}",
    )


def stencils_table(stencils: Sequence[StencilSummary]) -> Table:
    """List stencils."""
    table = plain_table(
        "key", "site", "pages", "areas", "nodes", "state", "learned from", "made by"
    )
    for known in stencils:
        table.add_row(
            known.key,
            known.site,
            str(known.hits + 1),
            str(known.areas),
            str(known.nodes),
            known.state,
            known.made_from,
            maker_words(known.made_by),
        )
    return table


def maker_words(made_by: str) -> str:
    """Say what made stencils, with those of its settings that are not the usual ones."""
    head, _, settings = made_by.removesuffix(")").partition("(")
    names = {segmenter.__name__: repr(segmenter()) for segmenter in SEGMENTERS.values()}
    usual = names.get(head.rpartition(" ")[2], "").removesuffix(")").partition("(")[2].split(", ")
    own = [pair for pair in settings.split(", ") if pair not in usual]
    return f"{head}({', '.join(own)})" if own else head


def drift_table(found: Sequence[SiteDrift]) -> Table:
    """Show the figures of each site, before and lately."""
    table = plain_table(
        *("site", "runs", "pages", "hit ratio", "confidence"),
        *("learned", "retired", "replaced", "without hits", "made by"),
    )
    for site in found:
        before = span_cells(site.before) if site.before else ("-",) * 4
        both = zip(before, span_cells(site.lately), strict=True)
        cells = [f"{then} > {lately}" for then, lately in both]
        stencils = (site.learned, site.retired, site.replaced, site.unused)
        table.add_row(site.site, *cells, *map(str, stencils), maker_words(site.made_by))
    return table


def span_cells(span: Span) -> tuple[str, str, str, str]:
    """Write runs, pages, hit ratio and confidence."""
    sure = "-" if span.confidence is None else f"{span.confidence:.3f}"
    return str(span.runs), str(span.pages), f"{span.hit_ratio:.1%}", sure


def settings_table(name: str, settings: Sequence[Setting]) -> Table:
    """List the settings of a segmenter."""
    table = plain_table("setting", "default", "range", "meaning", title=name)
    for known in settings:
        table.add_row(known.name, str(known.default), known.range, known.meaning)
    return table


def checks_table(checks: Sequence[Check]) -> Table:
    """Tell what was checked, and what to do about what is missing."""
    table = plain_table("", "", "")
    for check in checks:
        advice = f"; {check.fix}" if check.fix and not check.ok else ""
        table.add_row(check_mark(check), check.name, check.detail + advice)
    return table


def check_mark(check: Check) -> Text:
    """Say in a word what came of a check."""
    if check.ok:
        return Text("ok", style="green")
    return Text("optional", style="dim") if check.optional else Text("missing", style="red")


def parent(area: Area) -> str:
    return "" if area.parent == NO_PARENT else str(area.parent)


def place(rect: Rect) -> str:
    return f"{rect.left:.0f}, {rect.top:.0f}, {rect.width:.0f} x {rect.height:.0f}"
