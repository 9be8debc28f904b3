"""`webstencil extract`: the main content of pages."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import IO, TypeAlias, TypedDict, Unpack

import click

import webstencil
from webstencil.api import metadata_of, written
from webstencil.cli import screen
from webstencil.cli.endings import reason, refuse_nothing
from webstencil.cli.options import PATH, base_url_option, is_stdout, javascript_option, scripts_if
from webstencil.cli.screen import Talk
from webstencil.cli.wanted_pages import WantedPages, refuse_unwanted, template_option, type_option
from webstencil.codec import put
from webstencil.content.extractor import Content, MainContent, Policy, alone
from webstencil.errors import ParseError, SettingsError
from webstencil.items.metadata import Metadata
from webstencil.jobs.sites import Sites
from webstencil.jobs.survey import models_of
from webstencil.markup.parse import parse
from webstencil.model import Page, Problem, RawPage
from webstencil.output.files import (
    FileNames,
    draft_file,
    refuse_among_pages,
    writing_explained,
)
from webstencil.output.formats import LINES_ENDINGS, ending_of, format_of, lines_file
from webstencil.output.json_lines import opened, spare_others
from webstencil.output.markdown import front_matter
from webstencil.protocols import Resources, Source
from webstencil.report import Report
from webstencil.site.outline import outline
from webstencil.site.templates import EMPTY_SITE, NO_TEMPLATE, SiteTemplates
from webstencil.sources import Notes, Noting, PageFile, Several, WebPage, open_page, open_sources
from webstencil.sources.file import GivenPage
from webstencil.sources.opening import STDIN, WEB_SCHEMES, is_page_file, open_stdin
from webstencil.stages import today
from webstencil.urls import join_url

Facts: TypeAlias = Mapping[str, object]  # by kind, of a page
Through: TypeAlias = Callable[[RawPage, Resources], RawPage]
FORMATS = ("txt", "md", "html", "json", "jsonl", "xml-tei")
WITH_METADATA = ("md", "jsonl", "json", "xml-tei")
ONE_PAGE = ("json", "xml-tei")  # a file has one page
WITH_TEMPLATE = ("json", "jsonl")  # always; md if it has metadata
USUAL_FORMAT = "md"
ENDINGS = {  # of files, by format
    **{f".{name}": name for name in ("md", "txt", "html", "json")},
    ".xml": "xml-tei",
    **LINES_ENDINGS,
}
BEFORE = {  # each of several pages on standard output
    "txt": "==> {} <==",
    "md": "<!-- {} -->",
    "html": "<!-- {} -->",
}
REFRESH = re.compile(r"(?i)^\s*[\d.]*\s*[;,]?\s*url\s*=\s*(.+)")  # content of a `meta` element
REDIRECT_TEXT = 300  # characters that a page may have beside sending its reader elsewhere


class ExtractOptions(TypedDict):
    """Options of `webstencil extract`."""

    names: tuple[str, ...]
    store_path: str | None
    form: str | None
    out: Path | None
    template: str | None
    page_type: str | None
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
    help="Plain text, Markdown, an HTML fragment, JSON (an object for one page, or a line for each "
    "page), or TEI XML. json and xml-tei have the metadata.  [default: that of OUT, else md]",
)
@click.option(
    "--out",
    type=PATH,
    help="Write to this file, whose end tells the format: .txt, .md, .html, .json, .xml for one "
    "page, .jsonl (also .jsonl.gz and .jsonl.zst) for any number; a name without an end is a "
    "folder with a file for each page.  [default: standard output, as -]",
)
@template_option
@type_option
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
    out = None if is_stdout(options["out"]) else options["out"]
    form = format_of(out or Path(), options["form"], endings=ENDINGS, usual=USUAL_FORMAT)
    if options["metadata"] and form not in WITH_METADATA:
        raise SettingsError(f"--metadata needs --format {' or '.join(WITH_METADATA)}")
    wanted = WantedPages(options["template"], options["page_type"])
    if form == "html":
        refuse_among_pages(out, options["names"])
    with ExitStack() as things:
        path = options["store_path"]
        # By its public name, which loads the database only for a store.
        store = things.enter_context(webstencil.open_store(path)) if path else None
        scripts = things.enter_context(scripts_if(options["javascript"]))
        source = source_of(options["names"], options["base_url"], scripts)
        ticker = screen.Ticker(Talk.DISPLAY if out else Talk.QUIET)
        refuse_several(form, out, source)
        write = ContentOutput(form, out, things, alone=is_one_page(source))
        described = options["metadata"] or form in ONE_PAGE
        typed = described or form == "jsonl" or wanted.page_type is not None
        named = described or form in WITH_TEMPLATE or wanted.template is not None
        pages = told(source.pages(), ticker.tell)
        models = models_of(pages, store.outlines if store else None, things, typed=typed)
        metadata = Metadata(models, today()) if described else None
        templates = partial(template_of, models, cache(store.templates.of) if store else None)
        extractor = MainContent(policy_of(options), models, vote=models.voted if typed else alone)
        others: set[tuple[str | None, str | None]] = set()  # templates and types of other pages
        for raw, content in contents(source, extractor):
            if isinstance(content, ParseError):
                write.failure(raw, content)
                continue
            known, number = templates(content.page) if named else (EMPTY_SITE, NO_TEMPLATE)
            template = known.name_of(number)
            if wanted.take(template, content.page_type, known.name_of):
                facts = facts_of(content, metadata, template)
                write.page(raw, replace(content, template=template or ""), facts)
            else:
                others.add((template, content.page_type))
            ticker.tell(f"{write.pages:,} pages written")
    if out:
        screen.note(f"pages written to {out}: {write.pages:,}")
    if failures := write.failures.all():
        screen.warn(screen.failures_table(failures))
    if isinstance(source, Noting) and (notes := source.notes.all()):
        screen.warn(screen.notes_table(notes))
    if others and not write.pages:
        refuse_unwanted(wanted, others)
    failed = sum(failure.count for failure in failures)
    done = write.pages + len(others)
    refuse_nothing(Report(pages=done + failed, failed=failed), options["names"])


def refuse_several(form: str, out: Path | None, source: Source) -> None:
    """Refuse to write several pages where there is place for one."""
    if is_one_page(source) or form == "jsonl":
        return
    if out is None and form in ONE_PAGE:
        raise SettingsError(
            f"--format {form} has one page; give a folder by --out, or use --format jsonl"
        )
    if out is not None and ending_of(out) and not out.is_dir():
        raise SettingsError(
            f"{out} would have one page, and there may be several; name a folder, or a file that "
            "ends in .jsonl"
        )


def template_of(
    models: Sites, stored: Callable[[str], SiteTemplates] | None, page: Page
) -> tuple[SiteTemplates, int]:
    """Return the templates of a page's site, by the store if it has some, and the page's number."""
    known = stored(page.site) if stored is not None else EMPTY_SITE
    if known.division is None:
        return models.template_without_store(page)
    return known, known.number_of(page.url, outline(page))


def facts_of(content: Content, metadata: Metadata | None, template: str | None) -> Facts:
    """Return what is said of a page beside its content: its template, its metadata if wanted."""
    if metadata is None:
        return {"template": template}
    sure = round(content.type_confidence, 4)
    known = metadata_of(content.page, metadata)
    typed = {"type": content.page_type, "type_confidence": sure} if known else {}
    return {**known, **typed, "template": template}


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
        one = open_stdin(base_url)
    elif len(names) == 1 and (names[0].startswith(WEB_SCHEMES) or is_page_file(Path(names[0]))):
        one = open_page(names[0], base_url=base_url)
    else:
        return open_sources(names, base_url=base_url, through=scripts)
    return one if scripts is None else Several([one], through=scripts)


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


class ContentOutput:
    """Writes contents to the screen, a file or a folder."""

    def __init__(self, form: str, out: Path | None, things: ExitStack, *, alone: bool) -> None:
        """Open the output; `things` closes it; `alone` means one page."""
        self.pages = 0
        self.failures = Notes()
        self._form = form
        self._out = out
        self._alone = alone
        self._is_file = out is not None and bool(ending_of(out)) and not out.is_dir()
        self._names = FileNames(next(ending for ending, name in ENDINGS.items() if name == form))
        self._lines: IO[bytes] | None = None
        if out is not None and form == "jsonl":
            self._lines = things.enter_context(whole_lines(lines_file(out)))

    def failure(self, raw: RawPage, error: ParseError) -> None:
        """Note why a page has no content."""
        problem = Problem("parse", type(error).__name__, str(error))
        self.failures.add(reason(problem, raw.url), problem.message)

    def page(self, raw: RawPage, content: Content, facts: Facts) -> None:
        """Write the content of a page, with these facts if the format has such."""
        self.pages += 1
        words = str(written(content, self._form, facts))
        described = self._form == "md" and len(facts) > 1  # more than the template
        if described:
            words = front_matter({"url": content.page.url, **facts}) + "\n" + words
        if self._lines is not None:
            self._lines.write(words.encode("utf-8", "replace") + b"\n")
        elif self._form == "jsonl":
            screen.say(words)
        elif self._out is None:
            if not (self._alone or described):
                screen.say(BEFORE[self._form].format(content.page.url.replace("-->", "--%3E")))
            screen.say(words + "\n")
        else:
            path = self._out if self._is_file else self._out / self._names.name(raw.url)
            with writing_explained(path):
                put(path, (words + "\n").encode("utf-8", "replace"))


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
