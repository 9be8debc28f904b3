"""`webstencil evaluate mapping`."""

from pathlib import Path
from typing import Unpack

import click

from research.papers import mapping, mapping_report
from webstencil.cli import screen
from webstencil.cli.evaluate_commands import cache_option
from webstencil.cli.method_options import (
    SegmenterOptions,
    chosen_segmenter,
    first_match_option,
    paper_preset_option,
    segmenter_option,
    set_option,
    settings_help,
    threshold_option,
)
from webstencil.cli.options import PATH, json_option
from webstencil.errors import SourceError
from webstencil.evaluate.snapshots import KeepingRenderer, cache_folder
from webstencil.model import Mode
from webstencil.settings import THRESHOLD, Settings
from webstencil.sources import Folder


class MappingOptions(SegmenterOptions):
    """Options of `webstencil evaluate mapping`."""

    paths: tuple[Path, ...]
    pages: int | None
    threshold: float | None
    first_match: bool
    as_json: bool
    cache: Path | None


@click.command("mapping")
@click.argument("paths", metavar="PATH...", type=PATH, nargs=-1, required=True)
@click.option("--pages", type=click.IntRange(min=2), help="Largest number of pages of a site.")
@segmenter_option
@paper_preset_option
@set_option
@settings_help
@threshold_option
@first_match_option
@json_option("all counters")
@cache_option
def mapping_command(**options: Unpack[MappingOptions]) -> None:
    """Locate areas by descriptors and print Table I of the mapping paper.

    Each PATH is a folder with the pages of a site.
    """
    threshold = options["threshold"]
    settings = Settings(
        chosen_segmenter(options, Mode.PAPER),
        Mode.PAPER,
        THRESHOLD if threshold is None else threshold,
        first_match=options["first_match"],
    )
    sites = [(path.resolve().name, Folder(path)) for path in options["paths"]]
    rows: list[mapping.MappingRow] = []
    with KeepingRenderer((options["cache"] or cache_folder()) / "snapshots") as renderer:
        for site, source in sites:
            if not source.count():
                raise SourceError(f"there is no page in {site}; give the folder of a site")
            pages = mapping.sample(source, options["pages"])
            rows += mapping.measure(site, pages, renderer, settings)
    if options["as_json"]:
        screen.say(mapping_report.report(rows))
    else:
        mapping_report.show(rows)
