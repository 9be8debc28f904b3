"""The models of the sites of a job: read from a store, or grown in memory.

A broad crawl has a few pages each of very many sites. So only the models that were asked for last
are in memory; one that comes back is read from the store again.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from webstencil.content.page_types import vote_of
from webstencil.errors import ParseError, SettingsError
from webstencil.markup.parse import parse
from webstencil.model import RawPage
from webstencil.site.outline import outline
from webstencil.site.site_model import OutlinedPage, SiteModel, SurveyedPage
from webstencil.urls import site_of

if TYPE_CHECKING:
    from webstencil.store.outlines import OutlineTable

HELD = 10_000  # pages of all models in memory, 15 to 65 kB each
SAVED_AT_ONCE = 64  # pages


class SiteModels:
    """The models of sites, by name.

    With a table of outlines, a model is read from it when it is asked for, and those that were
    asked for last stay in memory. Without one, models begin empty, and all stay in memory.

    >>> from webstencil.site.outline import EMPTY
    >>> models = SiteModels()
    >>> models.add(OutlinedPage("https://example.com/", EMPTY))
    >>> models("example.com").pages, models("example.org").pages
    (1, 0)
    """

    def __init__(self, outlines: "OutlineTable | None" = None, *, held: int = HELD) -> None:
        """Read models from `outlines`, and hold about so many pages in memory."""
        if held < 1:
            raise SettingsError(f"models of 1 or more pages must be held, not {held}")
        self._outlines = outlines
        self._held = held
        self._models: dict[str, SiteModel] = {}  # by site, the one asked for last at the end
        self._size = 0  # of the models in memory

    def __call__(self, site: str) -> SiteModel:
        """Return the model of a site; it changes as pages are added here."""
        model = self._models.pop(site, None)
        if model is None:
            model = SiteModel() if self._outlines is None else self._outlines.model(site)
            self._size += size_of(model)
            self._make_room()
        self._models[site] = model
        return model

    def add(self, page: OutlinedPage) -> None:
        """Add a page to the model of its site, in place of an older version.

        If there is a table, the page must be in it before the model is read again; a model that is
        not in memory is not read for that.
        """
        site = site_of(page.url)
        model = self(site) if self._outlines is None else self._models.get(site)
        if model is not None:
            self._size -= size_of(model)
            if page.url in model:
                model.subtract(page.url)
            model.add(page)
            self._size += size_of(model)

    def forget(self, site: str) -> None:
        """Drop the model of a site from memory."""
        model = self._models.pop(site, None)
        if model is not None:
            self._size -= size_of(model)

    def clear(self) -> None:
        """Drop all models from memory."""
        self._models.clear()
        self._size = 0

    @property
    def is_full(self) -> bool:
        """Return whether more is in memory than should be."""
        return self._size > self._held

    def in_memory(self) -> tuple[SiteModel, ...]:
        """Return the models in memory."""
        return tuple(self._models.values())

    def _make_room(self) -> None:
        """Drop the models asked for the longest time ago, if they can be read again."""
        while self.is_full and self._models and self._outlines is not None:
            self.forget(next(iter(self._models)))


def size_of(model: SiteModel) -> int:
    """Measure a model in pages; one without any takes memory, too."""
    return 1 + len(model)


def models_of(
    pages: Iterable[RawPage],
    outlines: "OutlineTable | None",
    things: ExitStack,
    *,
    held: int = HELD,
    typed: bool = True,
) -> SiteModels:
    """Make the models of all sites of some pages, before any page is compared with the others.

    `typed` means that pages vote on their types. Outlines go to the table. Without one they stay in
    memory; if they are too many, they go to a store that `things` deletes. Pages that are not HTML
    are left out.
    """
    left = iter(pages)
    if outlines is None:
        models = grown(left, held, typed=typed)
        if not models.is_full:
            return models
        outlines = temporary_outlines(things)
        for model in models.in_memory():
            save_outlines(model, outlines)
    survey_all(left, outlines)
    return SiteModels(outlines, held=held)


def grown(pages: Iterator[RawPage], held: int, *, typed: bool = True) -> SiteModels:
    """Make models in memory of pages until they are full; the other pages are not read."""
    models = SiteModels(held=held)
    for raw in pages:
        if models(site_of(raw.url)).takes(raw.url):
            try:
                page = parse(raw)
            except ParseError:
                continue
            types = vote_of(page) if typed else b""
            models.add(OutlinedPage(page.url, outline(page), types=types))
            if models.is_full:
                break
    return models


def survey_all(pages: Iterable[RawPage], outlines: "OutlineTable") -> None:
    """Save the outlines of pages, but for those that the table has of the same bytes."""
    from webstencil.pipeline.survey import survey  # noqa: PLC0415 - database

    for _ in survey(pages, outlines):
        pass  # it saves some pages at each step


def save_outlines(pages: Iterable[OutlinedPage], outlines: "OutlineTable") -> None:
    """Save pages, some at a time."""
    left = iter(pages)
    while some := [SurveyedPage(page) for page in islice(left, SAVED_AT_ONCE)]:
        outlines.save(some)


def temporary_outlines(things: ExitStack) -> "OutlineTable":
    """Open a table in a file that `things` deletes."""
    from webstencil.store import open_store  # noqa: PLC0415 - loads the database

    folder = things.enter_context(TemporaryDirectory(prefix="webstencil-"))
    return things.enter_context(open_store(Path(folder) / "outlines.db")).outlines
