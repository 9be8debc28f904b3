"""The commands that measure published content extractors, rows of list pages, and headlines."""

from pathlib import Path

import click

from webstencil import screen
from webstencil.errors import SettingsError
from webstencil.evaluate import headline_scores, listings, published_content, published_report
from webstencil.evaluate.commands import cache_option
from webstencil.evaluate.snapshots import KeepingRenderer, cache_folder
from webstencil.extract.published import METHODS


@click.command("published")
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--method",
    "names",
    default=",".join(METHODS),
    show_default=True,
    help="The methods, with commas between them.",
)
@click.option(
    "--pages-root",
    type=click.Path(path_type=Path),
    help="Folder with the site folders that sites.json names; else they are sought beside it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print all scores as JSON.")
def published_command(path: Path, names: str, pages_root: Path | None, as_json: bool) -> None:
    """Measure ContentExtractor and FastContentExtractor: the paper's tables on other sites.

    PATH is a file X.jsonl.xz of pages with their main content, or a sites.json with labels.
    """
    rows = list(published_content.evaluate(path, chosen(names), pages_root))
    if as_json:
        screen.say(published_report.report(rows))
    else:
        published_report.show(rows)


def chosen(names: str) -> tuple[str, ...]:
    """Return the methods that a person names."""
    wanted = tuple(dict.fromkeys(name.strip() for name in names.split(",")))
    unknown = [name for name in wanted if name not in METHODS]
    if unknown:
        raise SettingsError(f"there is no method {unknown[0]!r}; choose from {', '.join(METHODS)}")
    return wanted


@click.command("rows")
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--pages-root",
    type=click.Path(path_type=Path),
    help="Folder with the site folders that sites.json names; else they are sought beside it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print all scores as JSON.")
def rows_command(path: Path, pages_root: Path | None, as_json: bool) -> None:
    """Compare the rows of list pages with the articles that these pages link to.

    PATH is a sites.json with labels beside it.
    """
    found = listings.evaluate(path, pages_root)
    if as_json:
        screen.say(listings.report(found))
    else:
        listings.show(found)


@click.command("headlines")
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--pages-root",
    type=click.Path(path_type=Path),
    help="Folder with the site folders that sites.json names; else they are sought beside it.",
)
@click.option(
    "--pages", type=click.IntRange(1), default=4, show_default=True, help="Articles of each site."
)
@click.option("--json", "as_json", is_flag=True, help="Print all scores as JSON.")
@cache_option
def headlines_command(
    path: Path, pages_root: Path | None, pages: int, as_json: bool, cache: Path | None
) -> None:
    """Compare headlines and bodies, by size and by kind, with titles and content of articles.

    PATH is a sites.json with labels beside it.
    """
    with KeepingRenderer((cache or cache_folder()) / "snapshots") as renderer:
        rows = headline_scores.evaluate(path, renderer, pages, pages_root)
    if as_json:
        screen.say(headline_scores.report(rows))
    else:
        headline_scores.show(rows)
