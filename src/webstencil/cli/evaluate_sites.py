"""The sites that an evaluation reads: any source of `webstencil run`, with a short name each."""

from collections.abc import Iterator, Sequence
from pathlib import PurePath

import click

from webstencil.cli import screen
from webstencil.cli.talk import survey_words
from webstencil.errors import SourceError
from webstencil.model import RawPage
from webstencil.sources import Several, open_sources

sites_argument = click.argument("sites", metavar="SITE...", nargs=-1, required=True)

budget_option = click.option(
    "--budget",
    type=click.IntRange(1),
    help="Most pages to render for the areas of a site.  [default: as a job]",
)


def with_sample(command: click.decorators.FC) -> click.decorators.FC:
    """Add the options that choose pages of a site."""
    pages = click.option(
        "--pages", type=click.IntRange(1), help="Take the first pages of a site only."
    )
    sample = click.option(
        "--sample", type=click.IntRange(1), help="Of these, take so many random ones."
    )
    seed = click.option(
        "--seed", type=int, default=0, show_default=True, help="Seed for random pages."
    )
    return pages(sample(seed(command)))


def open_sites(arguments: Sequence[str]) -> dict[str, Several]:
    """Open the sources that the user names, by their short names."""
    names = short_names(list(dict.fromkeys(arguments)))
    return {short: open_sources([argument]) for argument, short in names.items()}


def short_names(arguments: Sequence[str]) -> dict[str, str]:
    """Return for each path the shortest end of it that no other one has.

    >>> short_names(["manuals/erlang/html", "manuals/grass/html", "blog"])
    {'manuals/erlang/html': 'erlang/html', 'manuals/grass/html': 'grass/html', 'blog': 'blog'}
    """
    ends = {argument: list(map(str, ends_of(argument))) for argument in arguments}
    return {
        argument: next(
            (end for end in own if not any(end in ends[one] for one in ends if one != argument)),
            argument,
        )
        for argument, own in ends.items()
    }


def ends_of(path: str) -> Iterator[PurePath]:
    """Yield the ends of a path, the shortest first."""
    parts = PurePath(path).parts
    for count in range(1, len(parts) + 1):
        yield PurePath(*parts[-count:])


def shown_name(source: str, site: str, sites: int) -> str:
    """Return what to call a site of a source that has so many."""
    return source if sites == 1 else f"{source}: {site}"


def told(pages: Iterator[RawPage], total: int | None) -> Iterator[RawPage]:
    """Yield pages; say now and then how many there were."""
    ticker = screen.Ticker()
    for number, page in enumerate(pages, start=1):
        yield page
        ticker.tell(survey_words(number, total))


def refuse_none(name: str, pages: int) -> None:
    """Raise if a site has no page that can be read."""
    if not pages:
        raise SourceError(f"there is no page in {name}; give the folder of a site")
