"""`webstencil evaluate fidelity`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict, Unpack

import click

from webstencil.cli import fidelity_report, screen
from webstencil.cli.evaluate_commands import cache_option
from webstencil.cli.job_options import audit_option
from webstencil.cli.segment_commands import mode_option, segmenter_option
from webstencil.cli.shared_options import PATH, json_option
from webstencil.errors import SourceError
from webstencil.evaluate import fidelity
from webstencil.evaluate.order import Crawled
from webstencil.evaluate.pictures import draw_worst
from webstencil.evaluate.snapshots import KeepingRenderer, cache_folder
from webstencil.model import Mode
from webstencil.segment import make_segmenter
from webstencil.settings import Settings
from webstencil.sources import Folder


def sites_in(folders: Sequence[Path]) -> list[tuple[str, Folder]]:
    """Open the folders of sites, with their names; refuse an empty one before the work begins."""
    sites = [(folder.resolve().name, Folder(folder)) for folder in folders]
    for name, source in sites:
        if not source.count():
            raise SourceError(f"there is no page in the folder {name}; name the folder of a site")
    return sites


class FidelityWanted(TypedDict):
    """What a person asks for."""

    folders: tuple[Path, ...]
    name: str
    mode: str
    pages: int | None
    every: int
    sample: int
    seed: int
    audit: int
    pictures: Path | None
    as_json: bool
    cache: Path | None


@click.command("fidelity")
@click.argument("folders", metavar="SITE_FOLDER...", nargs=-1, required=True, type=PATH)
@segmenter_option
@mode_option
@click.option("--pages", type=click.IntRange(1), help="Take at most so many pages of a site.")
@click.option("--every", type=click.IntRange(1), default=1, help="Take one page in so many.")
@click.option(
    "--sample", type=click.IntRange(1), default=30, show_default=True, help="Hits judged."
)
@click.option("--seed", type=int, default=0, show_default=True, help="What the lot starts from.")
@audit_option
@click.option(
    "--pictures",
    type=click.Path(path_type=Path, file_okay=False),
    help="Draw the worst hits of each site into this folder, plain and laid over side by side.",
)
@json_option("all scores")
@cache_option
def fidelity_command(**wanted: Unpack[FidelityWanted]) -> None:
    """Compare pages that hit a stencil with their own rendering and segmentation.

    Pages come in crawl order; stubs that only lead on to another page are left out.
    """
    segmenter = make_segmenter(wanted["name"], ())
    settings = Settings(segmenter, Mode(wanted["mode"]), audit=wanted["audit"])
    plan = fidelity.FidelityPlan(
        settings, wanted["pages"], wanted["every"], wanted["sample"], wanted["seed"]
    )
    sites = sites_in(wanted["folders"])
    rows: list[fidelity.FidelityRow] = []
    scores: list[fidelity.HitScore] = []
    with KeepingRenderer((wanted["cache"] or cache_folder()) / "snapshots") as renderer:
        for site, pages in sites:
            source = Crawled(pages)
            row, judged = fidelity.measure(site, source, plan, renderer, renderer.renderer)
            rows.append(row)
            scores += judged
            if wanted["pictures"]:
                draw_worst(judged, source, settings, wanted["pictures"])
    if wanted["as_json"]:
        screen.say(fidelity_report.report(rows, scores))
    else:
        fidelity_report.show(f"{wanted['name']}, mode {wanted['mode']}", rows)
