"""`webstencil evaluate fidelity`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict, Unpack

import click

from webstencil.cli import fidelity_report, screen
from webstencil.cli.evaluate_commands import cache_option
from webstencil.cli.job_options import audit_option
from webstencil.cli.segment_commands import mode_option, segmenter_option
from webstencil.cli.shared_options import PATH, json_option, table_option
from webstencil.errors import SourceError
from webstencil.evaluate import fidelity
from webstencil.evaluate.order import Crawled
from webstencil.evaluate.snapshots import KeepingRenderer, cache_folder
from webstencil.evaluate.worst_hits import draw_worst
from webstencil.model import Mode
from webstencil.segment import make_segmenter
from webstencil.settings import Settings
from webstencil.sources import Folder


def sites_in(folders: Sequence[Path]) -> list[tuple[str, Folder]]:
    """Open the folders of sites, with their names; raise if one has no page."""
    sites = [(folder.resolve().name, Folder(folder)) for folder in folders]
    for name, source in sites:
        if not source.count():
            raise SourceError(f"there is no page in the folder {name}; give the folder of a site")
    return sites


class FidelityOptions(TypedDict):
    """Options of `webstencil evaluate fidelity`."""

    folders: tuple[Path, ...]
    name: str
    mode: str
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
@segmenter_option
@mode_option
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
    segmenter = make_segmenter(options["name"], ())
    settings = Settings(segmenter, Mode(options["mode"]), audit=options["audit"])
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
        screen.say(fidelity_report.report(rows, scores))
    else:
        fidelity_report.show(f"{options['name']}, mode {options['mode']}", rows, options["form"])
