"""`webstencil store` and `webstencil export`."""

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TextIO

import click

from webstencil.cli import screen
from webstencil.cli.commands import LazyGroup
from webstencil.cli.options import PATH, is_stdout
from webstencil.cli.store_option import STORE
from webstencil.errors import SettingsError
from webstencil.model import Mode, PageResult, Status
from webstencil.output import open_output
from webstencil.output.formats import OUTPUTS, RESULT_ENDINGS, format_of
from webstencil.output.json_lines import json_line
from webstencil.output.parquet import TABLE_COLUMNS, page_row
from webstencil.queries.lists import NotStored
from webstencil.store import SqlStore, existing_store, open_store
from webstencil.store.postgres import PostgresDatabase

CSV = "csv"
EXPORT_ENDINGS = {**RESULT_ENDINGS, ".csv": CSV}


@click.group("store", cls=LazyGroup)
def store_group() -> None:
    """Copy a store to another file or server."""


@store_group.command("copy")
@click.argument("source", metavar="FROM", type=STORE)
@click.argument("target", metavar="TO", type=STORE)
def copy_command(source: Path | PostgresDatabase, target: Path | PostgresDatabase) -> None:
    """Copy a store into an empty one, of the same kind or the other.

    FROM and TO are files or postgresql://USER:PASSWORD@HOST/DATABASE. Jobs may keep writing to
    FROM: TO becomes what FROM was when the copy began. If the copy is stopped, TO stays empty.
    """
    ticker = screen.Ticker()
    with existing_store(source) as old, open_store(target) as new:
        total, done = old.tables.size(), 0
        for rows in new.tables.fill(old.tables.rows()):
            done += rows
            ticker.tell(f"{done:,} of {total:,} rows copied")
        screen.say(f"Copied {done:,} rows from {source} to {target}.")


@click.command("export")
@click.argument("store_path", metavar="STORE", type=STORE)
@click.option("--out", required=True, type=PATH, help="File or folder; - for standard output.")
@click.option(
    "--format",
    "form",
    type=click.Choice([CSV, *OUTPUTS]),
    help="Format of the results.  [default: by the name of --out]",
)
@click.option("--site", help="Only pages of this site.")
@click.option("--template", metavar="NAME", help="Only pages of this template, by name or number.")
@click.option("--type", "kind", help="Only pages of this type, such as article.")
@click.option(
    "--status",
    type=click.Choice([one.value for one in Status]),
    help="Only pages with this status.",
)
@click.option(
    "--mode",
    type=click.Choice([one.value for one in Mode]),
    help="Only what was learned in this mode.",
)
def export_command(store_path: Path | PostgresDatabase, out: Path, **wanted: str | None) -> None:
    """Write the results of a store to a file, without reading its sources.

    CSV has a row for each page, the other formats are those of `run --out`. If a site was learned
    with several settings, the results are those of the newest.
    """
    piped = is_stdout(out)
    form = wanted["form"] if piped else format_of(out, wanted["form"], endings=EXPORT_ENDINGS)
    with existing_store(store_path) as store:
        learner = newest_learner(store, wanted["mode"])
        known = partial(chosen_results, store, learner, wanted)
        if piped and form != CSV:
            if form not in (None, "jsonl"):
                raise SettingsError(f"{form} needs a file or folder; give its name to --out")
            for result in known():
                sys.stdout.buffer.write(json_line(result))
        elif form == CSV:
            with nullcontext(sys.stdout) if piped else out.open("w", newline="") as file:
                write_csv(known(), file)
        else:
            templates = partial(store.templates.one_drawn, learner)
            with open_output(out, form, known, templates=templates):
                pass  # opening it writes all results
    if not piped:
        screen.note(f"Exported {store_path} to {out}.")


def newest_learner(store: SqlStore, mode: str | None) -> str:
    """Return the newest settings that have results; raise a `NotStored` if there are none."""
    modes = store.lookups.modes()
    for _, made_by in sorted(store.lookups.makers().items(), reverse=True):
        if mode in (None, modes[made_by]) and any(store.results.counts(made_by).values()):
            return made_by
    raise NotStored("there are no results in this store; `webstencil run` makes some")


def chosen_results(
    store: SqlStore, learner: str, wanted: Mapping[str, str | None]
) -> Iterator[PageResult]:
    """Yield the results that are wanted."""
    for result in store.results(learner):
        template = (result.template, str(result.template_number))
        if (
            wanted["site"] in (None, result.site)
            and (wanted["template"] is None or wanted["template"] in template)
            and wanted["kind"] in (None, result.type)
            and wanted["status"] in (None, result.status)
        ):
            yield result


def write_csv(results: Iterable[PageResult], file: TextIO) -> None:
    """Write a row for each page, as the table of pages in Parquet has them."""
    columns = ("site", *(name for name, _ in TABLE_COLUMNS["pages"]))
    lines = csv.DictWriter(file, columns, lineterminator="\n")
    lines.writeheader()
    for result in results:
        row = {"site": result.site, **page_row(result)}
        lines.writerow(row | {"problems": json.dumps(row["problems"], ensure_ascii=False)})
