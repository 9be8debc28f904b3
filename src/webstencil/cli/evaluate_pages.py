"""`webstencil evaluate ...` on labelled pages: content, templates, areas, links, fields."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from webstencil.cli.evaluate_commands import (
    evaluation,
    from_clone,
    in_clone,
    joined_words,
    with_cache,
)
from webstencil.cli.method_options import (
    PAPER,
    chosen_segmenters,
    preset_option,
    set_options,
    settings_help,
)
from webstencil.cli.options import FILE, PATH, pages_root_option
from webstencil.cli.template_options import published_tags_option, share_option
from webstencil.errors import SettingsError, SourceError
from webstencil.evaluate import clusters, content, locating, markdown, metadata, navigation
from webstencil.evaluate.hand_marked import read_marked_pages
from webstencil.evaluate.labelled_data import LeftOut, read_rows, unpacked
from webstencil.evaluate.page_types import evaluate_types
from webstencil.evaluate.segmentation import (
    SEGMENTATION_STEPS,
    evaluate_segmentation,
    nothing,
    tuning_half,
)
from webstencil.evaluate.snapshots import KeepingRenderer
from webstencil.evaluate.tables import Evaluated
from webstencil.model import Mode
from webstencil.paper.content import METHODS as PUBLISHED
from webstencil.segment import SEGMENTERS
from webstencil.settings import THRESHOLD

ALL_OF_THEM, USUAL_METHOD = "all", "default"
CONTENT_METHODS: dict[str, dict[str, content.Way]] = {
    USUAL_METHOD: {
        content.SINGLE_PAGE: content.run_single,
        content.IN_STREAM: content.run_stream,
        content.ALL_SEEN: content.run_seen,
    },
    "single": {content.SINGLE_PAGE: content.run_single},
    "stream": {content.IN_STREAM: content.run_stream},
    "seen": {content.ALL_SEEN: content.run_seen},
    "all-text": {"all text": content.run_peer(content.all_text, bytes)},
}

selectors_option = click.option(
    "--selectors",
    type=FILE,
    help="File with the content selectors of sites; their labels are in labels/ beside it.  "
    "[default: sites.json beside the folder]",
)


@evaluation("clusters")
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
def clusters_command(
    paths: Sequence[Path],
    pages_root: Path | None,
    by_body: bool,
    modes: Sequence[str],
    threshold: float,
    seed: int | None,
) -> Evaluated:
    """Score templates found without rendering against labelled pages.

    PATH is a table of labels (X.csv, with the columns path and label) of the pages in the folder X
    beside it, or a file of labelled pages (X.jsonl.xz, with site, id, html, template, and merged
    for labels that a person would call one layout).

    In default mode, every page with a label counts: a page that fits no template is a cluster of
    its own; all empty pages together are one cluster, and so are errors, redirects and framesets.
    """
    tables: dict[str, list[clusters.ClusterRow]] = {}
    for mode in modes:
        settings = clusters.ClusterSettings(mode, threshold, seed)
        sets = clusters.read_all_sets(paths, pages_root, by_body=by_body)
        tables[mode] = [clusters.measure_set(known, settings) for known in sets]
        if not tables[mode]:
            raise SourceError(f"there is no page in {joined_words(paths)}; give labelled pages")
        for row in tables[mode]:
            if not row.pages:  # it would score 1
                raise SourceError(f"no page of {row.name} has a label, or none can be read")
    return clusters.cluster_report(tables, threshold)


@evaluation("content", floors=content.CONTENT_STEPS)
@selectors_option
@click.option(
    "--method",
    "methods",
    default=USUAL_METHOD,
    show_default=True,
    help=f"Methods, separated by commas: {', '.join((*CONTENT_METHODS, *PUBLISHED))}.",
)
@pages_root_option
@published_tags_option
@share_option
@click.option("--plots", type=PATH, help="Draw Figure 6 of FastContentExtractor into this folder.")
@click.option("--peers", "with_peers", is_flag=True, help="Also score other extractors.")
@click.option(
    "--worst", type=click.IntRange(0), default=0, metavar="N", help="List the N worst pages a set."
)
def content_command(
    paths: Sequence[Path],
    selectors: Path | None,
    methods: str,
    with_peers: bool,
    worst: int,
    **options: Any,
) -> Evaluated:
    """Score main content by its words.

    PATH is a file of pages with gold (such as content.jsonl.xz), or the folder of a site whose
    content a selector gives. The published methods, ce and fastce, learn a template from the first
    pages of a site and get the tables of their paper; for a folder, give them its sites.json.
    """
    names = tuple(dict.fromkeys(name.strip() for name in methods.split(",")))
    if unknown := [name for name in names if name not in {*CONTENT_METHODS, *PUBLISHED}]:
        known = ", ".join((*CONTENT_METHODS, *PUBLISHED))
        raise SettingsError(f"there is no method {unknown[0]!r}; choose from {known}")
    published = [name for name in names if name in PUBLISHED]
    ways = {name: way for method in names for name, way in CONTENT_METHODS.get(method, {}).items()}
    found: list[Evaluated] = []
    if published:
        tables = from_clone(
            "research.papers.published_content:evaluate_published", f"--method {published[0]}"
        )
        found += [tables(path, published, **options) for path in paths]
    if ways:
        left_out: list[str] = []
        pages = read_content(paths, selectors, left_out.append)
        peers = from_clone("research.peers:content_peers", "--peers")() if with_peers else {}
        found.append(content.evaluate_content(pages, ways | peers, worst, left_out))
    return found[0] if len(found) == 1 else found_together(found)


def found_together(found: Sequence[Evaluated]) -> Evaluated:
    """Put what was found one after the other."""
    return Evaluated(
        [part for one in found for part in one.parts],
        [one.values for one in found],
        measured=[part for one in found for part in one.measured],
        left_out=[url for one in found for url in one.left_out],
    )


def read_content(
    paths: Sequence[Path], selectors: Path | None, left_out: LeftOut
) -> list[content.ContentGold]:
    """Read the pages of all files and folders."""
    pages = [page for path in paths for page in content.read_gold(path, selectors, left_out)]
    if not pages:
        raise SourceError(f"{joined_words(paths)} has no page with gold; give labelled pages")
    return pages


@evaluation("losses", "all counts")
@selectors_option
def losses_command(paths: Sequence[Path], selectors: Path | None) -> Evaluated:
    """Count the elements inside a site's content selector that the content has lost, by tag.

    PATH is the folder of a site. An element is lost if less than half of its text is in the
    content. Precision is the share of the content's characters inside the selector; the heading of
    a page counts neither for nor against it, if the selector leaves it out.
    """
    return content.evaluate_losses(paths, selectors)


@evaluation("types", "all counts")
def types_command(paths: Sequence[Path]) -> Evaluated:
    """Score the types of pages: of each page alone, and as the pages of its template vote.

    PATH is a file of pages with `page_type` (such as wcxb-dev.jsonl.xz), or of whole sites with
    labels of templates that tell the type (such as template-sites.jsonl.xz). Pages vote where the
    file has whole sites.
    """
    return evaluate_types(paths)


@evaluation("locating", "all answers")
@click.option(
    "--mode",
    type=click.Choice([USUAL_METHOD, Mode.PAPER.value]),
    default=USUAL_METHOD,
    show_default=True,
    help="Search by evidence, or by descriptors as in the mapping paper.",
)
@click.option(
    "--pick",
    "which",
    type=click.Choice(["field", "first"]),
    default="field",
    show_default=True,
    help="Which of several nodes with the value to pick: the field, or the first on the page.",
)
@click.option("--sites", type=click.IntRange(1), default=1, metavar="N", help="Take one site in N.")
def locating_command(path: Path, mode: str, which: str, sites: int) -> Evaluated:
    """Score picks: attributes picked on one page, found on the others.

    PATH is a file X.jsonl.xz of pages with the texts of their attributes, such as SWDE's.
    """
    left_out: list[str] = []
    known = locating.read_attribute_sites(path, left_out.append)[::sites]
    paper = mode == Mode.PAPER.value
    return locating.evaluate_picks(known, left_out, paper=paper, first=which == "first")


@evaluation("markdown", "all pages and totals")
@click.option("--whole", is_flag=True, help="Write whole pages, not their main content.")
@click.option("--missing", is_flag=True, help="List what is missing, page by page.")
def markdown_command(paths: Sequence[Path], whole: bool, missing: bool) -> Evaluated:
    """Score the Markdown of pages by the features it keeps.

    FILE has pages with the Markdown that is expected of them (such as markdown.jsonl.xz). A page
    counts if all it should have is there: the languages of code blocks, formulas, footnotes,
    callouts, tables.
    """
    left_out: list[str] = []
    rows = (row for path in paths for row in read_rows(path, markdown.MARKDOWN_KEYS))
    pages = list(markdown.score_rows(rows, whole=whole, left_out=left_out.append))
    if not pages:
        raise SourceError(f"{joined_words(paths)} has no page; give pages with Markdown")
    return markdown.evaluate_markdown(pages, left_out, missing=missing)


@evaluation("metadata")
@click.option("--peers", "with_peers", is_flag=True, help="Also score trafilatura and htmldate.")
@click.option("--worst", is_flag=True, help="List what was found wrong, and what was missed.")
def metadata_command(path: Path, with_peers: bool, worst: bool) -> Evaluated:
    """Score title, date and author of pages against gold.

    FILE has pages with their title, date, author and page type, such as wcxb-dev.jsonl.xz. Each
    page is judged alone. A title is right if it has the same words in the same order, a date if it
    is the same day, authors if the same names were found. Of titles, "near" is the share that is
    right but for a name before or behind a separator, "alike" the mean word F1.
    """
    left_out: list[str] = []
    pages = [gold for gold, _ in metadata.read_metadata_gold(path, left_out.append)]
    if not pages:
        raise SourceError(f"{path} has no page that can be read; give labelled pages")
    peers = from_clone("research.peers:metadata_peers", "--peers")() if with_peers else {}
    methods: dict[str, metadata.FactsOf] = {metadata.OWN_METHOD: metadata.own_facts, **peers}
    return metadata.evaluate_metadata(pages, methods, left_out, worst=worst)


@evaluation("navigation", floors=navigation.NAVIGATION_STEPS)
@click.option(
    "--part",
    "parts",
    type=click.Choice(navigation.NAVIGATION_PARTS),
    multiple=True,
    help="What to score (repeatable).  [default: all]",
)
@click.option("--plots", type=PATH, help="Draw Figures 5 to 7 into this folder.")
@with_cache
def navigation_command(
    path: Path, parts: Sequence[str], plots: Path | None, cache: Path
) -> Evaluated:
    """Score blocks of links, menus and pagination links.

    PATH is a folder of marked pages (X.dom.html, X.blocks.html), a file X.jsonl.xz of marked
    pagination links, or a folder that has archives of the former, the latter, and whole sites.
    """
    make = navigation.PART_TABLES
    tables = "research.training.navigation:trained_tables"
    if (trained := in_clone(tables)) or "classes" in parts:
        make = trained() if trained else from_clone(tables, "--part classes")
    parts = parts or navigation.NAVIGATION_PARTS
    data = navigation.NavigationData(path, cache)
    found = navigation.evaluate_navigation(data, parts, plots, make)
    if not found.values:
        raise SourceError(f"{path} has no labelled data for {', '.join(parts)}")
    return found


@evaluation("segmentation", floors=SEGMENTATION_STEPS)
@click.option(
    "--with",
    "names",
    type=click.Choice([ALL_OF_THEM, *sorted(SEGMENTERS)]),
    multiple=True,
    default=(ALL_OF_THEM,),
    show_default=True,
    help="Segmenter (repeatable).",
)
@set_options
@preset_option
@settings_help
@click.option(
    "--half",
    "which",
    type=click.Choice([ALL_OF_THEM, "tune", "check"]),
    default=ALL_OF_THEM,
    show_default=True,
    help="All pages, the half to tune settings on, or the other half.",
)
@click.option("--oracle", is_flag=True, help="Also score the best setting of each page.")
@with_cache
def segmentation_command(
    path: Path,
    names: Sequence[str],
    values: Sequence[str],
    preset: str | None,
    which: str,
    oracle: bool,
    cache: Path,
) -> Evaluated:
    """Score segmenters against hand-marked blocks.

    PATH is a folder with pages X.dom.html and X.blocks.html, or a tar archive of it.
    """
    chosen = () if ALL_OF_THEM in names else names
    methods = chosen_segmenters(chosen, values, published=preset == PAPER)
    also = from_clone("research.bench.ablations:best_settings", "--oracle") if oracle else nothing
    left_out: list[str] = []
    known = tuple(read_marked_pages(unpacked(path, cache), left_out.append))
    pages = tuning_half(known, which)
    with KeepingRenderer(cache / "snapshots") as renderer:
        return evaluate_segmentation(pages, methods, renderer, left_out, also)
