"""`webstencil papers ...`: the published methods on the user's own pages, step by step."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import islice

import click

from webstencil.cli import screen
from webstencil.cli.commands import LazyGroup
from webstencil.cli.options import json_option, table_option
from webstencil.cli.template_options import published_tags_option, share_option
from webstencil.errors import ParseError, SourceError
from webstencil.markup.parse import parse
from webstencil.model import Page
from webstencil.navigation.links import BETA, PaperRule
from webstencil.paper.content import ContentExtractor, FastContentExtractor, Method, detect
from webstencil.paper.descriptors import ToldMapping, told_mappings
from webstencil.paper.navigation import PublishedBlock, published_blocks
from webstencil.settings import THRESHOLD
from webstencil.sources import open_page, open_sources

PREPARED_PAGES = 30  # pages (FastContentExtractor, section IV: 20 to 30)
SHOWN_TEXT = 60  # characters of the texts of a block


@click.group("papers", cls=LazyGroup)
def papers_group() -> None:
    """Run a published method on your own pages."""


@papers_group.command("content")
@click.argument("prepared", metavar="FOLDER")
@click.argument("names", metavar="PAGE...", nargs=-1, required=True)
@click.option(
    "--method",
    type=click.Choice(["ce", "fastce"]),
    default="fastce",
    show_default=True,
    help="ContentExtractor or FastContentExtractor.",
)
@click.option(
    "--pages",
    type=click.IntRange(2),
    default=PREPARED_PAGES,
    show_default=True,
    help="Pages of FOLDER to prepare the template on.",
)
@share_option
@published_tags_option
@json_option("the content, and the template's size")
def content_command(
    prepared: str,
    names: tuple[str, ...],
    method: str,
    pages: int,
    share: float,
    published_tags: bool,
    as_json: bool,
) -> None:
    """Prepare a template on the pages of FOLDER, and extract other pages of the site with it."""
    made = ContentExtractor if method == "ce" else FastContentExtractor
    extractor: Method = made(share, published_tags)
    template = extractor.prepare(list(islice(html_pages([prepared]), pages)))
    detector = extractor.ready(template)
    found = [(page.url, detect(detector, page)) for page in html_pages(names)]
    if as_json:
        said = {"pages": template.pages, "paths": template.paths, "blocks": len(template.blocks)}
        content = [{"url": url, "text": text} for url, text in found]
        screen.say(json.dumps({"template": said, "content": content}, indent=1, ensure_ascii=False))
        return
    sizes = f"{len(template.paths)} paths of content, {len(template.blocks)} other blocks"
    screen.note(f"Template of {template.pages} pages: {sizes}")
    for url, text in found:
        screen.say(f"# {url}\n{text}\n")


def html_pages(names: Sequence[str]) -> Iterator[Page]:
    """Yield the pages of sources, or single pages, that are HTML; raise if there is none."""
    empty = True
    for raw in open_sources(names).pages():
        try:
            page = parse(raw)
        except ParseError:
            continue
        empty = False
        yield page
    if empty:
        raise SourceError(f"{' '.join(names)} has no page that is HTML; name another source")


@papers_group.command("links")
@click.argument("name", metavar="FILE_OR_URL")
@click.option(
    "--beta",
    type=click.FloatRange(0.0),
    default=BETA,
    show_default=True,
    help="Weight of the number of blocks in equation 4.",
)
@click.option(
    "--gamma",
    type=click.FloatRange(0.0),
    default=1.0,
    show_default=True,
    help="Share of the page's density in equation 5: 1 is CHD-HD, 0 is CHD.",
)
@click.option("--distinct", is_flag=True, help="Take each distance once in equation 4, as printed.")
@table_option
def links_command(
    name: str,
    beta: float,
    gamma: float,
    distinct: bool,
    form: str,
) -> None:
    """Cluster the links of a page by CHD-HD, and classify the blocks by three features and SVM."""
    page = only_page(name)
    rule = PaperRule(beta, gamma, distinct)
    found = published_blocks(page, rule)
    if form == "json":
        told = [{"navigation": block.navigation, **asdict(block)} for block in found]
        screen.say(json.dumps(told, indent=1, ensure_ascii=False))
        return
    columns = ("block", "links", "mean length", "variance", "score", "navigation", "texts")
    rows = [block_cells(number, block) for number, block in enumerate(found, 1)]
    if form == "table":
        screen.say(f"{len(found)} blocks of links")
    screen.show_rows(columns, rows, form)


def block_cells(number: int, block: PublishedBlock) -> list[str]:
    """Write a block of links as a row of a table."""
    figures = (f"{block.mean:.1f}", f"{block.variance:.1f}", f"{block.score:.2f}")
    said = " | ".join(filter(None, block.texts))[:SHOWN_TEXT]
    kind = "navigation" if block.navigation else "other"
    return [str(number), str(block.links), *figures, kind, said]


def only_page(name: str) -> Page:
    """Parse the page at a path or URL."""
    return parse(next(iter(open_page(name).pages())))


@papers_group.command("map")
@click.argument("pattern", metavar="PATTERN_PAGE")
@click.argument("selector", metavar="SELECTOR")
@click.argument("name", metavar="OTHER_PAGE")
@click.option(
    "--threshold",
    "farthest",
    type=click.FloatRange(0.0, 1.0),
    default=THRESHOLD,
    show_default=True,
    help="Farthest distance of subtrees that are equivalent.",
)
@json_option("all steps")
def map_command(
    pattern: str,
    selector: str,
    name: str,
    farthest: float,
    as_json: bool,
) -> None:
    """Find an area of one page on another by descriptors, and tell every check.

    SELECTOR is the CSS selector of the area's nodes on PATTERN_PAGE, as `segment --json` gives it.
    """
    pages = only_page(pattern), only_page(name)
    told = told_mappings(*pages, selector, farthest)
    if as_json:
        screen.say(json.dumps([asdict(one) for one in told], indent=1, ensure_ascii=False))
        return
    for one in told:
        columns = ("level", "position", "count", "id", "tag", "passes")
        screen.show_table(f"{one.form} descriptor of {one.node}", columns, step_rows(one))
        screen.say(outcome(one) + "\n")
    for form in dict.fromkeys(one.form for one in told):
        screen.say(found_share([one for one in told if one.form == form]))


def found_share(told: Sequence[ToldMapping]) -> str:
    """Say how much of an area was found."""
    found = sum(not one.miss for one in told)
    part = "the area is" if found == len(told) else "the area is in part" if found else "nothing is"
    return f"{told[0].form} descriptors: {part} on the other page ({found} of {len(told)} nodes)"


def step_rows(told: ToldMapping) -> Iterator[list[str]]:
    """Write the steps of a descriptor, each with the strictest checks that its node passes."""
    for level, step in enumerate(told.steps, 1):
        numbers = (str(level), str(step.position), str(step.count))
        yield [*numbers, step.id or "-", step.tag, step.passed or "no such child"]


def outcome(told: ToldMapping) -> str:
    """Say what a search found."""
    if told.start:
        return f"no node has the id {told.start!r}"
    strict = f"refused by {told.miss}" if told.miss else "found by the strictest checks"
    if not told.xpath:
        return f"{strict}; without checks there is no node either"
    verified = "equivalent" if told.verified else "not equivalent"
    where = f"{told.xpath}, subtree {told.distance:.2f} away, {verified}"
    return f"{strict}; {where}: {told.text[:SHOWN_TEXT]}"
