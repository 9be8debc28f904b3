"""What a person sees of a job: tables of pages, areas, items, failures, checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from webstencil.model import Item, PageArea

if TYPE_CHECKING:  # values of all stages are shown here; a command loads those that it needs
    from collections.abc import Sequence

    from webstencil.cli.growth import GrowthRow
    from webstencil.geometry import Rect
    from webstencil.pipeline.report import Report
    from webstencil.render.doctor import Check
    from webstencil.segment import Setting
    from webstencil.sources import Note

SITES = 20  # shown of many
WORDS = 60  # characters shown of a text


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
    """Say how many stencils there were after how many pages."""
    return ", ".join(f"{templates} after {pages:,}" for pages, templates in steps)


def growth_table(rows: Sequence[GrowthRow]) -> Table:
    """Tell how many stencils the sites of a run have (CPS paper, Table 1)."""
    table = plain_table("site", "pages", "stencils", "hit ratio", "at 500 pages")
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


def areas_table(areas: Sequence[PageArea]) -> Table:
    """List the areas of a page with the start of their text."""
    table = plain_table("area", "in", "kind", "left, top, width x height", "text")
    for area in areas:
        words = area.text.replace("\n", " ")[:WORDS]
        table.add_row(str(area.id), holder(area.parent), area.kind or "", place(area.rect), words)
    return table


def items_table(items: Sequence[Item]) -> Table:
    """List the items of a page: the parts of rows and products, the start of other texts."""
    table = plain_table("kind", "sure", "how", "text")
    for item in items:
        parts = "; ".join(f"{name}: {value[:WORDS]}" for name, value in item.fields)
        words = " ".join(item.text.split())[:WORDS]
        told = parts if item.kind in ("row", "product") or not words else words
        table.add_row(item.kind, f"{item.confidence:.2f}", item.how, told)
    return table


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


def holder(number: int | None) -> str:
    return "" if number is None else str(number)


def place(rect: Rect) -> str:
    return f"{rect.left:.0f}, {rect.top:.0f}, {rect.width:.0f} x {rect.height:.0f}"
