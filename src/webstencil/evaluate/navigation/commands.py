"""The command that measures navigation: `webstencil evaluate navigation`."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from webstencil import screen
from webstencil.errors import SourceError
from webstencil.evaluate.archives import unpacked
from webstencil.evaluate.kreuzer import PLAIN, read_pages
from webstencil.evaluate.navigation import clusters
from webstencil.evaluate.navigation.gold import MarkedPage, marked_page
from webstencil.evaluate.navigation.learning import require_sklearn
from webstencil.evaluate.snapshots import cache_folder
from webstencil.plot import plot

MARKED = "kreuzer-*.tar.xz"


@click.command("navigation")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print all scores as JSON.")
@click.option(
    "--plots", type=click.Path(path_type=Path), help="Folder for the curves of Figures 5 to 7."
)
@click.option("--cache", type=click.Path(path_type=Path), help="Folder for unpacked pages.")
def navigation_command(path: Path, as_json: bool, plots: Path | None, cache: Path | None) -> None:
    """Score blocks of links and what they are taken for.

    PATH is a folder with marked pages (X.dom.html, X.blocks.html), or one with archives of them.
    """
    require_sklearn()
    found: dict[str, object] = {}
    pages = marked_pages(path, cache or cache_folder())
    if pages:
        found["clusters"] = measure_clusters(pages, plots, quiet=as_json)
    if not found:
        raise SourceError(f"{path} has nothing to measure navigation on: no X{PLAIN}")
    if as_json:
        screen.say(json.dumps(found, indent=1))


def marked_pages(path: Path, cache: Path) -> list[MarkedPage]:
    """Read the hand-marked pages of a folder, packed or not."""
    archives = sorted(path.glob(MARKED)) if path.is_dir() else []
    if path.is_file() and path.name.endswith(".tar.xz"):
        archives = [path]
    folders = [unpacked(archive, cache) for archive in archives]
    if not folders and path.is_dir() and next(path.rglob(f"*{PLAIN}"), None) is not None:
        folders = [path]
    return [marked_page(page) for folder in folders for page in read_pages(folder)]


def measure_clusters(
    pages: Sequence[MarkedPage], plots: Path | None, *, quiet: bool
) -> dict[str, object]:
    """Compare the ways to cluster links."""
    scores = clusters.score_pages(pages, clusters.methods())
    scores += clusters.cross_validated(pages)
    rows = clusters.average(scores)
    factors = clusters.factors(pages)
    if plots is not None:
        for measure, figure in (("ari", 5), ("ami", 6)):
            plot(
                plots / f"figure-{figure}-{measure}.svg",
                clusters.cumulative(scores, measure),
                title=f"Share of pages below {measure.upper()}",
                x=measure.upper(),
                y="share of pages",
            )
    if not quiet:
        show_clusters("blocks of links against marked ones", rows)
        show_clusters("our threshold with other factors", factors)
    return {
        "rows": [asdict(row) for row in rows],
        "factors": [asdict(row) for row in factors],
        "pages": [asdict(score) for score in scores],
    }


def show_clusters(title: str, rows: Sequence[clusters.ClusterScore]) -> None:
    """Print a table of methods."""
    table = screen.plain_table("method", "pages", "ARI", "AMI", "blocks", title=title)
    for row in rows:
        table.add_row(
            row.method, str(row.pages), f"{row.ari:.3f}", f"{row.ami:.3f}", f"{row.blocks:.1f}"
        )
    screen.show(table)
    screen.say("")
