"""`webstencil evaluate clusters`."""

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TypedDict, Unpack

import click

from webstencil.cli import screen
from webstencil.cli.shared_options import PATH, json_option, pages_root_option, table_option
from webstencil.evaluate import template_clusters as clusters
from webstencil.settings import THRESHOLD

COLUMNS = (
    *("set", "pages", "left out", "labels", "clusters"),
    *("hit ratio", "ARI", "ARI at once", "AMI", "purity"),
)


class ClustersOptions(TypedDict):
    """Options of `webstencil evaluate clusters`."""

    paths: tuple[Path, ...]
    pages_root: Path | None
    modes: tuple[str, ...]
    threshold: float
    seed: int | None
    form: str
    as_json: bool


@click.command("clusters")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=PATH)
@pages_root_option
@click.option(
    "--mode",
    "modes",
    type=click.Choice(clusters.MODES),
    multiple=True,
    default=clusters.MODES,
    show_default=True,
    help="Mode (repeatable).",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0.0, 1.0),
    default=THRESHOLD,
    show_default=True,
    help="Largest distance of a match in paper mode.",
)
@click.option("--seed", type=int, help="Random seed for the page order.  [default: as listed]")
@table_option
@json_option("all scores")
def clusters_command(**options: Unpack[ClustersOptions]) -> None:
    """Score templates found without rendering against labelled pages.

    PATH is a table of labels (X.csv, with the columns path and label) of the pages in the folder X
    beside it, or a file of labelled pages (X.jsonl.xz).
    """
    tables: dict[str, list[clusters.ClusterRow]] = {}
    for mode in options["modes"]:
        settings = clusters.ClusterSettings(mode, options["threshold"], options["seed"])
        sets = [clusters.read_sets(path, options["pages_root"]) for path in options["paths"]]
        tables[mode] = [clusters.measure(known, settings) for known in chain.from_iterable(sets)]
    if options["as_json"] or options["form"] == "json":
        screen.say(clusters.report(tables))
    elif options["form"] == "csv":
        rows = ((mode, *row) for mode, table in tables.items() for row in cells(table))
        screen.show_rows(("mode", *COLUMNS), rows, "csv")
    else:
        for mode, table in tables.items():
            limit = f", distance at most {options['threshold']:g}" if mode == clusters.PAPER else ""
            screen.show_table(f"mode {mode}{limit}", COLUMNS, cells(table))


def cells(rows: Sequence[clusters.ClusterRow]) -> Iterator[list[str]]:
    """Write the rows of sets and of their mean."""
    for row in (*rows, clusters.mean_row(rows)):
        counts = (row.pages, row.unreadable, row.labels, row.clusters)
        shares = (row.hit_ratio, row.ari, row.ari_at_once, row.ami, row.purity)
        yield [
            row.name,
            *(f"{round(count, 1):g}" for count in counts),
            *(f"{share:.3f}" for share in shares),
        ]
