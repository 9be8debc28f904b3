"""`webstencil evaluate ...`: the commands that measure, and the option that most of them have."""

import click

from webstencil.cli.lazy_commands import LazyCommand, LazyGroup
from webstencil.cli.shared_options import PATH

EVALUATIONS = (
    LazyCommand(
        "clusters",
        "webstencil.cli.evaluate_clusters:clusters_command",
        "Compare the templates that are told apart, without any rendering, with labels.",
    ),
    LazyCommand(
        "content",
        "webstencil.cli.evaluate_content:content_command",
        "Score the main content of pages: precision, recall and F1 of its words.",
    ),
    LazyCommand(
        "crawl",
        "research.papers.crawl_commands:crawl_evaluation",
        "Crawl sites and print the CPS paper's Tables 1 to 4: clusters, hit ratio, time saved.",
    ),
    LazyCommand(
        "fidelity",
        "webstencil.cli.evaluate_fidelity:fidelity_command",
        "Compare pages that hit a stencil with their own rendering and segmentation.",
    ),
    LazyCommand(
        "gallery",
        "research.gallery_commands:gallery_command",
        "Draw what all segmenters find, side by side, on real pages and on the demo site.",
    ),
    LazyCommand(
        "headlines",
        "research.items.item_commands:headlines_command",
        "Compare headlines and bodies, by size and by kind, with titles and content of articles.",
    ),
    LazyCommand(
        "locating",
        "webstencil.cli.evaluate_locating:locating_command",
        "Pick attributes on one page and find them on the other pages of each site.",
    ),
    LazyCommand(
        "mapping",
        "research.papers.mapping_command:mapping_command",
        "Map areas by full and compact descriptors, one by one: Table I of the mapping paper.",
    ),
    LazyCommand(
        "navigation",
        "webstencil.cli.evaluate_navigation:navigation_command",
        "Score blocks of links and what they are taken for.",
    ),
    LazyCommand(
        "products",
        "research.items.item_commands:products_command",
        "Compare the products of pages with their prices: PATH is a file like swde.jsonl.xz.",
    ),
    LazyCommand(
        "rows",
        "research.items.item_commands:rows_command",
        "Compare the rows of list pages with the articles that these pages link to.",
    ),
    LazyCommand(
        "segmentation",
        "webstencil.cli.evaluate_segmentation:segmentation_command",
        "Score segmenters against hand-marked blocks.",
    ),
    LazyCommand(
        "train-content",
        "research.training.train_commands:train_content",
        "Fit the weights of the content score to labelled pages and write them as a module.",
    ),
    LazyCommand(
        "train-navigation",
        "research.training.train_commands:train_navigation",
        "Fit the models of navigation to labelled pages and write them as JSON.",
    ),
)

cache_option = click.option(
    "--cache",
    type=PATH,
    help="Folder for snapshots and unpacked pages; the user's cache folder if not given.",
)


@click.group(cls=LazyGroup, commands=EVALUATIONS)
def evaluate() -> None:
    """Measure how good the results are."""
