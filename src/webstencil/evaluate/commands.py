"""The commands that measure: `webstencil evaluate ...`."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TypedDict, Unpack

import click

from webstencil import screen
from webstencil.errors import SettingsError, SourceError
from webstencil.evaluate import clusters, fidelity, fidelity_report, mapping, mapping_report
from webstencil.evaluate.archives import unpacked
from webstencil.evaluate.compare import FINEST, GRAINS
from webstencil.evaluate.crawl_commands import crawl_evaluation
from webstencil.evaluate.floors import Measured
from webstencil.evaluate.floors_commands import floors_options, hold
from webstencil.evaluate.gallery import make_gallery
from webstencil.evaluate.kreuzer import LabelledPage, corpus, read_pages
from webstencil.evaluate.locating_commands import locating_command
from webstencil.evaluate.navigation.commands import navigation_command, train_command
from webstencil.evaluate.order import Crawled
from webstencil.evaluate.pictures import draw_worst
from webstencil.evaluate.published import PUBLISHED, SOURCE, PublishedRow
from webstencil.evaluate.segmentation import (
    FLOOR_STEPS,
    Mean,
    PageScore,
    Row,
    average,
    half,
    held_scores,
    paint,
    score_pages,
)
from webstencil.evaluate.snapshots import KeepingRenderer, cache_folder
from webstencil.match import THRESHOLD
from webstencil.run.commands import ToldGroup, audit_option
from webstencil.seams import Segmenter
from webstencil.segment import SEGMENTERS, make_segmenter
from webstencil.settings import Mode, Settings
from webstencil.sources import Folder

ALL = "all"
SUMS = ("P", "R", "F", "F*")
TITLES = {
    "1": "against the {blocks:.1f} blocks of level 1 a page",
    "2": "against the {blocks:.1f} blocks of level 2 a page",
    FINEST: "against the smallest block around each node ({blocks:.1f} a page)",
}

cache_option = click.option(
    "--cache",
    type=click.Path(path_type=Path),
    help="Folder for snapshots and unpacked pages; the user's cache folder if not given.",
)


@click.group(cls=ToldGroup)
def evaluate() -> None:
    """Measure how good the results are."""


evaluate.add_command(locating_command)
evaluate.add_command(navigation_command)
evaluate.add_command(train_command)
evaluate.add_command(crawl_evaluation)


class Wanted(TypedDict):
    """What a person asks for."""

    path: Path
    names: tuple[str, ...]
    values: tuple[str, ...]
    which: str
    oracle: bool
    as_json: bool
    cache: Path | None
    floors: Path | None
    new_floors: bool


@evaluate.command("segmentation")
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--with",
    "names",
    type=click.Choice([ALL, *sorted(SEGMENTERS)]),
    multiple=True,
    default=(ALL,),
    show_default=True,
    help="A segmenter; may be given several times.",
)
@click.option(
    "--set", "values", metavar="NAME=VALUE", multiple=True, help="A setting of the one segmenter."
)
@click.option(
    "--half",
    "which",
    type=click.Choice([ALL, "tune", "check"]),
    default=ALL,
    show_default=True,
    help="Take all pages, those on which settings are chosen, or the others.",
)
@click.option("--oracle", is_flag=True, help="Score also the best setting of each page.")
@click.option("--json", "as_json", is_flag=True, help="Print all scores as JSON.")
@floors_options
@cache_option
def segmentation_command(**wanted: Unpack[Wanted]) -> None:
    """Score segmenters against hand-marked blocks.

    PATH is a folder with pages X.dom.html and X.blocks.html, or a tar archive of one.
    """
    methods = chosen(wanted["names"], wanted["values"])
    cache = wanted["cache"] or cache_folder()
    pages = half(tuple(read_pages(unpacked(wanted["path"], cache))), wanted["which"])
    with KeepingRenderer(cache / "snapshots") as renderer:
        cases = [paint(page, renderer) for page in pages]
    scores = score_pages(cases, methods, oracle=wanted["oracle"])
    rows = average(scores)
    if wanted["as_json"]:
        screen.say(report(pages, rows, scores))
    else:
        show_tables(rows)
        show_notes(pages, scores)
    measured = Measured(corpus(pages), held_scores(rows))
    hold(wanted["floors"], [measured], FLOOR_STEPS, new=wanted["new_floors"])


def chosen(names: Sequence[str], values: Sequence[str]) -> dict[str, Segmenter]:
    """Return the segmenters that are wanted, by name."""
    kept = sorted(SEGMENTERS) if ALL in names else list(dict.fromkeys(names))
    if values and len(kept) != 1:
        raise SettingsError(f"--set is for one segmenter, not for {len(kept)}; choose it by --with")
    return {name: make_segmenter(name, values) for name in kept}


def show_tables(rows: Sequence[Row]) -> None:
    """Print a table for each grain, then what others have published."""
    blocks = {row.grain: row.areas for row in rows if row.method == "by hand"}
    for grain in GRAINS:
        below_it = [row for row in rows if row.grain == grain and row.method != "by hand"]
        if below_it:
            pages = f"{below_it[0].pages} pages, "
            show_table(pages + TITLES[grain].format(blocks=blocks[grain]), below_it)
    show_table(SOURCE, PUBLISHED)


def show_table(title: str, rows: Sequence[Row | PublishedRow]) -> None:
    """Print precision, recall, F and F* of each method."""
    sums = [f"{name} {sum_}" for name in ("nodes", "chars", "pixels") for sum_ in SUMS]
    table = screen.plain_table("method", *sums, "areas", "s/page", "failed", title=title)
    for row in rows:
        cells = [row.method]
        for mean in (row.nodes, row.characters, row.pixels):
            cells += figures(mean, digits=3 if isinstance(row, Row) else 2)
        cells.append(f"{row.areas:.1f}")
        if isinstance(row, Row):
            cells += (f"{row.seconds:.3f}", str(row.failed))
        table.add_row(*cells)
    screen.show(table)
    screen.say("")


def figures(mean: Mean, digits: int) -> Iterator[str]:
    """Write precision, recall, F and F*."""
    for value in (mean.precision, mean.recall, mean.f, mean.f_star):
        yield f"{value:.{digits}f}"


def show_notes(pages: Sequence[LabelledPage], scores: Sequence[PageScore]) -> None:
    """Name the pages that failed or are not what they should be."""
    for page in pages:
        if page.swapped:
            screen.say(f"{page.name}: X.dom.html is another page; painted X.blocks.html unlabelled")
        if page.lost:
            screen.say(f"{page.name}: {page.lost} labels are of nodes that X.dom.html has not")
    failed = {(score.method, score.page): score.problem for score in scores if score.problem}
    for (method, name), problem in failed.items():
        screen.say(f"{method} failed on {name}, which counts as left whole: {problem}")


def report(pages: Sequence[LabelledPage], rows: Sequence[Row], scores: Sequence[PageScore]) -> str:
    """Write all scores as JSON."""
    return json.dumps(
        {
            "corpus": corpus(pages),
            "pages": [
                {"name": page.name, "lost_labels": page.lost, "swapped": page.swapped}
                for page in pages
            ],
            "rows": [asdict(row) for row in rows],
            "scores": [asdict(score) for score in scores],
            "published": {"source": SOURCE, "rows": [asdict(row) for row in PUBLISHED]},
        },
        indent=1,
    )


@evaluate.command("gallery")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("build/gallery"),
    show_default=True,
    help="Folder to write.",
)
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    envvar="WEBSTENCIL_DATA",
    default=Path("../shared/data"),
    show_default=True,
    help="Folder with kreuzer-popular.tar.xz and sites/*.tar.xz.",
)
@cache_option
def gallery_command(out: Path, data: Path, cache: Path | None) -> None:
    """Draw what all segmenters find, side by side, on real pages and on the demo site."""
    for words in make_gallery(out, data, cache or cache_folder()):
        screen.say(words)


def sites_in(folders: Sequence[Path]) -> list[tuple[str, Folder]]:
    """Open the folders of sites, with their names; refuse an empty one before the work begins."""
    sites = [(folder.resolve().name, Folder(folder)) for folder in folders]
    for name, source in sites:
        if not source.count():
            raise SourceError(f"there is no page in the folder {name}; name the folder of a site")
    return sites


@evaluate.command("mapping")
@click.argument(
    "paths", metavar="PATH...", type=click.Path(path_type=Path), nargs=-1, required=True
)
@click.option("--pages", type=click.IntRange(min=2), help="Take so many pages of each site.")
@click.option(
    "--with",
    "name",
    type=click.Choice(sorted(SEGMENTERS)),
    default="vips",
    show_default=True,
    help="The segmenter.",
)
@click.option("--json", "as_json", is_flag=True, help="Print all counters as JSON.")
@cache_option
def mapping_command(
    paths: tuple[Path, ...], pages: int | None, name: str, as_json: bool, cache: Path | None
) -> None:
    """Map areas by full and compact descriptors, one by one: Table I of the mapping paper.

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


@evaluate.command("fidelity")
@click.argument(
    "folders", metavar="SITE_FOLDER...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option(
    "--with", "name", type=click.Choice(sorted(SEGMENTERS)), default="vips", show_default=True
)
@click.option(
    "--mode",
    type=click.Choice([mode.value for mode in Mode]),
    default=Settings().mode.value,
    show_default=True,
)
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
@click.option("--json", "as_json", is_flag=True, help="Print all scores as JSON.")
@cache_option
def fidelity_command(**wanted: Unpack[FidelityWanted]) -> None:
    """Compare pages that hit a stencil with their own rendering and segmentation.

    Pages come in crawl order; stubs that only lead on to another page are left out.
    """
    segmenter = make_segmenter(wanted["name"], ())
    settings = Settings(segmenter, Mode(wanted["mode"]), audit=wanted["audit"])
    plan = fidelity.Plan(
        settings, wanted["pages"], wanted["every"], wanted["sample"], wanted["seed"]
    )
    sites = sites_in(wanted["folders"])
    rows: list[fidelity.SiteRow] = []
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


class ClustersWanted(TypedDict):
    """What a person asks for."""

    paths: tuple[Path, ...]
    pages_root: Path | None
    modes: tuple[str, ...]
    threshold: float
    seed: int | None
    as_json: bool


@evaluate.command("clusters")
@click.argument(
    "paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option(
    "--pages-root",
    type=click.Path(path_type=Path),
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
@click.option("--json", "as_json", is_flag=True, help="Print all scores as JSON.")
def clusters_command(**wanted: Unpack[ClustersWanted]) -> None:
    """Compare the templates that are told apart, without any rendering, with labels.

    PATH is a table of labels (path,label), or a file X.jsonl.xz of labelled pages.
    """
    tables: dict[str, list[clusters.ClusterRow]] = {}
    for mode in wanted["modes"]:
        plan = clusters.Plan(mode, wanted["threshold"], wanted["seed"])
        sets = [clusters.read_sets(path, wanted["pages_root"]) for path in wanted["paths"]]
        tables[mode] = [clusters.measure(known, plan) for known in chain.from_iterable(sets)]
    if wanted["as_json"]:
        screen.say(clusters.report(tables))
        return
    for mode, rows in tables.items():
        distance = f", distance at most {wanted['threshold']:g}" if mode == clusters.PAPER else ""
        clusters.show(f"mode {mode}{distance}", rows)
