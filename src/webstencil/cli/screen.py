"""What the user sees: lines, progress displays and tables."""

import csv
import json
from collections.abc import Iterable, Sequence
from io import StringIO

from webstencil.cli.tables import (
    areas_table,
    checks_table,
    failures_table,
    growth_table,
    items_table,
    notes_table,
    plain_table,
    report_table,
    settings_table,
    slots_table,
    steps_words,
    table_of,
)
from webstencil.cli.talk import Progress, Talk, Ticker, complain, log_json, say, show, warn

__all__ = [
    "Progress",
    "Talk",
    "Ticker",
    "areas_table",
    "checks_table",
    "complain",
    "failures_table",
    "growth_table",
    "items_table",
    "log_json",
    "notes_table",
    "plain_table",
    "report_table",
    "say",
    "settings_table",
    "show",
    "show_rows",
    "show_table",
    "slots_table",
    "steps_words",
    "tell_left_out",
    "warn",
]


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
        complain(f"left out, since empty or not HTML: {pages}, first {known[0]}")


def show_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a title, a table and an empty line."""
    say(title)
    show(table_of(columns, rows))
    say("")
