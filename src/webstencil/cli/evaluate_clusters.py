"""`webstencil evaluate clusters`."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypedDict, Unpack

import click

from webstencil.cli import screen
from webstencil.cli.options import PATH, json_option, pages_root_option, table_option
from webstencil.errors import SourceError
from webstencil.evaluate import template_clusters as clusters
from webstencil.evaluate.labelled_sets import LabelledSet, read_sets, self_labelled
from webstencil.settings import THRESHOLD

COLUMNS = (
    *("set", "pages", "left out", "ARI", "ARI merged", "AMI", "purity"),
    *("hit ratio", "clusters", "alone", "labels"),
)


class ClustersOptions(TypedDict):
    """Options of `webstencil evaluate clusters`."""

    paths: tuple[Path, ...]
    pages_root: Path | None
    by_body: bool
    modes: tuple[str, ...]
    threshold: float
    seed: int | None
    form: str
    as_json: bool


@click.command("clusters")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=PATH)
@pages_root_option
@click.option(
    "--label-body-class",
    "by_body",
    is_flag=True,
    help="PATH is a folder of pages; the classes of a page's body are its label.",
)
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
@click.option(
    "--seed",
    type=int,
    help="Random seed for the page order, on which paper mode alone depends.  [default: as listed]",
)
@table_option
@json_option("all scores")
def clusters_command(**options: Unpack[ClustersOptions]) -> None:
    """Score templates found without rendering against labelled pages.

    PATH is a table of labels (X.csv, with the columns path and label) of the pages in the folder X
    beside it, or a file of labelled pages (X.jsonl.xz, with site, id, html, template, and merged
    for labels that a person would call one layout).

    In default mode, every page with a label counts: a page that fits no template is a cluster of
    its own; all empty pages together are one cluster, and so are errors, redirects and framesets.
    """
    tables: dict[str, list[clusters.ClusterRow]] = {}
    for mode in options["modes"]:
        settings = clusters.ClusterSettings(mode, options["threshold"], options["seed"])
        tables[mode] = [clusters.measure(known, settings) for known in sets(options)]
        refuse_unlabelled(tables[mode], options["paths"])
    if options["as_json"] or options["form"] == "json":
        screen.say(clusters.report(tables))
    elif options["form"] == "csv":
        rows = ((mode, *row) for mode, table in tables.items() for row in cells(table))
        screen.show_rows(("mode", *COLUMNS), rows, "csv")
    else:
        for mode, table in tables.items():
            limit = f", distance at most {options['threshold']:g}" if mode == clusters.PAPER else ""
            screen.show_table(f"mode {mode}{limit}", COLUMNS, cells(table))


def sets(options: ClustersOptions) -> Iterator[LabelledSet]:
    """Yield the sets of labelled pages."""
    for path in options["paths"]:
        if options["by_body"]:
            yield self_labelled(path)
        else:
            yield from read_sets(path, options["pages_root"])


def refuse_unlabelled(rows: Sequence[clusters.ClusterRow], paths: Sequence[Path]) -> None:
    """Raise if there is nothing to score; a set without a page would score 1."""
    if not rows:
        raise SourceError(f"there is no page in {', '.join(map(str, paths))}; give labelled pages")
    for row in rows:
        if not row.pages:
            raise SourceError(f"no page of {row.name} has a label, or none can be read")


def cells(rows: Sequence[clusters.ClusterRow]) -> Iterator[list[str]]:
    """Write the rows of sets and of their mean."""
    for row in (*rows, clusters.mean_row(rows)):
        before = (row.pages, row.left_out)
        shares = (row.ari, row.ari_merged, row.ami, row.purity, row.hit_ratio)
        after = (row.clusters, row.alone, row.labels)
        yield [
            row.name,
            *(f"{round(count, 1):g}" for count in before),
            *(f"{share:.3f}" for share in shares),
            *(f"{round(count, 1):g}" for count in after),
        ]
