"""What a person sees: lines and displays, tables; those of stencils are in `stencils`."""

from webstencil.screen.tables import (
    areas_table,
    checks_table,
    failures_table,
    growth_table,
    items_table,
    next_steps,
    notes_table,
    outcome_table,
    plain_table,
    report_table,
    settings_table,
    steps_words,
)
from webstencil.screen.talk import (
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
    "next_steps",
    "notes_table",
    "outcome_table",
    "plain_table",
    "report_table",
    "say",
    "settings_table",
    "show",
    "steps_words",
    "warn",
]
