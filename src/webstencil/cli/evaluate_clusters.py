"""`webstencil evaluate clusters`."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TypedDict, Unpack

import click

from webstencil.cli import screen
from webstencil.cli.shared_options import PATH, json_option
from webstencil.evaluate import clusters
from webstencil.settings import THRESHOLD


class ClustersWanted(TypedDict):
    """What a person asks for."""

    paths: tuple[Path, ...]
    pages_root: Path | None
    modes: tuple[str, ...]
    threshold: float
    seed: int | None
    as_json: bool


@click.command("clusters")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=PATH)
@click.option(
    "--pages-root",
    type=PATH,
    help="Folder with the site folders that labels (X.csv) are of; else they are sought beside it.",
)
@click.option(
    "--mode",
    "modes",
    type=click.Choice(clusters.MODES),
    multiple=True,
    default=clusters.MODES,
    show_default=True,
    help="How to cluster; may be given several times.",
)
@click.option("--threshold", type=click.FloatRange(0.0, 1.0), default=THRESHOLD, show_default=True)
@click.option("--seed", type=int, help="Shuffle the pages by this lot; else they come as listed.")
@json_option("all scores")
def clusters_command(**wanted: Unpack[ClustersWanted]) -> None:
    """Compare the templates that are told apart, without any rendering, with labels.

    PATH is a table of labels (path,label), or a file X.jsonl.xz of labelled pages.
    """
    tables: dict[str, list[clusters.ClusterRow]] = {}
    for mode in wanted["modes"]:
        plan = clusters.ClusterPlan(mode, wanted["threshold"], wanted["seed"])
        sets = [clusters.read_sets(path, wanted["pages_root"]) for path in wanted["paths"]]
        tables[mode] = [clusters.measure(known, plan) for known in chain.from_iterable(sets)]
    if wanted["as_json"]:
        screen.say(clusters.report(tables))
        return
    for mode, rows in tables.items():
        distance = f", distance at most {wanted['threshold']:g}" if mode == clusters.PAPER else ""
        show(f"mode {mode}{distance}", rows)


def show(title: str, rows: Sequence[clusters.ClusterRow]) -> None:
    """Print a table of sets and of their mean."""
    table = screen.plain_table(*clusters.COLUMNS, title=title)
    for row in (*rows, clusters.mean_row(rows)):
        counts = (row.pages, row.unreadable, row.labels, row.clusters)
        shares = (row.hit_ratio, row.ari, row.ari_at_once, row.ami, row.purity)
        table.add_row(
            row.name,
            *(f"{round(count, 1):g}" for count in counts),
            *(f"{share:.3f}" for share in shares),
        )
    screen.show(table)
