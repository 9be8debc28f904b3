"""`webstencil evaluate ...` on whole sites: any source of `webstencil run`, with a short name."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial, wraps
from pathlib import Path, PurePath
from typing import Any, Unpack

import click

from webstencil.cli import screen
from webstencil.cli.evaluate_commands import evaluation, from_clone, with_cache
from webstencil.cli.jobs import audit_option
from webstencil.cli.method_options import (
    MethodOptions,
    chosen_segmenter,
    method_settings,
    with_method,
    with_segmenter,
)
from webstencil.cli.options import FILE
from webstencil.cli.screen import survey_words
from webstencil.errors import SourceError
from webstencil.evaluate import fidelity, growth, landmarks, orders
from webstencil.evaluate.site_pages import SiteSample
from webstencil.evaluate.snapshots import AREAS_FOLDER, KeepingRenderer, KeepingSegmenter
from webstencil.evaluate.tables import Evaluated
from webstencil.model import Mode, RawPage
from webstencil.output.plot import check_plot
from webstencil.protocols import Segmenter
from webstencil.render import ChromiumRenderer
from webstencil.settings import Settings
from webstencil.sources import Several, open_sources

JUDGED = 30  # hits of a site, in paper mode
RANDOM_ORDER, LISTED_ORDER = "random", "listed"
PAGES_OF_SITE = 40  # whose areas are compared

pages_option = click.option(
    "--pages", type=click.IntRange(1), help="Take the first pages of a site only."
)
budget_option = click.option(
    "--budget",
    type=click.IntRange(1),
    help="Most pages to render for the areas of a site.  [default: as a job]",
)


def given_segmenter(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that choose and set a segmenter; the command gets it."""

    @wraps(command)
    def run(name: str, values: tuple[str, ...], preset: str | None, **options: Any) -> Any:
        chosen = chosen_segmenter({"name": name, "values": values, "preset": preset})
        return command(segmenter=chosen, **options)

    return with_segmenter(run)


def open_sites(arguments: Sequence[str]) -> dict[str, Several]:
    """Open the sources that the user names, by their short names."""
    names = short_names(list(dict.fromkeys(arguments)))
    return {short: open_sources([argument]) for argument, short in names.items()}


def short_names(arguments: Sequence[str]) -> dict[str, str]:
    """Return for each path the shortest end of it that no other one has.

    >>> short_names(["manuals/erlang/html", "manuals/grass/html", "blog"])
    {'manuals/erlang/html': 'erlang/html', 'manuals/grass/html': 'grass/html', 'blog': 'blog'}
    """
    ends = {argument: list(map(str, ends_of(argument))) for argument in arguments}
    return {
        argument: next(
            (end for end in own if not any(end in ends[one] for one in ends if one != argument)),
            argument,
        )
        for argument, own in ends.items()
    }


def ends_of(path: str) -> Iterator[PurePath]:
    """Yield the ends of a path, the shortest first."""
    parts = PurePath(path).parts
    for count in range(1, len(parts) + 1):
        yield PurePath(*parts[-count:])


def shown_name(source: str, site: str, sites: int) -> str:
    """Return what to call a site of a source that has so many."""
    return source if sites == 1 else f"{source}: {site}"


def refuse_none(name: str, pages: float) -> None:
    """Raise if a site has no page that can be read."""
    if not pages:
        raise SourceError(f"there is no page in {name}; give the folder of a site")


class FidelityOptions(MethodOptions):
    """Options of `webstencil evaluate fidelity`."""

    sites: tuple[str, ...]
    pages: int | None
    sample: int | None
    seed: int
    budget: int | None
    every: int
    audit: int
    pictures: Path | None
    cache: Path


@evaluation("fidelity")
@with_method
@pages_option
@click.option(
    "--sample",
    type=click.IntRange(1),
    help=f"Of these, take so many random ones; in paper mode, hits to judge  [default: {JUDGED}].",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed for the choice.")
@budget_option
@click.option(
    "--every", type=click.IntRange(1), default=1, metavar="N", help="Paper mode: one page in N."
)
@audit_option
@click.option(
    "--pictures",
    type=click.Path(path_type=Path, file_okay=False),
    help="Draw the worst hits of each site into this folder.",
)
@with_cache
def fidelity_command(**options: Unpack[FidelityOptions]) -> Evaluated:
    """Compare the areas of hits with what renderings say.

    In the default mode every page of the sample is rendered. Hits are compared with the areas of
    the site that all these pages decide on together, and with the page's own areas.

    In paper mode some hits are compared with their own renderings. Pages come in crawl order, and
    those that only redirect are left out.
    """
    settings = replace(method_settings(options), audit=options["audit"], budget=options["budget"])
    pages, sample, seed = options["pages"], options["sample"], options["seed"]
    cache = options["cache"]
    keeping = KeepingSegmenter(settings.segmenter, cache / AREAS_FOLDER)
    wanted = fidelity.SiteFidelitySettings(settings, keeping, SiteSample(pages, sample, seed))
    measure: Callable[..., Any] = partial(fidelity.measure_site, wanted)
    show: Callable[..., Evaluated] = fidelity.show_fidelity
    title = options["name"]
    if settings.mode is Mode.PAPER:
        measure, show = from_clone("research.papers.fidelity:in_paper_mode", "--mode paper")(
            settings, pages=pages, every=options["every"], sample=sample or JUDGED, seed=seed
        )
        title += f", mode {options['mode']}"
    rows: list[Any] = []
    scores: list[Any] = []
    ticker = screen.Ticker()
    with KeepingRenderer(cache / "snapshots") as renderer:
        for site, source in open_sites(options["sites"]).items():
            row, judged = measure(site, source, renderer, renderer.renderer)
            refuse_none(site, row.pages)
            ticker.tell(f"{site}: measured")
            rows.append(row)
            scores += judged
            if options["pictures"]:
                fidelity.draw_worst(judged, source, settings, options["pictures"])
    return show(title, rows, scores)


@evaluation("growth", "all steps")
@given_segmenter
@click.option(
    "--order",
    type=click.Choice([RANDOM_ORDER, LISTED_ORDER]),
    default=RANDOM_ORDER,
    show_default=True,
    help="Survey random pages first, or the first ones.",
)
@click.option(
    "--halves",
    type=click.IntRange(1),
    default=9,
    show_default=True,
    metavar="N",
    help="Random halves of the pages whose plans the plan of all pages is compared with.",
)
@click.option(
    "--render",
    is_flag=True,
    help="Run whole jobs instead, with renderings; seconds are of the clock.",
)
@click.option(
    "--size",
    "sizes",
    type=click.IntRange(1),
    multiple=True,
    metavar="N",
    help="With --render: take N pages (repeatable).  [default: 250, 500, ... all]",
)
@click.option(
    "--plot",
    "plot_path",
    type=FILE,
    help="Plot renderings and covered text against pages, as PNG or SVG.",
)
def growth_command(
    sites: Sequence[str],
    segmenter: Segmenter,
    order: str,
    halves: int,
    render: bool,
    sizes: Sequence[int],
    plot_path: Path | None,
) -> Evaluated:
    """Measure how the plan of renderings grows with the pages of a site.

    SITE is a source of `webstencil run`. It is surveyed with 250, 500, 1,000, ... pages, with half
    of them and with all. Covered text is that of all its pages, also of those not surveyed. Nothing
    is rendered, unless asked for. Seconds are of the processor.
    """
    if render:
        return run_jobs(open_sites(sites), Settings(segmenter), sizes, listed=order == LISTED_ORDER)
    if plot_path is not None:
        check_plot(plot_path)
    found = [
        growth_of_site
        for name, source in open_sites(sites).items()
        for growth_of_site in growth_of_sites(name, source, halves if order == RANDOM_ORDER else 0)
    ]
    if plot_path is not None:
        growth.draw_growth(found, plot_path)
    return growth.show_growth(found)


def growth_of_sites(name: str, source: Several, halves: int) -> Iterator[growth.SiteGrowth]:
    """Measure the sites of a source, in so many random orders or as they are listed."""
    left_out: list[str] = []
    pages = growth.timed_pages(ticked_pages(source.pages(), source.count()), left_out.append)
    sites = growth.pages_by_site(pages)
    screen.tell_left_out(left_out)
    refuse_none(name, len(sites))
    for site, members in sites.items():
        shuffled = [growth.at_random(members, draw) for draw in range(halves)]
        yield growth.site_growth(shown_name(name, site, len(sites)), shuffled or [members])


def ticked_pages(pages: Iterator[RawPage], total: int | None) -> Iterator[RawPage]:
    """Yield pages; say now and then how many there were."""
    ticker = screen.Ticker()
    for number, page in enumerate(pages, start=1):
        yield page
        ticker.tell(survey_words(number, total))


def run_jobs(
    sites: dict[str, Several], settings: Settings, sizes: Sequence[int], *, listed: bool
) -> Evaluated:
    """Run jobs over more and more pages of each site, and show what they did."""
    found: list[growth.RunGrowth] = []
    ticker = screen.Ticker()
    for name, source in sites.items():
        steps: list[growth.RunStep] = []
        for step in growth.run_steps(source, settings, listed=listed, only=sizes):
            steps.append(step)
            ticker.tell(f"{name}: {step.pages:,} pages, {step.rendered} rendered")
        refuse_none(name, len(steps))
        found.append(growth.RunGrowth(name, tuple(steps)))
    return growth.show_runs(found)


@evaluation("landmarks")
@given_segmenter
@pages_option
@click.option("--sample", type=click.IntRange(1), help="Of these, take so many random ones.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed for random pages.")
@budget_option
@with_cache
def landmarks_command(
    sites: Sequence[str],
    segmenter: Segmenter,
    pages: int | None,
    sample: int | None,
    seed: int,
    budget: int | None,
    cache: Path,
) -> Evaluated:
    """Score the areas of sites against the landmarks that authors set.

    Every page is rendered for its own areas. Those of the site are decided by the planned pages,
    and by all pages. Names of landmarks are hidden from the program. Scores are means over pages
    with three landmarks or more.
    """
    keeping, chosen = (
        KeepingSegmenter(segmenter, cache / AREAS_FOLDER),
        SiteSample(pages, sample, seed),
    )
    wanted = landmarks.LandmarkSettings(keeping, chosen, budget)
    rows: list[landmarks.LandmarkRow] = []
    ticker = screen.Ticker()
    with KeepingRenderer(cache / "snapshots") as renderer:
        for name, source in open_sites(sites).items():
            rows.append(landmarks.measure_landmarks(name, source, wanted, renderer))
            refuse_none(name, rows[-1].pages + rows[-1].failed)
            ticker.tell(f"{name}: measured")
    return landmarks.show_landmarks(rows)


@evaluation("order", "all hashes and differences")
@given_segmenter
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
    default=PAGES_OF_SITE,
    show_default=True,
    metavar="N",
    help="Compare the areas of the first N pages of a site; 0 for none.",
)
def order_command(
    sites: Sequence[str],
    segmenter: Segmenter,
    shuffles: int,
    workers: Sequence[int],
    areas: int,
) -> Evaluated:
    """Check that results do not depend on the order of pages or on workers.

    SITE is a source of `webstencil run`. Its pages are surveyed as listed, shuffled, and by several
    workers; model, templates and plan must be the same to the last byte. So must be the areas of
    its first pages, with their slots and all results; each time, planned pages are rendered anew.
    Exits with 1 if anything differs. All pages of a site are held in memory.
    """
    found: list[orders.OrderedSite] = []
    for name, source in open_sites(sites).items():
        readings = orders.surveys_in_orders(source, shuffles=shuffles, workers=workers)
        surveys = ticked(f"{name}: surveyed", readings)
        rows = list(orders.compared_orders(surveys, orders.SurveyDigests()))
        refuse_none(name, len(rows))
        by_site: dict[str, orders.OrderRow[orders.AreaDigests]] = {}
        if areas:
            with ChromiumRenderer() as renderer:
                how = orders.OrderedJobs(renderer, Settings(segmenter), areas)
                jobs = orders.areas_in_orders(source, how, shuffles=shuffles, workers=workers)
                compared = orders.compared_orders(
                    ticked(f"{name}: areas", jobs), orders.AreaDigests()
                )
                by_site = {row.site: row for row in compared}
        for row in rows:
            shown = shown_name(name, row.site, len(rows))
            found.append(orders.OrderedSite(replace(row, site=shown), by_site.get(row.site)))
    return orders.show_orders(found)


def ticked(
    what: str, found: Iterator[orders.InOrder[orders.Digests]]
) -> list[orders.InOrder[orders.Digests]]:
    """List what is found in several orders; say now and then which it was."""
    ticker = screen.Ticker()
    rows = []
    for one in found:
        rows.append(one)
        ticker.tell(f"{what}, {one.order}")
    return rows
