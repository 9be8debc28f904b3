"""What the user sees: lines, progress displays and tables."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from webstencil.cli.talk import (
    Progress,
    Talk,
    Ticker,
    complain,
    log_json,
    note,
    say,
    show,
    text_limit,
    warn,
)
from webstencil.model import Item, Mode, PageArea

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from webstencil.cli.site_outcomes import GrowthRow
    from webstencil.geometry import Rect
    from webstencil.render.doctor import Check
    from webstencil.report import Report
    from webstencil.segment import Setting
    from webstencil.sources import Note

__all__ = [
    "Progress",
    "Talk",
    "Ticker",
    "area_rows",
    "check_word",
    "checks_table",
    "complain",
    "failures_table",
    "growth_table",
    "items_table",
    "log_json",
    "note",
    "notes_table",
    "plain_table",
    "report_table",
    "say",
    "settings_table",
    "show",
    "show_rows",
    "show_table",
    "slot_rows",
    "steps_words",
    "tell_left_out",
    "warn",
]

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
