"""`webstencil evaluate train-content`, `train-types`, `train-metadata` and `train-navigation`."""

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from research.training import content_weights, metadata_weights, navigation, type_weights
from webstencil.cli import screen
from webstencil.cli.evaluate_commands import data_command, show_evaluated, with_cache
from webstencil.cli.evaluate_pages import read_content, selectors_option
from webstencil.cli.options import PATH
from webstencil.errors import SettingsError, SourceError
from webstencil.evaluate.content import content_rows, content_tables
from webstencil.evaluate.metadata import field_rows, metadata_table, read_metadata_gold
from webstencil.evaluate.navigation import NavigationData
from webstencil.evaluate.page_types import read_types, type_table
from webstencil.evaluate.tables import Evaluated, ScoreTable, grouped


def folds_option(what: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make the option to cross-validate."""
    help_text = f"Cross-validate over N folds of {what} and print the scores."
    return click.option("--folds", type=click.IntRange(2), metavar="N", help=help_text)


def refuse_neither(out: Path | None, folds: int | None, models: str) -> None:
    """Raise if there is nothing to do."""
    if out is None and folds is None:
        raise SettingsError(
            f"give the folder for {models} by --out, or cross-validate by --folds 5"
        )


def put_model(folder: Path, name: str, written: content_weights.Written) -> None:
    """Write a model."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(content_weights.write(written))
    screen.say(f"{path}: {path.stat().st_size:,} bytes")


def show_tables(*parts: ScoreTable | str) -> None:
    """Print tables."""
    show_evaluated(Evaluated(parts, None), "table")


@data_command("train-content")
@selectors_option
@click.option("--out", type=PATH, help="Folder for the models: content/models.")
@folds_option("sites")
def train_content_command(
    paths: Sequence[Path], selectors: Path | None, out: Path | None, folds: int | None
) -> None:
    """Train the models of main content on labelled pages."""
    refuse_neither(out, folds, "models")
    left_out: list[str] = []
    pages = read_content(paths, selectors, left_out.append)
    screen.tell_left_out(left_out)
    if folds is not None:
        show_tables(*content_tables(content_rows(content_weights.cross_validate(pages, folds))))
    if out is not None:
        put_model(out, "content.json", content_weights.fit(content_weights.examples(pages)).content)


@data_command("train-types")
@click.option("--out", type=PATH, help="Folder for the model: content/models.")
@folds_option("domains, and over whole sites,")
def train_types_command(paths: Sequence[Path], out: Path | None, folds: int | None) -> None:
    """Train the model of page types on labelled pages.

    PATH is as for `evaluate types`; pages without any label are news and blogs.
    """
    refuse_neither(out, folds, "the model")
    left_out: list[str] = []
    pages = [page for path in paths for page in read_types(path, left_out.append)]
    screen.tell_left_out(left_out)
    if folds is not None:
        answers = grouped(type_weights.cross_validate_types(pages, folds), "set")
        for name, own in sorted(answers.items()):
            show_tables(name, type_table(own))
    if out is not None:
        fitted = type_weights.fit_types(type_weights.type_examples(pages))
        put_model(out, "page_types.json", fitted)


@data_command("train-metadata")
@click.option("--out", type=PATH, help="Folder for the model: items/models.")
@folds_option("sites")
def train_metadata_command(path: Path, out: Path | None, folds: int | None) -> None:
    """Train the weights of title, date and author on labelled pages.

    FILE is as for `evaluate metadata`.
    """
    refuse_neither(out, folds, "the model")
    left_out: list[str] = []
    pages = [metadata_weights.example(*one) for one in read_metadata_gold(path, left_out.append)]
    screen.tell_left_out(left_out)
    if folds is not None:
        rows = field_rows(metadata_weights.cross_validate(pages, folds))
        show_tables(metadata_table(row for row in rows if row.gold or row.found))
    if out is not None:
        put_model(out, "metadata.json", metadata_weights.fit_all(pages))


@data_command("train-navigation")
@click.option("--out", type=PATH, required=True, help="Folder for the models.")
@with_cache
def train_navigation_command(path: Path, out: Path, cache: Path) -> None:
    """Train the models of navigation on labelled pages.

    PATH is as for `evaluate navigation`. Models without labelled pages are not written.
    """
    navigation.require_sklearn()
    data = NavigationData(path, cache)
    known = data.marked_pages(), data.site_blocks(), data.paged_pages()
    fitted = navigation.navigation_models(*known)
    screen.tell_left_out(data.left_out)
    if not fitted:
        raise SourceError(f"{path} has no labelled pages to train navigation on")
    navigation.write_models(out, fitted)
    for name, text in sorted(fitted.items()):
        screen.say(f"{out / name}.json: {len(text)} bytes")
