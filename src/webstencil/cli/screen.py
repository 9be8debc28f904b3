"""What the user sees: lines, progress displays and tables."""

from collections.abc import Iterable, Sequence

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
    steps_words,
)
from webstencil.cli.talk import (
    Progress,
    Talk,
    Ticker,
    complain,
    log_json,
    say,
    show,
    warn,
)

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
    "show_table",
    "steps_words",
    "warn",
]


def show_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a title, which may be wider than the table, and the table."""
    table = plain_table(*columns)
    for row in rows:
        table.add_row(*row)
    say(title)
    show(table)
    say("")
