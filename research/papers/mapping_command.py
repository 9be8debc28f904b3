"""`webstencil evaluate mapping`."""

from pathlib import Path

import click

from research.papers import mapping, mapping_report
from webstencil.cli import screen
from webstencil.cli.evaluate_commands import cache_option
from webstencil.cli.evaluate_fidelity import sites_in
from webstencil.cli.segment_commands import segmenter_option
from webstencil.cli.shared_options import PATH, json_option
from webstencil.evaluate.snapshots import KeepingRenderer, cache_folder
from webstencil.model import Mode
from webstencil.segment import make_segmenter
from webstencil.settings import Settings


@click.command("mapping")
@click.argument("paths", metavar="PATH...", type=PATH, nargs=-1, required=True)
@click.option("--pages", type=click.IntRange(min=2), help="Largest number of pages of a site.")
@segmenter_option
@json_option("all counters")
@cache_option
def mapping_command(
    paths: tuple[Path, ...], pages: int | None, name: str, as_json: bool, cache: Path | None
) -> None:
    """Locate areas by descriptors and print Table I of the mapping paper.

    Each PATH is a folder with the pages of a site.
    """
    settings = Settings(make_segmenter(name, ()), Mode.PAPER)
    sites = sites_in(paths)
    rows: list[mapping.MappingRow] = []
    with KeepingRenderer((cache or cache_folder()) / "snapshots") as renderer:
        for site, source in sites:
            rows += mapping.measure(site, mapping.sample(source, pages), renderer, settings)
    if as_json:
        screen.say(mapping_report.report(rows))
    else:
        mapping_report.show(rows)
