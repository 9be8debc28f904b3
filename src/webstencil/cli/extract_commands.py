"""`webstencil extract`: the main content of pages."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO, TypeAlias, TypedDict, Unpack

import click

import webstencil
from webstencil.api import written
from webstencil.cli import screen
from webstencil.cli.failures import reason, refuse_nothing
from webstencil.cli.script_options import javascript_option, scripts_if
from webstencil.cli.talk import Talk
from webstencil.codec.files import put
from webstencil.errors import ParseError, SettingsError
from webstencil.extract.content.extractor import Content, MainContent
from webstencil.extract.content.policy import Policy
from webstencil.extract.metadata import metadata
from webstencil.markup.parse import parse
from webstencil.model import Page, Problem, RawPage
from webstencil.output.files import draft_of, explained, refuse_among_pages
from webstencil.output.json_lines import opened, spare_others
from webstencil.output.markdown import front_matter
from webstencil.output.names import FileNames
from webstencil.pipeline.report import Report
from webstencil.protocols import Resources, Source
from webstencil.sources import Notes, Noting, PageFile, Several, WebPage, open_sources
from webstencil.sources.named import WEB

Through: TypeAlias = Callable[[RawPage, Resources], RawPage]
FORMATS = ("txt", "md", "html", "jsonl")
WITH_METADATA = ("md", "jsonl")
BETWEEN = "\n"  # what follows each page of a stream of texts


class ExtractWanted(TypedDict):
    """What a person asks for."""

    names: tuple[str, ...]
    store_path: str | None
    form: str
    out: Path | None
    base_url: str | None
    comments: bool
    tables: bool
    captions: bool
    metadata: bool
    javascript: bool


@click.command("extract")
@click.argument("names", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "--store",
    "store_path",
    metavar="STORE",
    help="Keep what the site teaches in this file, or at this address, and use what is there.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="md",
    show_default=True,
    help="Plain text, Markdown, a piece of HTML, or items as JSON lines.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Write here: a file for jsonl or one page, else a folder with a file for each page.",
)
@click.option("--base-url", help="The address of the folder's top, if its name does not tell it.")
@click.option("--comments/--no-comments", default=False, help="With what readers wrote.")
@click.option("--tables/--no-tables", default=True, help="With tables of data.")
@click.option("--captions/--no-captions", default=True, help="With the texts of images.")
@click.option(
    "--metadata",
    is_flag=True,
    help="With title, date and author: as fields of jsonl, as front matter of md.",
)
@javascript_option
def extract_command(**wanted: Unpack[ExtractWanted]) -> None:
    """Extract the main content of one page or of all pages of sources.

    SOURCE is a page's address, or what `webstencil run` takes: a folder, an HTML or WARC file, a
    pattern, a list. Sources are read twice: each page is judged by all the others.
    """
    if wanted["metadata"] and wanted["form"] not in WITH_METADATA:
        raise SettingsError(f"--metadata goes with {' and '.join(WITH_METADATA)}")
    policy = Policy(wanted["comments"], wanted["tables"], wanted["captions"])
    with ExitStack() as things:
        path = wanted["store_path"]
        # By its public name, which loads the database only if somebody asks for a store.
        store = things.enter_context(webstencil.open_store(path)) if path else None
        extractor = MainContent(policy, store)
        scripts = things.enter_context(scripts_if(wanted["javascript"]))
        source = source_of(wanted["names"], wanted["base_url"], scripts)
        if wanted["form"] == "html":
            refuse_among_pages(wanted["out"], wanted["names"])
        ticker = screen.Ticker(Talk.DISPLAY if wanted["out"] else Talk.QUIET)
        write = ContentOutput(wanted["form"], wanted["out"], things, alone=is_one_page(source))
        tell = told_by if wanted["metadata"] else told_nothing
        for raw, content in contents(source, extractor, ticker.tell):
            write.page(raw, content, tell)
            ticker.tell(f"{write.pages:,} pages written")
        extractor.save()
    if wanted["out"]:
        screen.complain(f"pages written to {wanted['out']}: {write.pages:,}")
    if failures := write.failures.all():
        screen.warn(screen.failures_table(failures))
    if isinstance(source, Noting) and (notes := source.notes.all()):
        screen.warn(screen.notes_table(notes))
    failed = sum(failure.count for failure in failures)
    refuse_nothing(Report(pages=write.pages + failed, failed=failed), wanted["names"])


def source_of(names: Sequence[str], base_url: str | None, scripts: Through | None) -> Source:
    """Return the source that a person names, its pages as their scripts leave them if asked for."""
    if len(names) == 1 and names[0].startswith(WEB):
        page = WebPage(names[0])
        return page if scripts is None else Several([page], through=scripts)
    return open_sources(names, base_url=base_url, through=scripts)


def is_one_page(source: Source) -> bool:
    """Tell whether a source is a page and not a place of pages."""
    parts = source.sources if isinstance(source, Several) else (source,)
    return len(parts) == 1 and isinstance(parts[0], WebPage | PageFile)


def contents(
    source: Source, extractor: MainContent, tell: Callable[[str], None]
) -> Iterator[tuple[RawPage, Content | ParseError]]:
    """Learn from all pages of a source, then extract the content of each."""
    for number, raw in enumerate(source.pages()):
        tell(f"{number:,} pages read")
        try:
            extractor.learn(parse(raw))
        except ParseError:
            continue  # told when its content is asked for
    for raw in source.pages():
        try:
            yield raw, extractor.content(parse(raw), counted=True)
        except ParseError as error:
            yield raw, error


Telling: TypeAlias = Callable[[Page], Mapping[str, str]]


class ContentOutput:
    """Writes contents to the screen, a file or a folder."""

    def __init__(self, form: str, out: Path | None, things: ExitStack, *, alone: bool) -> None:
        """Open what is written to; `things` closes it; `alone` tells of one page."""
        self.pages = 0
        self.failures = Notes()
        self._form = form
        self._out = out
        self._is_file = alone and out is not None and out.suffix == f".{form}"
        self._names = FileNames(f".{form}")
        self._lines: IO[bytes] | None = None
        if out is not None and form == "jsonl":
            self._lines = things.enter_context(whole_lines(out))

    def page(self, raw: RawPage, content: Content | ParseError, tell: Telling) -> None:
        """Write the content of a page, and what `tell` says of it."""
        if isinstance(content, ParseError):
            problem = Problem("parse", type(content).__name__, str(content))
            self.failures.add(reason(problem, raw.url), problem.message)
            return
        self.pages += 1
        told = tell(content.page)
        if self._lines is not None:
            self._lines.write(as_line(content, told).encode("utf-8", "replace") + b"\n")
        elif self._form == "jsonl":
            screen.say(as_line(content, told))
        elif self._out is None:
            screen.say(self._written(content, told) + BETWEEN)
        else:
            place = self._out if self._is_file else self._out / self._names.name(raw.url)
            with explained(place):
                put(place, (self._written(content, told) + "\n").encode("utf-8", "replace"))

    def _written(self, content: Content, told: Mapping[str, str]) -> str:
        head = front_matter({"url": content.page.url, **told}) + "\n" if told else ""
        return head + str(written(content, self._form))


@contextmanager
def whole_lines(path: Path) -> Iterator[IO[bytes]]:
    """Open a file of lines that takes its place when it is whole; packed as its name says."""
    draft = draft_of(path)
    with explained(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        spare_others(path)
        try:
            with opened(draft, path.suffix.lower()) as file:
                yield file
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)


def told_by(page: Page) -> dict[str, str]:
    """Return what a page tells of itself: title, date, author."""
    return {item.kind: item.text for item in metadata(page)}


def told_nothing(_page: Page) -> dict[str, str]:
    """Return nothing: it takes time and was not asked for."""
    return {}


def as_line(content: Content, told: Mapping[str, str]) -> str:
    """Write content as a line of JSON: the item, and the page it is of."""
    line = {"url": content.page.url, **told, **asdict(content.item)}
    return json.dumps(line, ensure_ascii=False)
