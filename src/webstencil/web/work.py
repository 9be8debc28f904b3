"""What is done with a page that a visitor tries, and the process in which it is done.

The page may be anything, so that parsing, rendering and segmenting it may take any time; a process
of its own can be ended. There is one, and it works on one page at a time, within a time.
"""

import signal
from collections.abc import Iterator
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from threading import BoundedSemaphore, Lock
from typing import Protocol, TypeAlias

from webstencil.content.extractor import MainContent
from webstencil.errors import PageTimeout, RenderError, SourceError, WebstencilError
from webstencil.items.metadata import metadata
from webstencil.jobs.sites import lay_stored
from webstencil.markup.parse import parse
from webstencil.model import Mode, Page, PageArea, PageResult, RawPage, Resource
from webstencil.network import names_private_machine
from webstencil.output.overlay import png_size
from webstencil.paper.loop import NoHit, by_paper
from webstencil.paper.stencils import SiteKnowledge
from webstencil.protocols import Segmenter, Source
from webstencil.queries.lists import Place, learner_words
from webstencil.queries.sites import SiteKey
from webstencil.render import ChromiumRenderer
from webstencil.segment import VIPS
from webstencil.segment.vips import AreaStructure
from webstencil.settings import Settings
from webstencil.sources import WebPage
from webstencil.stages import described_areas, segment_page
from webstencil.store import existing_store

MOST_LOADED = 20.0  # s to load a page; then it is taken as it is
ANY_DISTANCE = 1.0  # the most that a distance can be
LONGEST_TRIAL = 60.0  # s for one page; a slow one takes 5
MOST_VISITORS = 4  # pages, the one in work included
START_TIME = 60.0  # s in which the process has loaded what it needs; it takes one
STOP_TIME = 10.0  # s in which the process ends by itself when it is told to


@dataclass(frozen=True, slots=True)
class Given:
    """A page that was typed or uploaded: it brings nothing along."""

    url: str
    body: bytes
    charset: str | None = None

    def pages(self) -> Iterator[RawPage]:
        yield RawPage(self.url, self.body, self.charset)

    def count(self) -> int:
        return 1

    def fetch(self, url: str) -> Resource | None:
        """Return None: there is nothing but the page."""
        del url
        return None


@dataclass(frozen=True, slots=True)
class Address:
    """A page that the server fetches."""

    url: str


Origin: TypeAlias = Given | Address


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of a page."""

    url: str
    told: str  # what was done, in a few words
    areas: tuple[PageArea, ...]
    verdict: str = ""  # of stencils laid over it
    hit: bool = True
    stencil: str = ""  # key of the most similar one, if stencils were laid over it
    template: int | None = None  # number of its template, if slots of a site were
    site: SiteKey | None = None  # whose slots they were
    size: tuple[float, float] | None = None  # px, of the page if it was rendered
    screenshot: bytes = b""  # PNG
    screenshot_size: tuple[int, int] = (0, 0)  # px
    structures: tuple[AreaStructure, ...] = ()  # of each area, if VIPS cut the page
    facts: tuple[tuple[str, str], ...] = ()  # type and metadata: kind and text


class TrialTask(Protocol):
    """Something to be done with a page."""

    def run(self, renderer: ChromiumRenderer) -> Tried:
        """Do it; raise a `WebstencilError` if it cannot be done."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Render a page and find its areas."""

    origin: Origin
    segmenter: Segmenter

    def run(self, renderer: ChromiumRenderer) -> Tried:
        segmenter = self.segmenter
        page, source = opened_page(self.origin)
        rendered = segment_page(page, source, renderer, segmenter, screenshot=True)
        snapshot = rendered.snapshot
        picture = snapshot.screenshot or b""
        late = "" if snapshot.complete else "; it was still loading when its time was up"
        return Tried(
            url=page.url,
            told=f"rendered, and cut by {learner_words(repr(segmenter))}{late}",
            areas=described_areas(page, rendered),
            size=(snapshot.rect.width, snapshot.rect.height),
            screenshot=picture,
            screenshot_size=png_size(picture),
            structures=segmenter.structure(snapshot) if isinstance(segmenter, VIPS) else (),
            facts=facts_of_page(page),
        )


@dataclass(frozen=True, slots=True)
class LayOver:
    """Lay the stencils of a site over a page, without a browser."""

    origin: Origin
    place: Place  # of the store
    site: SiteKey
    made_by: str
    mode: Mode

    def run(self, renderer: ChromiumRenderer) -> Tried:
        del renderer
        page, _ = opened_page(self.origin)
        with existing_store(self.place) as store:
            if self.mode is Mode.DEFAULT:
                result = lay_stored(page, store, self.made_by, self.site.site)
                laid = replace(with_slots(result), site=self.site)
                return replace(laid, facts=facts_of_page(page))
            known = SiteKnowledge()
            for stencil in store.stencils(self.site.site, self.made_by):
                known.learn(stencil)
        return replace(laid_over(page, known), facts=facts_of_page(page))


def facts_of_page(page: Page) -> tuple[tuple[str, str], ...]:
    """Return the type and the metadata of a page, to be shown."""
    content = MainContent().content(page)
    sure = f"{content.page_type} (confidence {content.type_confidence:.2f})"
    typed = (("type", sure),) if content.type_confidence else ()  # not of a page without text
    return (*typed, *[(item.kind.replace("_", " "), item.text) for item in metadata(page)])


def opened_page(origin: Origin) -> tuple[Page, Source]:
    """Return a page, and where its style sheets come from."""
    if isinstance(origin, Given):
        source: Source = origin
    else:
        if names_private_machine(origin.url):  # of the server's own network
            raise SourceError(
                f"{origin.url} is no public address; save the page and upload the file"
            )
        source = WebPage(origin.url, guarded=True)
    return parse(next(iter(source.pages()))), source


def with_slots(result: PageResult) -> Tried:
    """Show the slots of a site on a page."""
    named = sum(area.slot is not None for area in result.areas)
    told = f"{named} slots of its site laid over it; nothing was rendered"
    template = f", template {result.template}" if result.template else ", no template of its site"
    kind = f", type {result.type} ({result.type_confidence:.2f})" if result.type else ""
    verdict = f"confidence {result.confidence:.3f}{template}{kind}"
    return Tried(result.url, told, result.areas, verdict, template=result.template_number or 0)


def laid_over(page: Page, known: SiteKnowledge) -> Tried:
    """Lay stencils over a page, as a run in paper mode does; show also what it would learn."""
    answer = by_paper(page, known, Settings(mode=Mode.PAPER))
    done = f"{len(known.stencils)} stencils laid over it; nothing was rendered"
    if isinstance(answer, PageResult):
        return Tried(page.url, done, answer.areas, hit_words(answer), True, answer.stencil or "")
    would = by_paper(page, known, Settings(mode=Mode.PAPER, threshold=ANY_DISTANCE))
    if isinstance(would, NoHit):
        return Tried(page.url, done, (), answer.why, hit=False)
    return Tried(page.url, done, would.areas, answer.why, False, would.stencil or "")


def hit_words(result: PageResult) -> str:
    """Say how sure a hit is."""
    whole, told = ANY_DISTANCE, [f"confidence {result.confidence:.3f}"]
    if result.problems:
        parts = sum(area.confidence < whole for area in result.areas)
        missing = len(result.problems) - parts
        told += [f"{missing} areas are not on this page"] * bool(missing)
        told += [f"{parts} areas are found in part"] * bool(parts)
    return "; ".join(told)


def _work(pipe: Connection) -> None:
    """Do tasks as they come, until nobody is there to give any."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends us
    renderer = ChromiumRenderer(page_timeout=MOST_LOADED)
    try:
        pipe.send(None)  # all is loaded
        while True:
            task: TrialTask = pipe.recv()
            answer: Tried | str  # or why nothing came of the page
            try:
                answer = task.run(renderer)
            except WebstencilError as error:
                answer = str(error)
            pipe.send(answer)
    except (EOFError, BrokenPipeError):
        return
    finally:
        renderer.close()


class Busy(RenderError):
    """Too many pages wait already."""


class Failed(RenderError):
    """A page could not be worked on."""


class Workplace:
    """Holds the process that works; it is started with the first page. Close it."""

    def __init__(self, longest: float = LONGEST_TRIAL) -> None:
        self._longest = longest
        self._places = BoundedSemaphore(MOST_VISITORS)
        self._one = Lock()
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None

    def do(self, task: TrialTask) -> Tried:
        """Have a task done; raise a `RenderError` if it cannot be, or not now, or not in time."""
        if not self._places.acquire(blocking=False):
            raise Busy(f"{MOST_VISITORS} pages wait already; send yours again in a minute")
        try:
            with self._one:
                answer = self._answer(task)
        finally:
            self._places.release()
        if isinstance(answer, str):
            raise Failed(answer)
        return answer

    def close(self) -> None:
        """End the process, and with it the browser; a page in work is given up."""
        if not self._one.acquire(blocking=False):
            if (process := self._process) is not None:
                process.kill()  # who waits for it is told so by the end of the pipe
            return
        try:
            if self._pipe is not None and self._process is not None:
                self._pipe.close()
                self._process.join(STOP_TIME)
            self._end()
        finally:
            self._one.release()

    def _answer(self, task: TrialTask) -> Tried | str:
        try:
            pipe = self._ready()
            pipe.send(task)
            if not pipe.poll(self._longest):
                self._end()
                raise PageTimeout(
                    f"this took longer than {self._longest:g} s and was ended; try a smaller page"
                )
            answer: Tried | str = pipe.recv()
        except (EOFError, OSError) as error:
            self._end()
            raise Failed(
                "this page ended the process that worked on it; try a smaller one, or "
                "`webstencil --debug segment FILE` to see why"
            ) from error
        return answer

    def _ready(self) -> Connection:
        """Return the pipe to a process that works."""
        if self._pipe is None or self._process is None or not self._process.is_alive():
            self._end()
            context = get_context("spawn")  # a fork of a process with threads may hang
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=_work, args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
            if not self._pipe.poll(START_TIME):
                raise EOFError
            self._pipe.recv()
        return self._pipe

    def _end(self) -> None:
        pipe, process, self._pipe, self._process = self._pipe, self._process, None, None
        if pipe is not None:
            pipe.close()
        if process is not None:
            process.kill()
            process.join()
