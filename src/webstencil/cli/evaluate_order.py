"""`webstencil evaluate order`."""

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Unpack

import click

from webstencil.cli import screen
from webstencil.cli.evaluate_sites import open_sites, refuse_none, shown_name, sites_argument
from webstencil.cli.method_options import SegmenterOptions, chosen_segmenter, with_segmenter
from webstencil.cli.options import json_option, table_option
from webstencil.evaluate.area_orders import (
    AreaOrderRow,
    OrderedAreas,
    OrderedJobs,
    areas_in_orders,
    compared_areas,
)
from webstencil.evaluate.survey_orders import OrderedSurvey, OrderRow, compared, surveys_in_orders
from webstencil.render import ChromiumRenderer
from webstencil.settings import Settings
from webstencil.sources import Several

COLUMNS = ("site", "pages", "orders", "surveys", "pages with areas", "areas")
EQUAL = "equal"
PAGES = 40  # of a site, whose areas are compared


class OrderOptions(SegmenterOptions):
    """Options of `webstencil evaluate order`."""

    sites: tuple[str, ...]
    shuffles: int
    workers: tuple[int, ...]
    areas: int
    form: str
    as_json: bool


@dataclass(frozen=True, slots=True)
class OrderedSite:
    """A site, and what depends on the order of its pages."""

    survey: OrderRow
    areas: AreaOrderRow | None  # None if they were not asked for

    @property
    def is_equal(self) -> bool:
        """Return whether nothing does."""
        return not self.survey.differences and not (self.areas and self.areas.differences)


@click.command("order")
@sites_argument
@with_segmenter
@click.option(
    "--shuffles",
    type=click.IntRange(0),
    default=5,
    show_default=True,
    metavar="N",
    help="Number of random orders.",
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    multiple=True,
    default=(1, 2, 4),
    show_default=True,
    metavar="N",
    help="Also with N worker processes (repeatable).",
)
@click.option(
    "--areas",
    type=click.IntRange(0),
    default=PAGES,
    show_default=True,
    metavar="N",
    help="Compare the areas of the first N pages of a site; 0 for none.",
)
@table_option
@json_option("all hashes and differences")
def order_command(**options: Unpack[OrderOptions]) -> None:
    """Check that results do not depend on the order of pages or on workers.

    SITE is a source of `webstencil run`. Its pages are surveyed as listed, shuffled, and by several
    workers; model, templates and plan must be the same to the last byte. So must be the areas of
    its first pages, with their slots and all results; each time, planned pages are rendered anew.
    Exits with 1 if anything differs. All pages of a site are held in memory.
    """
    found: list[OrderedSite] = []
    for name, source in open_sites(options["sites"]).items():
        found += checked(name, source, options)
    if options["as_json"] or options["form"] == "json":
        told = [
            {**asdict(one.survey), "areas": asdict(one.areas) if one.areas else None}
            for one in found
        ]
        screen.say(json.dumps(told, indent=1, ensure_ascii=False))
    else:
        screen.show_rows(COLUMNS, map(cells, found), options["form"])
    exit_unless_equal(found)


def checked(name: str, source: Several, options: OrderOptions) -> Iterator[OrderedSite]:
    """Process a source in all orders, and compare what was found."""
    ticker = screen.Ticker()
    found: list[OrderedSurvey] = []
    wanted = surveys_in_orders(source, shuffles=options["shuffles"], workers=options["workers"])
    for one in wanted:
        found.append(one)
        ticker.tell(f"{name}: surveyed, {one.order}")
    rows = list(compared(found))
    refuse_none(name, len(rows))
    areas = {row.site: row for row in checked_areas(name, source, options)}
    for row in rows:
        shown = shown_name(name, row.site, len(rows))
        yield OrderedSite(replace(row, site=shown), areas.get(row.site))


def checked_areas(name: str, source: Several, options: OrderOptions) -> Iterator[AreaOrderRow]:
    """Process the first pages of a source in all orders, and compare what they give."""
    if not options["areas"]:
        return
    ticker = screen.Ticker()
    found: list[OrderedAreas] = []
    settings = Settings(chosen_segmenter(options))
    with ChromiumRenderer() as renderer:
        how = OrderedJobs(renderer, settings, options["areas"])
        wanted = areas_in_orders(
            source, how, shuffles=options["shuffles"], workers=options["workers"]
        )
        for one in wanted:
            found.append(one)
            ticker.tell(f"{name}: areas, {one.order}")
    yield from compared_areas(found)


def exit_unless_equal(found: Iterable[OrderedSite]) -> None:
    """Exit with 1 if anything depends on the order."""
    if not all(one.is_equal for one in found):
        sys.exit(1)


def cells(one: OrderedSite) -> list[str]:
    """Write a row."""
    survey, areas = one.survey, one.areas
    told = ["0", "-"]
    if areas is not None:
        told = [str(areas.found.pages), outcome(areas.differences)]
    return [
        *(survey.site, str(survey.found.pages), str(len(survey.orders))),
        outcome(survey.differences),
        *told,
    ]


def outcome(differences: Iterable[str]) -> str:
    """Write what differs."""
    return "; ".join(differences) or EQUAL
