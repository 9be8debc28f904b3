"""Results as a folder of HTML pages: one per page, and a list of all by template."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Self, TypeAlias
from urllib.parse import quote

from webstencil.model import PageResult, Status
from webstencil.output.file_names import FileNames
from webstencil.output.files import claimed_folder, explained, put_changed
from webstencil.output.html_pages import LIST, ListedPage, drawing, list_html, page_html, row_of
from webstencil.output.pictures import PagePicture, find_picture

ENDING = ".html"
PAGES = "pages"  # folder of the files of pages

Drawing: TypeAlias = tuple[tuple[bool, str], str]  # the rank of its page, then the drawing


class HtmlFolder:
    """A folder of HTML pages, in step with a store; files are written atomically.

    The list is written at the end of a run.
    """

    def __init__(self, path: str | Path, known: Callable[[], Iterable[PageResult]] = tuple) -> None:
        """Write the results of `known` that are not there yet."""
        self._folder = path = Path(path)
        self._names = FileNames(ENDING)
        self._rows: dict[str, ListedPage] = {}  # by URL
        self._drawings: dict[str, Drawing] = {}  # by stencil
        with explained(path):
            self._claim = claimed_folder(path, "HTML")
            for result in known():
                self.write(result)

    def write(self, result: PageResult) -> None:
        """Write the file of a page."""
        file = PAGES / self._names.name(result.url)
        self._rows.pop(result.url, None)
        self._rows[result.url] = row_of(result, quote(str(file)))
        learned = result.status is Status.LEARNED
        picture = find_picture(self._folder, result.url) if learned else None
        if result.stencil is not None:
            self._draw(result, result.stencil, picture)
        put_changed(self._folder / file, page_html(result, "../" * (len(file.parts) - 1), picture))

    def close(self) -> None:
        """Write the list of all pages, and release the folder."""
        drawings = {stencil: drawn for stencil, (_, drawn) in self._drawings.items()}
        put_changed(self._folder / LIST, list_html(self._rows.values(), drawings))
        self._claim.release()

    def _draw(self, result: PageResult, stencil: str, picture: PagePicture | None) -> None:
        """Draw a stencil: by the page it was learned from, else by the first URL."""
        rank = result.status is not Status.LEARNED, result.url
        if stencil not in self._drawings or rank <= self._drawings[stencil][0]:
            self._drawings[stencil] = rank, drawing(result.areas, picture.svg() if picture else "")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
