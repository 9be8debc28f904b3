"""`webstencil extract`: the main content of pages."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import IO, TypeAlias, TypedDict, Unpack

import click

import webstencil
from webstencil.api import metadata_of, written
from webstencil.cli import screen
from webstencil.cli.endings import reason, refuse_nothing
from webstencil.cli.options import base_url_option, javascript_option, scripts_if
from webstencil.cli.talk import Talk
from webstencil.codec import put
from webstencil.content.extractor import Content, MainContent, Policy, alone
from webstencil.errors import ParseError, SettingsError
from webstencil.items.metadata import Metadata
from webstencil.jobs.survey import models_of
from webstencil.markup.parse import parse
from webstencil.model import Page, Problem, RawPage
from webstencil.output.files import FileNames, draft_file, refuse_among_pages, writing_explained
from webstencil.output.json_lines import opened, spare_others
from webstencil.output.markdown import front_matter
from webstencil.protocols import Resources, Source
from webstencil.report import Report
from webstencil.sources import Notes, Noting, PageFile, Several, WebPage, open_sources
from webstencil.sources.file import GivenPage
from webstencil.sources.opening import STDIN, WEB_SCHEMES, open_stdin
from webstencil.stages import today
from webstencil.urls import join_url

Through: TypeAlias = Callable[[RawPage, Resources], RawPage]
FORMATS = ("txt", "md", "html", "json", "jsonl", "xml-tei")
WITH_METADATA = ("md", "jsonl", "json", "xml-tei")
ONE_PAGE = ("json", "xml-tei")  # a file has one page
ENDINGS = {"xml-tei": "xml"}  # of files, where they differ from the format
BETWEEN = "\n"  # after each page
REFRESH = re.compile(r"(?i)^\s*[\d.]*\s*[;,]?\s*url\s*=\s*(.+)")  # content of a `meta` element
REDIRECT_TEXT = 300  # characters that a page may have beside sending its reader elsewhere


class ExtractOptions(TypedDict):
    """Options of `webstencil extract`."""

    names: tuple[str, ...]
    store_path: str | None
    form: str
    out: Path | None
    base_url: str | None
    comments: bool
    tables: bool
    captions: bool
    cards: bool
    related: bool
    specifications: bool
    metadata: bool
    javascript: bool


@click.command("extract")
@click.argument("names", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "--store",
    "store_path",
    metavar="STORE",
    help="Also compare with the pages in this store, and add these to it.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="md",
    show_default=True,
    help="Plain text, Markdown, an HTML fragment, JSON (an object a page, or lines of items), or "
    "TEI XML. json and xml-tei have the metadata.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="File (for jsonl or one page) or folder (one file a page).  [default: stdout]",
)
@base_url_option
@click.option("--comments/--no-comments", default=False, help="Include comments of readers.")
@click.option("--tables/--no-tables", default=True, help="Include data tables.")
@click.option("--captions/--no-captions", default=True, help="Include captions of images.")
@click.option(
    "--cards/--no-cards", default=True, help="Include cards: teasers, products of a list."
)
@click.option("--related/--no-related", default=False, help="Include links named as related.")
@click.option(
    "--specifications/--no-specifications",
    default=True,
    help="Include tables and definitions of product pages.",
)
@click.option(
    "--metadata",
    is_flag=True,
    help="Include title, authors, dates, language and more: as fields in jsonl, as front matter in "
    "md.",
)
@javascript_option
def extract_command(**options: Unpack[ExtractOptions]) -> None:
    """Extract the main content of pages.

    SOURCE is the URL of a page, or a source of `webstencil run`: a folder, an HTML or WARC file, a
    pattern, a list. Sources are read twice, since each page is compared with all the others. A page
    on standard input is read as `-`; --base-url is its URL.
    """
    if options["metadata"] and options["form"] not in WITH_METADATA:
        raise SettingsError(f"--metadata needs --format {' or '.join(WITH_METADATA)}")
    policy = policy_of(options)
    with ExitStack() as things:
        path = options["store_path"]
        # By its public name, which loads the database only for a store.
        outlines = things.enter_context(webstencil.open_store(path)).outlines if path else None
        scripts = things.enter_context(scripts_if(options["javascript"]))
        source = source_of(options["names"], options["base_url"], scripts)
        if options["form"] == "html":
            refuse_among_pages(options["out"], options["names"])
        ticker = screen.Ticker(Talk.DISPLAY if options["out"] else Talk.QUIET)
        write = ContentOutput(options["form"], options["out"], things, alone=is_one_page(source))
        refuse_several(options["form"], options["out"], source)
        wanted = options["metadata"] or options["form"] in ONE_PAGE
        typed = wanted or options["form"] == "jsonl"
        models = models_of(told(source.pages(), ticker.tell), outlines, things, typed=typed)
        read = partial(metadata_of, extractor=Metadata(models, today())) if wanted else no_metadata
        extractor = MainContent(policy, models, vote=models.voted if typed else alone)
        for raw, content in contents(source, extractor):
            write.page(raw, content, read)
            ticker.tell(f"{write.pages:,} pages written")
    if options["out"]:
        screen.note(f"pages written to {options['out']}: {write.pages:,}")
    if failures := write.failures.all():
        screen.warn(screen.failures_table(failures))
    if isinstance(source, Noting) and (notes := source.notes.all()):
        screen.warn(screen.notes_table(notes))
    failed = sum(failure.count for failure in failures)
    refuse_nothing(Report(pages=write.pages + failed, failed=failed), options["names"])


def refuse_several(form: str, out: Path | None, source: Source) -> None:
    """Refuse to print several pages in a format that has one."""
    if form in ONE_PAGE and out is None and not is_one_page(source):
        raise SettingsError(
            f"--format {form} has one page; give a folder by --out, or use --format jsonl"
        )


def policy_of(options: ExtractOptions) -> Policy:
    """Return what the options say belongs to the content."""
    return Policy(
        comments=options["comments"],
        tables=options["tables"],
        captions=options["captions"],
        cards=options["cards"],
        related=options["related"],
        specifications=options["specifications"],
    )


def source_of(names: Sequence[str], base_url: str | None, scripts: Through | None) -> Source:
    """Open the sources; `scripts` changes each page as its scripts do."""
    if tuple(names) == (STDIN,):
        given = open_stdin(base_url)
        return given if scripts is None else Several([given], through=scripts)
    if len(names) == 1 and names[0].startswith(WEB_SCHEMES):
        page = WebPage(names[0])
        return page if scripts is None else Several([page], through=scripts)
    return open_sources(names, base_url=base_url, through=scripts)


def is_one_page(source: Source) -> bool:
    """Return whether a source is a single page."""
    parts = source.sources if isinstance(source, Several) else (source,)
    return len(parts) == 1 and isinstance(parts[0], WebPage | PageFile | GivenPage)


def told(pages: Iterable[RawPage], tell: Callable[[str], None]) -> Iterator[RawPage]:
    """Yield pages; tell how many were read."""
    for number, raw in enumerate(pages):
        tell(f"{number:,} pages read")
        yield raw


def contents(
    source: Source, extractor: MainContent
) -> Iterator[tuple[RawPage, Content | ParseError]]:
    """Extract the content of each page of a source; an error tells why a page has none."""
    for raw in source.pages():
        try:
            content = extractor.content(parse(raw))
        except ParseError as error:
            yield raw, error
        else:
            why = why_empty(content)
            yield raw, ParseError(f"{raw.url} {why}") if why else content


def why_empty(content: Content) -> str:
    """Return why a page has no content, empty if it has some."""
    markup = content.page.markup
    target = REFRESH.search(markup.meta("refresh"))
    if target is not None and len(content.text) <= REDIRECT_TEXT:
        there = join_url(content.page.base_url, target[1].strip("'\" ")) or target[1]
        return f"is a redirect; extract the page it leads to, {there}"
    if content.chosen:
        return ""
    if markup.frames():
        return "has frames and no text of its own; extract the pages in its frames"
    return "has no text; with --javascript its scripts run first"


ReadMetadata: TypeAlias = Callable[[Page], Mapping[str, str]]


class ContentOutput:
    """Writes contents to the screen, a file or a folder."""

    def __init__(self, form: str, out: Path | None, things: ExitStack, *, alone: bool) -> None:
        """Open the output; `things` closes it; `alone` means one page."""
        self.pages = 0
        self.failures = Notes()
        self._form = form
        self._out = out
        ending = f".{ENDINGS.get(form, form)}"
        self._is_file = alone and out is not None and out.suffix == ending
        self._names = FileNames(ending)
        self._lines: IO[bytes] | None = None
        if out is not None and form == "jsonl":
            self._lines = things.enter_context(whole_lines(out))

    def page(self, raw: RawPage, content: Content | ParseError, read: ReadMetadata) -> None:
        """Write the content of a page, and the metadata that `read` returns."""
        if isinstance(content, ParseError):
            problem = Problem("parse", type(content).__name__, str(content))
            self.failures.add(reason(problem, raw.url), problem.message)
            return
        self.pages += 1
        known: Mapping[str, object] = read(content.page)
        if known:
            sure = round(content.type_confidence, 3)
            known = {**known, "type": content.page_type, "type_confidence": sure}
        if self._lines is not None:
            line = str(written(content, self._form, known))
            self._lines.write(line.encode("utf-8", "replace") + b"\n")
        elif self._form == "jsonl":
            screen.say(str(written(content, self._form, known)))
        elif self._out is None:
            screen.say(self._written(content, known) + BETWEEN)
        else:
            path = self._out if self._is_file else self._out / self._names.name(raw.url)
            with writing_explained(path):
                put(path, (self._written(content, known) + "\n").encode("utf-8", "replace"))

    def _written(self, content: Content, known: Mapping[str, object]) -> str:
        first = known and self._form == "md"
        head = front_matter({"url": content.page.url, **known}) + "\n" if first else ""
        return head + str(written(content, self._form, known))


@contextmanager
def whole_lines(path: Path) -> Iterator[IO[bytes]]:
    """Open a file of lines that replaces the old one when complete; compressed by its suffix."""
    draft = draft_file(path)
    with writing_explained(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        spare_others(path)
        try:
            with opened(draft, path.suffix.lower()) as file:
                yield file
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)


def no_metadata(_page: Page) -> dict[str, str]:
    """Return nothing."""
    return {}
