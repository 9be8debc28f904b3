"""`webstencil evaluate train-content` and `webstencil evaluate train-navigation`."""

from pathlib import Path

import click

from research.training import content_weights, navigation_models
from research.training.content_examples import examples
from webstencil.cli import content_report, screen
from webstencil.cli.evaluate_commands import cache_option
from webstencil.cli.evaluate_content import paths_argument, read_all, selectors_option
from webstencil.cli.evaluate_navigation import NavigationData, path_argument
from webstencil.cli.shared_options import PATH
from webstencil.errors import SettingsError, SourceError
from webstencil.evaluate.content.scores import summarise
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
    """Train the models of main content and page types on labelled pages."""
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
        for name, written in (("content", fitted.content), ("page_types", fitted.types)):
            path = out / f"{name}.json"
            path.write_text(content_weights.write(written))
            screen.say(f"{path}: {path.stat().st_size:,} bytes")


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
