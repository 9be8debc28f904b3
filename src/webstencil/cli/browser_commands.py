"""`webstencil doctor` and `webstencil browser`: whether what paints the pages is there."""

import sys

import click

from webstencil.cli import screen
from webstencil.cli.lazy_commands import LazyGroup
from webstencil.render import browser, doctor


@click.command("doctor")
def doctor_command() -> None:
    """Tell whether everything is there that webstencil needs, and how to get what is not."""
    checks = doctor.checks()
    screen.show(screen.checks_table(checks))
    if not all(check.ok or check.optional for check in checks):
        sys.exit(1)


@click.group("browser", cls=LazyGroup)
def browser_group() -> None:
    """Get the browser that paints the pages."""


@browser_group.command("install")
def browser_install() -> None:
    """Install Chromium and fonts, unless a browser is found."""
    screen.say(str(browser.install().path))
