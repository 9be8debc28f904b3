"""`webstencil doctor` and `webstencil browser`."""

import sys

import click

from webstencil.cli import screen
from webstencil.cli.commands import LazyGroup
from webstencil.cli.options import table_option
from webstencil.render import browser, doctor


@click.command("doctor")
@table_option
def doctor_command(form: str) -> None:
    """Check that everything webstencil needs is installed.

    The exit code is 1 if something is missing.
    """
    checks = doctor.checks()
    if form == "table":
        screen.show(screen.checks_table(checks))
    else:
        rows = [(screen.check_word(one), one.name, one.detail, one.fix) for one in checks]
        screen.show_rows(("outcome", "name", "detail", "advice"), rows, form)
    if not all(check.ok or check.optional for check in checks):
        sys.exit(1)


@click.group("browser", cls=LazyGroup)
def browser_group() -> None:
    """Install the browser that renders pages."""


@browser_group.command("install")
def browser_install() -> None:
    """Install Chromium and fonts, unless there is a browser."""
    screen.say(str(browser.install().path))
