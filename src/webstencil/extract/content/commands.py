"""`webstencil extract`: the main content of pages."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO, TypedDict, Unpack
from urllib.parse import urlsplit

import click

from webstencil import screen
from webstencil.api import written
from webstencil.errors import ParseError, WebstencilError
from webstencil.extract.content.extractor import Content, MainContent
from webstencil.extract.content.policy import Policy
from webstencil.model import RawPage
from webstencil.parse import parse
from webstencil.seams import Source
from webstencil.sources import Folder, PageFile, WebPage
from webstencil.store import open_store

FORMATS = ("txt", "md", "html", "jsonl")
BETWEEN = "\n"  # what follows each page of a stream of texts
LONGEST_NAME = 200  # characters; most file systems take 255 bytes

_UNSAFE = re.compile(r"[^A-Za-z0-9.-]+")


class ExtractWanted(TypedDict):
    """What a person asks for."""

    name: str
    store_path: Path | None
    form: str
    out: Path | None
    base_url: str | None
    comments: bool
    tables: bool
    captions: bool


@click.command("extract")
@click.argument("name", metavar="FOLDER|FILE|URL")
@click.option(
    "--store",
    "store_path",
    type=click.Path(path_type=Path),
    help="Keep what the site teaches in this file, and use what is in it.",
)
@click.option("--format", "form", type=click.Choice(FORMATS), default="md", show_default=True)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Write here: a file for jsonl, else a folder with a file for each page.",
)
@click.option("--base-url", help="The address of the folder's top, if its name does not tell it.")
@click.option("--comments/--no-comments", default=False, help="With what readers wrote.")
@click.option("--tables/--no-tables", default=True, help="With tables of data.")
@click.option("--captions/--no-captions", default=True, help="With the texts of images.")
def extract_command(**wanted: Unpack[ExtractWanted]) -> None:
    """Extract the main content of a page, or of all pages below a folder.

    The pages of a folder are read twice: each is judged by all the others.
    """
    policy = Policy(wanted["comments"], wanted["tables"], wanted["captions"])
    with ExitStack() as things:
        path = wanted["store_path"]
        store = things.enter_context(open_store(path)) if path else None
        extractor = MainContent(policy, store)
        source = source_of(wanted["name"], wanted["base_url"])
        write = Output(wanted["form"], wanted["out"], things)
        for raw, content in contents(source, extractor):
            write.page(raw, content)
        extractor.save()
    if write.failed:
        screen.complain(f"{write.failed} pages could not be read as HTML")


def source_of(name: str, base_url: str | None) -> Source:
    """Return the source that a person names."""
    if name.startswith(("http://", "https://")):
        return WebPage(name)
    return Folder(name, base_url=base_url) if Path(name).is_dir() else PageFile(name)


def contents(
    source: Source, extractor: MainContent
) -> Iterator[tuple[RawPage, Content | ParseError]]:
    """Learn from all pages of a source, then extract the content of each."""
    for raw in source.pages():
        try:
            extractor.learn(parse(raw))
        except ParseError:
            continue  # told when its content is asked for
    for raw in source.pages():
        try:
            yield raw, extractor.content(parse(raw), counted=True)
        except ParseError as error:
            yield raw, error


class Output:
    """Writes contents to the screen, a file or a folder."""

    def __init__(self, form: str, out: Path | None, things: ExitStack) -> None:
        """Open what is written to; `things` closes it."""
        self.failed = 0
        self._form = form
        self._out = out
        self._lines: BinaryIO | None = None
        if out is not None and form == "jsonl":
            try:
                out.parent.mkdir(parents=True, exist_ok=True)
                self._lines = things.enter_context(out.open("wb"))
            except OSError as error:
                raise WebstencilError(f"cannot write {out}: {error.strerror}") from error

    def page(self, raw: RawPage, content: Content | ParseError) -> None:
        """Write the content of a page."""
        if isinstance(content, ParseError):
            self.failed += 1
        elif self._form == "jsonl":
            line = as_line(content)
            if self._lines is None:
                screen.say(line)
            else:
                self._lines.write(line.encode("utf-8", "replace") + b"\n")
        elif self._out is None:
            screen.say(self._written(content) + BETWEEN)
        else:
            self._file(self._out / file_name(raw.url, self._form), content)

    def _written(self, content: Content) -> str:
        return str(written(content, self._form))

    def _file(self, place: Path, content: Content) -> None:
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(self._written(content) + "\n", encoding="utf-8", errors="replace")
        except OSError as error:
            raise WebstencilError(f"cannot write {place}: {error.strerror}") from error


def as_line(content: Content) -> str:
    """Write content as a line of JSON: the item, and the page it is of."""
    return json.dumps({"url": content.page.url, **asdict(content.item)}, ensure_ascii=False)


def file_name(url: str, form: str) -> str:
    """Name the file of a page by its address."""
    path = urlsplit(url)
    words = _UNSAFE.sub("_", f"{path.path}_{path.query}" if path.query else path.path).strip("_")
    return f"{words[:LONGEST_NAME] or 'index'}.{form}"
