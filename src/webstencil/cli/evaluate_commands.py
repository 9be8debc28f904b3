"""`webstencil evaluate ...`: the table of all evaluations, and what makes their commands.

A command is a function of its own options that returns what it found. The rest is the same for all:
the data that is measured, `--format` and `--json`, `--floors`, what was left out, the exit code.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webstencil.cli.commands import LazyCommand, LazyGroup
from webstencil.cli.options import FILE, PATH, json_option, table_option
from webstencil.errors import WebstencilError

if TYPE_CHECKING:  # the list of commands is shown without them
    from webstencil.evaluate.tables import Evaluated

DATA: dict[str, tuple[str, dict[str, Any]]] = {  # what is measured: its name, and what it may be
    "PATH...": ("paths", {"type": PATH, "nargs": -1}),
    "PATH": ("path", {"type": PATH}),
    "FILE...": ("paths", {"type": FILE, "nargs": -1}),
    "FILE": ("path", {"type": FILE}),
    "SITE...": ("sites", {"nargs": -1}),
    "[NAME=]URL...": ("starts", {"nargs": -1}),
}
EVALUATIONS = {  # by module: each with what it takes, and what it measures
    "webstencil.cli.evaluate_pages": {
        "clusters PATH...": "Score templates found without rendering against labelled pages.",
        "content PATH...": "Score main content by its words.",
        "locating PATH": "Score picks: attributes picked on one page, found on the others.",
        "losses PATH...": "Count the elements inside a site's content selector that the content "
        "has lost, by tag.",
        "markdown FILE...": "Score the Markdown of pages by the features it keeps.",
        "metadata FILE": "Score title, date and author of pages against gold.",
        "navigation PATH": "Score blocks of links, menus and pagination links.",
        "segmentation PATH": "Score segmenters against hand-marked blocks.",
        "types PATH...": "Score the types of pages: of each page alone, and as the pages of its "
        "template vote.",
    },
    "webstencil.cli.evaluate_sites": {
        "fidelity SITE...": "Compare the areas of hits with what renderings say.",
        "growth SITE...": "Measure how the plan of renderings grows with the pages of a site.",
        "landmarks SITE...": "Score the areas of sites against the landmarks that authors set.",
        "order SITE...": "Check that results do not depend on the order of pages or on workers.",
    },
    # Those of research are in a clone alone.
    "research.items": {
        "headlines PATH": "Score headlines and bodies against titles and content of articles.",
        "products PATH": "Score the prices of products.",
        "rows PATH": "Score the rows of list pages against the articles they link to.",
    },
    "research.gallery": {"gallery": "Draw the areas of all segmenters side by side."},
    "research.papers.crawl": {
        "crawl [NAME=]URL...": "Crawl sites and print Tables 1 to 4 of the CPS paper."
    },
    "research.papers.mapping": {
        "mapping PATH...": "Locate areas by descriptors and print Table I of the mapping paper."
    },
    "research.training.train_commands": {
        "train-content PATH...": "Train the models of main content on labelled pages.",
        "train-metadata FILE": "Train the weights of title, date and author on labelled pages.",
        "train-navigation PATH": "Train the models of navigation on labelled pages.",
        "train-types PATH...": "Train the model of page types on labelled pages.",
    },
}


def lazy_commands() -> Iterator[LazyCommand]:
    """Yield the commands of all evaluations, which are imported when they are called."""
    for module, usages in EVALUATIONS.items():
        for usage, measures in usages.items():
            name = usage.split()[0]
            yield LazyCommand(name, f"{module}:{name.replace('-', '_')}_command", measures)


@click.group(cls=LazyGroup, commands=list(lazy_commands()))
def evaluate() -> None:
    """Measure the quality of results."""


def evaluation(
    name: str, shown: str = "all scores", *, floors: int = 0
) -> Callable[[Callable[..., "Evaluated"]], click.Command]:
    """Make the command of an evaluation; `floors` are the steps to which scores are rounded.

    The function has the options of the evaluation alone, and their decorators.
    """

    def made(function: Callable[..., "Evaluated"]) -> click.Command:
        @wraps(function, updated=())
        def run(form: str, as_json: bool, **options: Any) -> None:
            held = [options.pop(option) for option in ("floors", "new_floors") if floors]
            found = function(**options)
            show_evaluated(found, "json" if as_json else form)
            check_floors(found, *held, steps=floors)
            if not found.holds:
                sys.exit(1)

        for option in (*(FLOORS if floors else ()), json_option(shown), table_option):
            option(run)  # what comes last is shown first: those of the function are
        vars(run)["__click_params__"] += vars(function).get("__click_params__", [])
        return data_command(name)(run)

    return made


def data_command(name: str) -> Callable[[Callable[..., None]], click.Command]:
    """Make a command that takes the data of an evaluation."""
    usages = (usage.split() for of_module in EVALUATIONS.values() for usage in of_module)
    data = next(rest for own, *rest in usages if own == name)

    def made(run: Callable[..., None]) -> click.Command:
        for what in data:
            argument, kind = DATA[what]
            click.argument(argument, metavar=what, required=True, **kind)(run)
        return click.command(name)(run)

    return made


FLOORS = (
    click.option("--new-floors", is_flag=True, help="Write the file of --floors instead."),
    click.option(
        "--floors", type=FILE, help="Exit with 1 if a score is below its floor in this file."
    ),
)


def with_cache(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option for a folder of what is kept; the command gets a folder in any case."""

    @wraps(command)
    def run(cache: Path | None, **options: Any) -> Any:
        from webstencil.evaluate.snapshots import cache_folder  # noqa: PLC0415 - loads a browser

        return command(cache=cache or cache_folder(), **options)

    help_text = "Folder for snapshots and unpacked pages.  [default: user cache]"
    return click.option("--cache", type=PATH, help=help_text)(run)


def show_evaluated(found: "Evaluated", form: str) -> None:
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
    from webstencil.evaluate.floors import fallen, write_floors  # noqa: PLC0415 - the same

    if new:
        write_floors(file, found.measured, steps)
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
