"""`webstencil evaluate ...`: its commands, and the option that most of them have."""

import click

from webstencil.cli.commands import LazyCommand, LazyGroup
from webstencil.cli.options import PATH

EVALUATIONS = (
    LazyCommand(
        "clusters",
        "webstencil.cli.evaluate_clusters:clusters_command",
        "Score templates found without rendering against labelled pages.",
    ),
    LazyCommand(
        "content",
        "webstencil.cli.evaluate_content:content_command",
        "Score main content by its words.",
    ),
    LazyCommand(
        "crawl",
        "research.papers.crawl_evaluation:crawl_evaluation",
        "Crawl sites and print Tables 1 to 4 of the CPS paper.",
    ),
    LazyCommand(
        "fidelity",
        "webstencil.cli.evaluate_fidelity:fidelity_command",
        "Compare the areas of hits with what renderings say.",
    ),
    LazyCommand(
        "gallery",
        "research.gallery_commands:gallery_command",
        "Draw the areas of all segmenters side by side.",
    ),
    LazyCommand(
        "growth",
        "webstencil.cli.evaluate_growth:growth_command",
        "Measure how the plan of renderings grows with the pages of a site.",
    ),
    LazyCommand(
        "headlines",
        "research.items.item_commands:headlines_command",
        "Score headlines and bodies against titles and content of articles.",
    ),
    LazyCommand(
        "landmarks",
        "webstencil.cli.evaluate_landmarks:landmarks_command",
        "Score the areas of sites against the landmarks that authors set.",
    ),
    LazyCommand(
        "locating",
        "webstencil.cli.evaluate_locating:locating_command",
        "Score picks: attributes picked on one page, found on the others.",
    ),
    LazyCommand(
        "losses",
        "webstencil.cli.evaluate_page_types:losses_command",
        "Count the elements inside a site's content selector that the content has lost, by tag.",
    ),
    LazyCommand(
        "mapping",
        "research.papers.mapping_command:mapping_command",
        "Locate areas by descriptors and print Table I of the mapping paper.",
    ),
    LazyCommand(
        "markdown",
        "webstencil.cli.evaluate_markdown:markdown_command",
        "Score the Markdown of pages by the features it keeps.",
    ),
    LazyCommand(
        "metadata",
        "webstencil.cli.evaluate_metadata:metadata_command",
        "Score title, date and author of pages against gold.",
    ),
    LazyCommand(
        "navigation",
        "webstencil.cli.evaluate_navigation:navigation_command",
        "Score blocks of links, menus and pagination links.",
    ),
    LazyCommand(
        "order",
        "webstencil.cli.evaluate_order:order_command",
        "Check that results do not depend on the order of pages or on workers.",
    ),
    LazyCommand(
        "products",
        "research.items.item_commands:products_command",
        "Score the prices of products.",
    ),
    LazyCommand(
        "rows",
        "research.items.item_commands:rows_command",
        "Score the rows of list pages against the articles they link to.",
    ),
    LazyCommand(
        "segmentation",
        "webstencil.cli.evaluate_segmentation:segmentation_command",
        "Score segmenters against hand-marked blocks.",
    ),
    LazyCommand(
        "train-content",
        "research.training.train_commands:train_content",
        "Train the models of main content on labelled pages.",
    ),
    LazyCommand(
        "train-types",
        "research.training.train_commands:train_types",
        "Train the model of page types on labelled pages.",
    ),
    LazyCommand(
        "train-metadata",
        "research.training.train_commands:train_metadata",
        "Train the weights of title, date and author on labelled pages.",
    ),
    LazyCommand(
        "train-navigation",
        "research.training.train_commands:train_navigation",
        "Train the models of navigation on labelled pages.",
    ),
    LazyCommand(
        "types",
        "webstencil.cli.evaluate_page_types:types_command",
        "Score the types of pages: of each page alone, and as the pages of its template vote.",
    ),
)

cache_option = click.option(
    "--cache", type=PATH, help="Folder for snapshots and unpacked pages.  [default: user cache]"
)


@click.group(cls=LazyGroup, commands=EVALUATIONS)
def evaluate() -> None:
    """Measure the quality of results."""
