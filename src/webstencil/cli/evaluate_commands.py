"""`webstencil evaluate ...`: the table of all evaluations, and what makes their commands.

A command is a function of its own options that returns what it found. The rest is the same for all:
the data that is measured, `--format` and `--json`, `--floors`, what was left out, the exit code.
"""

import json
import sys
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from webstencil.cli.commands import LazyCommand, LazyGroup
from webstencil.cli.options import FILE, PATH, json_option, table_option
from webstencil.errors import WebstencilError

if TYPE_CHECKING:  # the list of commands is shown without them
    from webstencil.evaluate.tables import Evaluated

PATHS, ONE, FILES, ONE_FILE, SITES = "PATH...", "PATH", "FILE...", "FILE", "SITE..."
DATA: dict[str, tuple[str, dict[str, Any]]] = {  # what is measured: its name, and what it may be
    PATHS: ("paths", {"type": PATH, "nargs": -1}),
    ONE: ("path", {"type": PATH}),
    FILES: ("paths", {"type": FILE, "nargs": -1}),
    ONE_FILE: ("path", {"type": FILE}),
    SITES: ("sites", {"nargs": -1}),
    "[NAME=]URL...": ("starts", {"nargs": -1}),
}
PAGES, OF_SITES = "webstencil.cli.evaluate_pages", "webstencil.cli.evaluate_sites"
ITEMS, TRAINING = "research.items", "research.training.train_commands"


class Evaluation(NamedTuple):
    """An evaluation: what it measures, of what, and its command."""

    name: str
    data: str
    command: str  # `module:function`; that of research is in a clone alone
    measures: str


EVALUATIONS = (
    Evaluation(
        "clusters",
        PATHS,
        f"{PAGES}:clusters_command",
        "Score templates found without rendering against labelled pages.",
    ),
    Evaluation("content", PATHS, f"{PAGES}:content_command", "Score main content by its words."),
    Evaluation(
        "crawl",
        "[NAME=]URL...",
        "research.papers.crawl:crawl_evaluation",
        "Crawl sites and print Tables 1 to 4 of the CPS paper.",
    ),
    Evaluation(
        "fidelity",
        SITES,
        f"{OF_SITES}:fidelity_command",
        "Compare the areas of hits with what renderings say.",
    ),
    Evaluation(
        "gallery",
        "",
        "research.gallery:gallery_command",
        "Draw the areas of all segmenters side by side.",
    ),
    Evaluation(
        "growth",
        SITES,
        f"{OF_SITES}:growth_command",
        "Measure how the plan of renderings grows with the pages of a site.",
    ),
    Evaluation(
        "headlines",
        ONE,
        f"{ITEMS}:headlines_command",
        "Score headlines and bodies against titles and content of articles.",
    ),
    Evaluation(
        "landmarks",
        SITES,
        f"{OF_SITES}:landmarks_command",
        "Score the areas of sites against the landmarks that authors set.",
    ),
    Evaluation(
        "locating",
        ONE,
        f"{PAGES}:locating_command",
        "Score picks: attributes picked on one page, found on the others.",
    ),
    Evaluation(
        "losses",
        PATHS,
        f"{PAGES}:losses_command",
        "Count the elements inside a site's content selector that the content has lost, by tag.",
    ),
    Evaluation(
        "mapping",
        PATHS,
        "research.papers.mapping:mapping_command",
        "Locate areas by descriptors and print Table I of the mapping paper.",
    ),
    Evaluation(
        "markdown",
        FILES,
        f"{PAGES}:markdown_command",
        "Score the Markdown of pages by the features it keeps.",
    ),
    Evaluation(
        "metadata",
        ONE_FILE,
        f"{PAGES}:metadata_command",
        "Score title, date and author of pages against gold.",
    ),
    Evaluation(
        "navigation",
        ONE,
        f"{PAGES}:navigation_command",
        "Score blocks of links, menus and pagination links.",
    ),
    Evaluation(
        "order",
        SITES,
        f"{OF_SITES}:order_command",
        "Check that results do not depend on the order of pages or on workers.",
    ),
    Evaluation("products", ONE, f"{ITEMS}:products_command", "Score the prices of products."),
    Evaluation(
        "rows",
        ONE,
        f"{ITEMS}:rows_command",
        "Score the rows of list pages against the articles they link to.",
    ),
    Evaluation(
        "segmentation",
        ONE,
        f"{PAGES}:segmentation_command",
        "Score segmenters against hand-marked blocks.",
    ),
    Evaluation(
        "train-content",
        PATHS,
        f"{TRAINING}:train_content",
        "Train the models of main content on labelled pages.",
    ),
    Evaluation(
        "train-types",
        PATHS,
        f"{TRAINING}:train_types",
        "Train the model of page types on labelled pages.",
    ),
    Evaluation(
        "train-metadata",
        ONE_FILE,
        f"{TRAINING}:train_metadata",
        "Train the weights of title, date and author on labelled pages.",
    ),
    Evaluation(
        "train-navigation",
        ONE,
        f"{TRAINING}:train_navigation",
        "Train the models of navigation on labelled pages.",
    ),
    Evaluation(
        "types",
        PATHS,
        f"{PAGES}:types_command",
        "Score the types of pages: of each page alone, and as the pages of its template vote.",
    ),
)


@click.group(
    cls=LazyGroup,
    commands=[LazyCommand(one.name, one.command, one.measures) for one in EVALUATIONS],
)
def evaluate() -> None:
    """Measure the quality of results."""


def evaluation(
    name: str, shown: str = "all scores", *, floors: int = 0
) -> Callable[[Callable[..., "Evaluated"]], click.Command]:
    """Make the command of an evaluation; `floors` are the steps to which scores are rounded.

    The function has the options of the evaluation alone, and their decorators.
    """

    def made(function: Callable[..., "Evaluated"]) -> click.Command:
        @wraps(function)
        def run(form: str, as_json: bool, **options: Any) -> None:
            held = [options.pop(option) for option in ("floors", "new_floors") if floors]
            found = function(**options)
            show(found, "json" if as_json else form)
            check_floors(found, *held, steps=floors)
            if not found.holds:
                sys.exit(1)

        for option in (table_option, json_option(shown), *(FLOORS if floors else ())):
            option(run)
        return data_command(name)(run)

    return made


def data_command(name: str) -> Callable[[Callable[..., None]], click.Command]:
    """Make a command that takes the data of an evaluation."""
    data = next(one.data for one in EVALUATIONS if one.name == name)

    def made(run: Callable[..., None]) -> click.Command:
        if data:
            argument, kind = DATA[data]
            click.argument(argument, metavar=data, required=True, **kind)(run)
        return click.command(name)(run)

    return made


FLOORS = (
    click.option(
        "--floors", type=FILE, help="Exit with 1 if a score is below its floor in this file."
    ),
    click.option("--new-floors", is_flag=True, help="Write the file of --floors instead."),
)


def with_cache(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option for a folder of what is kept; the command gets a folder in any case."""

    @wraps(command)
    def run(cache: Path | None, **options: Any) -> Any:
        from webstencil.evaluate.snapshots import cache_folder  # noqa: PLC0415 - loads a browser

        return command(cache=cache or cache_folder(), **options)

    help_text = "Folder for snapshots and unpacked pages.  [default: user cache]"
    return click.option("--cache", type=PATH, help=help_text)(run)


def show(found: "Evaluated", form: str) -> None:
    """Print what was found as a table, as CSV or as JSON, then what was left out."""
    from webstencil.cli import screen  # noqa: PLC0415 - help needs no tables

    tables = [part for part in found.parts if not isinstance(part, str)]
    if form == "json":
        screen.say(json.dumps(found.values, indent=1, ensure_ascii=False))
    elif form == "csv":
        rows = found.every_row or tables[0]
        screen.show_rows(rows.columns, rows.rows, form)
    for part in found.parts if form == "table" else ():
        if isinstance(part, str):
            screen.say(part)
        elif part.title:
            screen.show_table(part.title, part.columns, part.rows)
        else:
            screen.show_rows(part.columns, part.rows)
    screen.tell_left_out(found.left_out)


def check_floors(
    found: "Evaluated", file: Path | None = None, new: bool = False, *, steps: int
) -> None:
    """Exit with 1 if a score is below its floor, or write new floors; do nothing without a file."""
    if file is None or not found.measured:
        return
    from webstencil.cli import screen  # noqa: PLC0415 - as above
    from webstencil.evaluate.floors import fallen, write  # noqa: PLC0415 - the same

    if new:
        write(file, found.measured, steps)
        return
    complaints = fallen(file, found.measured)
    for words in complaints:
        screen.complain(words)
    if complaints:
        sys.exit(1)


def from_clone(target: str, asked: str) -> Any:
    """Return a function of research, which only a clone has, by its `module:name`."""
    known = in_clone(target)
    if known is None:
        raise WebstencilError(
            f"`{asked}` is research code that the package does not include: "
            "run it from a clone of the repository"
        )
    return known


def in_clone(target: str) -> Any | None:
    """Return a function of research; None if it is not there."""
    part = LazyCommand("", target, "")
    return part.load() if part.is_installed else None


def joined_words(paths: Iterable[Path]) -> str:
    """Write paths in a sentence."""
    return ", ".join(map(str, paths))
