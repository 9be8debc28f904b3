"""`webstencil sites drift`."""

import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import click

from webstencil.cli import screen
from webstencil.cli.options import json_option
from webstencil.cli.stencil_tables import drift_table
from webstencil.cli.stencils_commands import as_text, store_option
from webstencil.queries.drift import compare
from webstencil.store import existing_store
from webstencil.store.postgres import PostgresDatabase

DRIFTED = 1  # exit code; 2 is that of errors


@click.command("drift")
@store_option
@click.option(
    "--since",
    type=click.DateTime(),
    help="Compare the runs since this date or time (UTC) with those before (default: the newest).",
)
@json_option("it")
def drift_command(
    store_path: Path | PostgresDatabase, since: datetime | None, as_json: bool
) -> None:
    """List sites that changed since they were learned.

    The exit code is 1 if any did, 0 if none did, and 2 on errors.
    """
    with existing_store(store_path) as store:
        start = since.replace(tzinfo=UTC).isoformat(timespec="seconds") if since else ""
        found = compare(store.usage.past(), store.all_stencils(), start)
    if as_json:
        screen.say(as_text([asdict(site) for site in found]))
    elif not found:
        screen.say("No pages were processed yet; there is nothing to compare.")
    else:
        screen.show(drift_table(found))
        for site in found:
            screen.say(f"{site.site}: {site.words}")
    if any(site.drifted for site in found):
        sys.exit(DRIFTED)
