"""`webstencil evaluate train-content`, `train-types`, `train-metadata` and `train-navigation`."""

from pathlib import Path

import click

from research.training import content_weights, metadata_weights, navigation_models, type_weights
from research.training.content_examples import examples
from webstencil.cli import content_report, screen
from webstencil.cli.evaluate_commands import cache_option
from webstencil.cli.evaluate_content import paths_argument, read_all, selectors_option
from webstencil.cli.evaluate_metadata import COLUMNS, cells
from webstencil.cli.evaluate_navigation import NavigationData, path_argument
from webstencil.cli.evaluate_page_types import show_types
from webstencil.cli.options import FILE, PATH
from webstencil.errors import SettingsError, SourceError
from webstencil.evaluate.content.scores import summarise
from webstencil.evaluate.content.types import read_types
from webstencil.evaluate.metadata_gold import read_metadata_gold
from webstencil.evaluate.metadata_scores import field_rows
from webstencil.evaluate.navigation.learning import require_sklearn
from webstencil.evaluate.snapshots import cache_folder


@click.command("train-content")
@paths_argument
@selectors_option
@click.option("--out", type=PATH, help="Folder for the models: extract/content/models.")
@click.option(
    "--folds",
    type=click.IntRange(2),
    metavar="N",
    help="Cross-validate over N folds of sites and print the scores.",
)
def train_content(
    paths: tuple[Path, ...], selectors: Path | None, out: Path | None, folds: int | None
) -> None:
    """Train the models of main content on labelled pages."""
    if out is None and folds is None:
        raise SettingsError("give the folder for models by --out, or cross-validate by --folds 5")
    left_out: list[str] = []
    pages = read_all(paths, selectors, left_out.append)
    screen.tell_left_out(left_out)
    if folds is not None:
        content_report.show(summarise(content_weights.cross_validate(pages, folds)))
    if out is not None:
        fitted = content_weights.fit(examples(pages))
        out.mkdir(parents=True, exist_ok=True)
        put_model(out / "content.json", fitted.content)


@click.command("train-types")
@paths_argument
@click.option("--out", type=PATH, help="Folder for the model: extract/content/models.")
@click.option(
    "--folds",
    type=click.IntRange(2),
    metavar="N",
    help="Cross-validate over N folds of domains, and over whole sites, and print the scores.",
)
def train_types(paths: tuple[Path, ...], out: Path | None, folds: int | None) -> None:
    """Train the model of page types on labelled pages.

    PATH is as for `evaluate types`; pages without any label are news and blogs.
    """
    if out is None and folds is None:
        raise SettingsError(
            "give the folder for the model by --out, or cross-validate by --folds 5"
        )
    left_out: list[str] = []
    pages = [page for path in paths for page in read_types(path, left_out.append)]
    screen.tell_left_out(left_out)
    if folds is not None:
        answers = list(type_weights.cross_validate_types(pages, folds))
        for name in sorted({one.set for one in answers}):
            screen.say(name)
            show_types([one for one in answers if one.set == name])
    if out is not None:
        fitted = type_weights.fit_types(type_weights.type_examples(pages))
        out.mkdir(parents=True, exist_ok=True)
        put_model(out / "page_types.json", fitted)


def put_model(path: Path, written: content_weights.Written) -> None:
    """Write a model."""
    path.write_text(content_weights.write(written))
    screen.say(f"{path}: {path.stat().st_size:,} bytes")


@click.command("train-metadata")
@click.argument("path", type=FILE, metavar="FILE")
@click.option("--out", type=PATH, help="Folder for the model: extract/about/models.")
@click.option(
    "--folds",
    type=click.IntRange(2),
    metavar="N",
    help="Cross-validate over N folds of sites and print the scores.",
)
def train_metadata(path: Path, out: Path | None, folds: int | None) -> None:
    """Train the weights of title, date and author on labelled pages.

    FILE is as for `evaluate metadata`.
    """
    if out is None and folds is None:
        raise SettingsError(
            "give the folder for the model by --out, or cross-validate by --folds 5"
        )
    left_out: list[str] = []
    pages = [metadata_weights.example(*one) for one in read_metadata_gold(path, left_out.append)]
    screen.tell_left_out(left_out)
    if folds is not None:
        rows = field_rows(metadata_weights.cross_validate(pages, folds))
        screen.show_rows(COLUMNS, [cells(row) for row in rows if row.gold or row.found])
    if out is not None:
        fitted = metadata_weights.fit_all(pages)
        out.mkdir(parents=True, exist_ok=True)
        put_model(out / "metadata.json", fitted)


@click.command("train-navigation")
@path_argument
@click.option("--out", type=PATH, required=True, help="Folder for the models.")
@cache_option
def train_navigation(path: Path, out: Path, cache: Path | None) -> None:
    """Train the models of navigation on labelled pages.

    PATH is as for `evaluate navigation`. Models without labelled pages are not written.
    """
    require_sklearn()
    data = NavigationData(path, cache or cache_folder())
    fitted = navigation_models.models(data.marked_pages(), data.site_blocks(), data.paged_pages())
    screen.tell_left_out(data.left_out)
    if not fitted:
        raise SourceError(f"{path} has no labelled pages to train navigation on")
    navigation_models.write(out, fitted)
    for name, text in sorted(fitted.items()):
        screen.say(f"{out / name}.json: {len(text)} bytes")
