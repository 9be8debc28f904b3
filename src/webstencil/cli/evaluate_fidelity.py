"""`webstencil evaluate fidelity`."""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from statistics import fmean
from typing import Unpack

import click

from webstencil.cli import screen
from webstencil.cli.evaluate_commands import cache_option
from webstencil.cli.job_options import audit_option
from webstencil.cli.method_options import MethodOptions, method_settings, with_method
from webstencil.cli.shared_options import PATH, json_option, table_option
from webstencil.errors import SourceError
from webstencil.evaluate import fidelity
from webstencil.evaluate.fidelity import BAD, FidelityCost, FidelityRow, HitScore, mean
from webstencil.evaluate.order import Crawled
from webstencil.evaluate.snapshots import KeepingRenderer, cache_folder
from webstencil.evaluate.worst_hits import draw_worst
from webstencil.sources import Folder


def sites_in(folders: Sequence[Path]) -> list[tuple[str, Folder]]:
    """Open the folders of sites, with their names; raise if one has no page."""
    sites = [(folder.resolve().name, Folder(folder)) for folder in folders]
    for name, source in sites:
        if not source.count():
            raise SourceError(f"there is no page in the folder {name}; give the folder of a site")
    return sites


class FidelityOptions(MethodOptions):
    """Options of `webstencil evaluate fidelity`."""

    folders: tuple[Path, ...]
    pages: int | None
    every: int
    sample: int
    seed: int
    audit: int
    pictures: Path | None
    form: str
    as_json: bool
    cache: Path | None


@click.command("fidelity")
@click.argument("folders", metavar="SITE_FOLDER...", nargs=-1, required=True, type=PATH)
@with_method
@click.option("--pages", type=click.IntRange(1), help="Largest number of pages of a site.")
@click.option("--every", type=click.IntRange(1), default=1, metavar="N", help="Take one page in N.")
@click.option(
    "--sample", type=click.IntRange(1), default=30, show_default=True, help="Hits to judge."
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Random seed for the choice of hits."
)
@audit_option
@click.option(
    "--pictures",
    type=click.Path(path_type=Path, file_okay=False),
    help="Draw the worst hits of each site into this folder.",
)
@table_option
@json_option("all scores")
@cache_option
def fidelity_command(**options: Unpack[FidelityOptions]) -> None:
    """Compare the areas of hits with those of their own renderings.

    Pages come in crawl order. Pages that only redirect are left out.
    """
    settings = replace(method_settings(options), audit=options["audit"])
    wanted = fidelity.FidelitySettings(
        settings, options["pages"], options["every"], options["sample"], options["seed"]
    )
    sites = sites_in(options["folders"])
    rows: list[fidelity.FidelityRow] = []
    scores: list[fidelity.HitScore] = []
    with KeepingRenderer((options["cache"] or cache_folder()) / "snapshots") as renderer:
        for site, pages in sites:
            source = Crawled(pages)
            row, judged = fidelity.measure(site, source, wanted, renderer, renderer.renderer)
            rows.append(row)
            scores += judged
            if options["pictures"]:
                draw_worst(judged, source, settings, options["pictures"])
    if options["as_json"] or options["form"] == "json":
        screen.say(report(rows, scores))
    else:
        show(f"{options['name']}, mode {options['mode']}", rows, options["form"])


COLUMNS = (
    "site",
    "pages",
    "failed",
    "stencils",
    "hit ratio",
    "areas located",
    "judged",
    "text covered",
    "fidelity",
    f"below {BAD}",
    "random stencil",
    "own stencil",
    "parses/hit",
    "renderings/hit",
    "time saved",
)


def mean_row(rows: Sequence[FidelityRow]) -> FidelityRow:
    """Average over sites."""
    return FidelityRow(
        site="mean",
        pages=fmean(row.pages for row in rows),
        failed=fmean(row.failed for row in rows),
        stencils=fmean(row.stencils for row in rows),
        hit_ratio=mean(row.hit_ratio for row in rows),
        judged=fmean(row.judged for row in rows),
        located=mean(row.located for row in rows),
        covered=mean(row.covered for row in rows),
        fidelity=mean(row.fidelity for row in rows),
        bad=mean(row.bad for row in rows),
        chance=mean(row.chance for row in rows),
        own=mean(row.own for row in rows),
        cost=FidelityCost(
            mean(row.cost.parses for row in rows),
            mean(row.cost.renderings for row in rows),
            mean(row.cost.saved for row in rows),
        ),
    )


def show(title: str, rows: Sequence[FidelityRow], form: str) -> None:
    """Print a table of sites and of their mean."""
    if form == "table":
        screen.say(title)
    screen.show_rows(COLUMNS, map(cells, (*rows, mean_row(rows))), form)


def cells(row: FidelityRow) -> list[str]:
    """Write a row."""
    return [
        row.site,
        *(f"{round(count, 1):g}" for count in (row.pages, row.failed, row.stencils)),
        *map(figure, (row.hit_ratio, row.located)),
        f"{round(row.judged, 1):g}",
        *map(figure, (row.covered, row.fidelity, row.bad, row.chance, row.own)),
        figure(row.cost.parses, digits=1),
        figure(row.cost.renderings, digits=4),
        figure(row.cost.saved),
    ]


def figure(value: float | None, digits: int = 3) -> str:
    """Write a value, or a dash if there is none."""
    return "-" if value is None else f"{value:.{digits}f}"


def report(rows: Sequence[FidelityRow], scores: Sequence[HitScore]) -> str:
    """Write all scores as JSON."""
    return json.dumps(
        {
            "rows": [asdict(row) for row in rows],
            "mean": asdict(mean_row(rows)),
            "hits": [asdict(replace(score, areas=())) for score in scores],
        },
        indent=1,
    )
