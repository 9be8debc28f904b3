"""`webstencil evaluate train-content` and `webstencil evaluate train-navigation`."""

from pathlib import Path

import click

from research.training import content_weights, navigation_models
from webstencil.cli import content_report, screen
from webstencil.cli.evaluate_content import paths_argument, read_all, selectors_option
from webstencil.cli.evaluate_navigation import (
    cache_option,
    marked_pages,
    paged_pages,
    path_argument,
    site_blocks,
)
from webstencil.cli.shared_options import FILE, PATH
from webstencil.errors import SettingsError, SourceError
from webstencil.evaluate.content.scores import summarise
from webstencil.evaluate.navigation.learning import require_sklearn
from webstencil.evaluate.snapshots import cache_folder


@click.command("train-content")
@paths_argument
@selectors_option
@click.option(
    "--out",
    type=FILE,
    help="The module of weights to write: extract/content/weights.py.",
)
@click.option(
    "--folds",
    type=click.IntRange(2),
    help="Score the pages of each of so many folds of sites with weights fitted to the others.",
)
def train_content(
    paths: tuple[Path, ...], selectors: Path | None, out: Path | None, folds: int | None
) -> None:
    """Fit the weights of the content score to labelled pages and write them as a module."""
    if out is None and folds is None:
        raise SettingsError("name the module to write by --out, or cross-validate by --folds 5")
    pages = read_all(paths, selectors)
    if folds is not None:
        content_report.show(summarise(content_weights.cross_validate(pages, folds)))
    if out is not None:
        fitted = content_weights.fit(
            content_weights.example(page) for page in pages if page.gold is not None
        )
        out.write_text(content_weights.write(fitted))
        screen.say(f"{len(fitted.weights)} weights in {out}")


@click.command("train-navigation")
@path_argument
@click.option("--out", type=PATH, required=True, help="Folder for the models.")
@cache_option
def train_navigation(path: Path, out: Path, cache: Path | None) -> None:
    """Fit the models of navigation to labelled pages and write them as JSON.

    PATH is as for `evaluate navigation`; models for which it has no pages are left alone.
    """
    require_sklearn()
    place = cache or cache_folder()
    fitted = navigation_models.models(
        marked_pages(path, place), site_blocks(path, place), paged_pages(path)
    )
    if not fitted:
        raise SourceError(f"{path} has no labelled pages to learn navigation from")
    navigation_models.write(out, fitted)
    for name, text in sorted(fitted.items()):
        screen.say(f"{out / name}.json: {len(text)} bytes")
