"""What a worker does with its part of a source: it surveys, renders and processes pages.

It reads the store and writes nothing: all that it finds goes to the driver (`job.py`), in this
process or in another one, which saves it. So a worker may die at any time; what it had not told is
done again by the next one.

Pages of the default mode go this way, if the areas of their site were decided (`learn.py`):

    parse ► lay the areas of the site over it ► extract

Else they wait until that is done. Paper mode has a loop of its own (`paper/loop.py`). A page that
fails is a result with a problem in it.
"""

import logging
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from math import fsum
from time import monotonic
from typing import Protocol, TypeAlias

from webstencil.codec import encode_result
from webstencil.errors import BrowserMissing, StoreError, WebstencilError
from webstencil.jobs.sites import Sites, lay_site
from webstencil.jobs.survey import (
    ParsedPages,
    Surveyed,
    Surveyor,
    digest,
    ignore,
    surveyed_page,
    with_storable_names,
)
from webstencil.model import Mode, Page, PageResult, Problem, RawPage, Status, Stencil
from webstencil.protocols import (
    Done,
    Extractor,
    LiveSource,
    PageEvent,
    Renderer,
    Resources,
    Source,
    Store,
    Unchanged,
)
from webstencil.report import StageClock
from webstencil.settings import Settings
from webstencil.site.outline import Oddity, OutlinedPage, outline
from webstencil.site.plan import RenderedWitness
from webstencil.site.site_model import SurveyedPage
from webstencil.sources import Note, PartOf
from webstencil.sources.opening import Several
from webstencil.sources.parts import pages_named
from webstencil.stages import (
    WITH_WHOLE_SITE,
    Auditor,
    Processed,
    check_mapping,
    check_order,
    make_extractors,
    result_without_areas,
    segment_page,
    skip_rare,
    with_items,
)
from webstencil.urls import site_of

log = logging.getLogger(__name__)

WAITS = Problem("learn", "waiting", "its site is learned when more of its pages are known")
NOT_WAITING = frozenset({Status.FAILED, Status.REDIRECT})  # whatever is known of the site later
NOT_HERE = "the source does not have it any more"
# A transaction takes longer than a hit, and one for many pages hardly longer than one for one. So
# hits are told together; a page that was rendered is not put at risk.
MOST_TOGETHER = 64  # pages; with more, a page saves no time that can be measured
LONGEST_TOGETHER = 0.5  # s, after which those who look on want to see results


class _NoResources:
    """Answers for a page that brings nothing along."""

    def fetch(self, url: str) -> None:
        """Return None."""


NO_RESOURCES = _NoResources()


# Orders, and what workers say


class Phase(Enum):
    """What workers do with the pages of a source."""

    SURVEY = auto()  # make their outlines
    RENDER = auto()  # render those that are wanted
    PROCESS = auto()  # find their areas


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be done with all pages of a source."""

    phase: Phase
    surveyed: bool = False  # the source was surveyed before its pages are processed
    wanted: frozenset[str] = frozenset()  # URLs of pages to render


@dataclass(frozen=True, slots=True)
class Rendering:
    """What came of a page that was to be rendered; nothing if another job has rendered it."""

    url: str
    witness: RenderedWitness | None = None
    failed: str = ""  # why it could not be rendered
    no_browser: str = ""  # why no page can be rendered at all


@dataclass(frozen=True, slots=True)
class Effort:
    """What a worker has spent so far."""

    rendered: int = 0  # pages, to check them or in paper mode to learn them
    audited: int = 0
    agreed: float = 0.0  # sum over the audits
    seconds: tuple[tuple[str, float], ...] = ()  # by stage


@dataclass(frozen=True, slots=True)
class WorkerProgress:
    """What became of pages."""

    events: tuple[PageEvent, ...]
    effort: Effort
    repeated: int = 0  # pages left out so far because their URL came before


@dataclass(frozen=True, slots=True)
class Ended:
    """A worker has done what was ordered; the warnings of its source."""

    notes: tuple[Note, ...] = ()
    missing: frozenset[str] = frozenset()  # URLs of style sheets


@dataclass(frozen=True, slots=True)
class LostPage:
    """A page without a result, because it crashes its worker processes."""

    url: str
    origin: str
    why: str  # exit code or signal of the last one
    phase: Phase = Phase.PROCESS  # what was being done with it


@dataclass(frozen=True, slots=True)
class WorkersBroken:
    """The job cannot go on."""

    error: WebstencilError


Said: TypeAlias = Surveyed | Rendering | WorkerProgress | Ended | LostPage | WorkersBroken


# The two loops over pages


class PageLoop(Protocol):
    """Takes pages through the stages up to their areas."""

    learns_sites: bool  # as a whole, before their pages are processed
    keeps_sites_together: bool  # one worker has all pages of a site, in their order

    def process(
        self, page: Page, resources: Resources, *, origin: str, outlined: OutlinedPage | None
    ) -> Processed:
        """Find the areas of a page; `outlined` is what it tells if its source is read only once."""

    def again(self, page: Page, result: PageResult) -> PageResult:
        """Return the result of a page that has waited, now that its whole site is known."""

    def versions(self) -> Mapping[str, int]:
        """Return what pages were made with that may be made again."""

    def is_outdated(self, site: str, version: int) -> bool:
        """Return whether more is known of a site than when a page was processed."""

    def has_dropped(self, site: str) -> bool:
        """Return whether a site is to be read again: what was learned of it must be saved first."""

    def forget(self) -> None:
        """Forget what is known of sites, to be read again."""


def loop_for(store: Store, auditor: Auditor, sites: Sites) -> PageLoop:
    """Choose the loop over pages: nobody else asks for the mode."""
    if auditor.settings.mode is Mode.PAPER:
        from webstencil.paper.loop import PaperLoop  # noqa: PLC0415 - the default needs none of it

        return PaperLoop(store, auditor, sites.pages_like)
    return AreaLoop(store, auditor, sites)


class AreaLoop:
    """Lays the areas of their sites over pages."""

    learns_sites = True
    keeps_sites_together = False

    def __init__(self, store: Store, auditor: Auditor, sites: Sites) -> None:
        self._store = store
        self._auditor = auditor
        self._sites = sites
        self._settings = auditor.settings

    def process(
        self, page: Page, resources: Resources, *, origin: str, outlined: OutlinedPage | None
    ) -> Processed:
        if is_redirect(page):
            return Processed(PageResult(page.url, page.site, Status.REDIRECT, None, 0.0))
        if outlined is None:  # else not all pages of its template are known
            wanted = self._settings.min_pages_per_template
            skipped = skip_rare(page, wanted, self._sites.pages_like)
            if skipped is not None:
                return Processed(skipped)
        result = self._laid(page, origin, self._sites.number(page, outlined))
        if result.status is Status.HIT and self._auditor.wants(page.url):
            self._auditor.agreement(page, resources, result)
        return Processed(result)

    def again(self, page: Page, result: PageResult) -> PageResult:
        if result.status is Status.REDIRECT:
            return result
        again = self._laid(page, result.origin, self._sites.number(page))
        if again.status is Status.HIT and self._auditor.wants(page.url):
            self._auditor.agreement(page, NO_RESOURCES, again)
        return again

    def _laid(self, page: Page, origin: str, template: int) -> PageResult:
        """Lay the areas of its site over a page; it waits if they were not decided yet."""
        clock = self._auditor.clock
        clock.begin("recall")
        known = self._sites.areas(page.site)
        if not known.is_known:
            return result_without_areas(page.url, Status.WAITING, WAITS, page.site)
        clock.begin("lay")
        return lay_site(page, known, template, origin=origin)

    def versions(self) -> Mapping[str, int]:
        return self._store.runs.versions(self._settings.learner, Status.HIT, Status.LEARNED)

    def is_outdated(self, site: str, version: int) -> bool:
        return version != self._sites.areas(site).areas.version

    def has_dropped(self, site: str) -> bool:
        del site
        return False  # what is learned of sites comes from the store

    def forget(self) -> None:
        """Do nothing: `Sites` has it."""


def is_redirect(page: Page) -> bool:
    """Return whether a page only leads to another one."""
    return bool(page.markup.meta("refresh")) and outline(page).oddity is Oddity.REDIRECT


# A worker


@dataclass(frozen=True, slots=True)
class PageTask:
    """A page to be done."""

    raw: RawPage
    digest: bytes
    resources: Resources


def task_of(raw: RawPage, source: Resources) -> PageTask:
    """Return what is to be done with a page; its names become text that can be stored."""
    raw = with_storable_names(raw)
    return PageTask(raw, digest(raw), raw.resources or source)


class Worker:
    """Does what is ordered with the pages of a source, and tells what came of it."""

    def __init__(
        self,
        store: Store,
        renderer: Renderer,
        settings: Settings,
        *,
        items: Sequence[str] = (),
        extractors: Sequence[Extractor] = (),
        at_hand: Callable[[RawPage | None], None] = ignore,
    ) -> None:
        """Read the store; `at_hand` is called with each page that is begun, and None after it."""
        self.settings = settings
        self.clock = StageClock()
        self.sites = Sites(store, settings.learner)
        self.parsed = ParsedPages()
        self._auditor = Auditor(renderer, settings, self.clock)
        self.loop = loop_for(store, self._auditor, self.sites)
        self._store = store
        self._renderer = renderer
        self._at_hand = at_hand
        self._extractors = (*make_extractors(items, self.sites, self.sites.voted), *extractors)
        self._waits = self.loop.learns_sites or not WITH_WHOLE_SITE.isdisjoint(items)
        self._surveyor = Surveyor(store.outlines, at_hand, parse=self.parsed.page)
        self._together = Together()

    def do(
        self, order: Order, source: Source, is_ours: Callable[[str], bool] | None = None
    ) -> Iterator[Said]:
        """Do what is ordered; what was told is saved when the next is asked for.

        `is_ours` says of a URL whether it may be one of the source's.
        """
        if order.phase is Phase.SURVEY:
            yield from self._survey(source)
        elif order.phase is Phase.RENDER:
            wanted = frozenset(filter(is_ours, order.wanted))
            pages = pages_named(source, wanted)
            yield from self.render(((raw, raw.resources or source) for raw in pages), wanted)
        else:
            self.sites.clear()
            yield from self._process(source, is_ours, surveyed=order.surveyed)

    def effort(self) -> Effort:
        """Return what was spent so far."""
        agreements = self._auditor.agreements
        seconds = tuple(self.clock.seconds.items())
        return Effort(self._auditor.rendered, len(agreements), fsum(agreements), seconds)

    def left(self) -> WorkerProgress:
        """Return what was done and not told when the work was stopped."""
        return WorkerProgress(self._together.take(), self.effort())

    def _survey(self, source: Source) -> Iterator[Surveyed]:
        self.clock.begin("survey")
        for surveyed in self._surveyor.survey(source.pages()):
            self.clock.end()
            yield surveyed
            self.clock.begin("survey")
        self.clock.end()

    # Rendering

    def render(
        self, pages: Iterable[tuple[RawPage, Resources]], wanted: frozenset[str]
    ) -> Iterator[Rendering]:
        """Render those of some pages that are wanted; those that do not come have failed."""
        left = set(wanted)
        for one, resources in pages:
            raw = with_storable_names(one)
            if raw.url not in left:
                continue
            left.discard(raw.url)
            self._at_hand(raw)
            rendering = self._rendering(raw, resources)
            self._at_hand(None)
            yield rendering
            if rendering.no_browser or not left:
                return
        for url in sorted(left):
            yield Rendering(url, failed=NOT_HERE)

    def _rendering(self, raw: RawPage, resources: Resources) -> Rendering:
        """Render a page and find its own areas."""
        hashed = digest(raw)
        known = self._store.witnesses.known(self.settings.learner, site_of(raw.url))
        if known.get(raw.url) == hashed:  # another job has rendered it meanwhile
            return Rendering(raw.url)
        try:
            page = self.parsed.page(raw, hashed)
            segmenter = self.settings.segmenter
            own = segment_page(page, resources, self._renderer, segmenter, clock=self.clock)
            check_order(own.areas)
            check_mapping(page, own.areas)
        except StoreError:
            raise  # no page after this one would fare better
        except BrowserMissing as error:
            return Rendering(raw.url, no_browser=str(error))
        except WebstencilError as error:
            return Rendering(raw.url, failed=str(error))
        except Exception as error:  # no page ends a job
            log.warning("not rendered url=%s", raw.url, exc_info=True)
            return Rendering(raw.url, failed=f"{type(error).__name__}: {error}")
        finally:
            self.clock.end()
        witness = RenderedWitness(raw.url, raw.body, raw.charset, hashed, own.snapshot, own.areas)
        return Rendering(raw.url, witness)

    # Processing

    def _process(
        self, source: Source, is_ours: Callable[[str], bool] | None, *, surveyed: bool
    ) -> Iterator[WorkerProgress]:
        """Process what is new, changed or outdated of a source."""
        done = self._store.results.done(self.settings.learner)
        if is_ours is not None:  # to need less memory
            done = {url: digest for url, digest in done.items() if is_ours(url)}
        versions = self.loop.versions()
        together = self._together
        for arrival in source.arrivals() if isinstance(source, LiveSource) else source.pages():
            if isinstance(arrival, RawPage):
                task = task_of(arrival, source)
                url, site = task.raw.url, site_of(task.raw.url)
                if url in together or self.loop.has_dropped(site):
                    yield self._told(source)
                outdated = url in versions and self.loop.is_outdated(site, versions[url])
                if done.get(url) == task.digest and not outdated:
                    together.add(Unchanged(url, task.digest))
                else:
                    again = replace(
                        self.done(task, changed=url in done, surveyed=surveyed),
                        outdated=done.get(url) == task.digest,
                    )
                    together.add(again)
            elif arrival is not None:
                together.add(arrival)
            if together.is_due() or (arrival is None and len(together)):
                yield self._told(source)
        yield self._told(source)

    def _told(self, source: Source) -> WorkerProgress:
        whole = source.source if isinstance(source, PartOf) else source
        repeated = whole.repeated if isinstance(whole, Several) else 0
        return WorkerProgress(self._together.take(), self.effort(), repeated)

    def done(self, task: PageTask, *, changed: bool = False, surveyed: bool = False) -> Done:
        """Process a page; `surveyed` if its source was."""
        raw, outlined = task.raw, None
        self._at_hand(raw)
        learned, why = None, ""
        try:
            self.clock.begin("parse")
            page = self.parsed.take(raw, task.digest)
            if not surveyed:
                self.clock.begin("survey")
                outlined = surveyed_page(page, task.digest, self._store.outlines)
                self.sites.add(outlined.page)
            result, learned, why = self._areas_and_items(page, task, outlined)
        except (BrowserMissing, StoreError):
            raise  # no page after this one would fare better
        except WebstencilError as error:
            result = self._failure(raw, error)
        except Exception as error:  # the one loop over pages: the job goes on
            log.warning("failed url=%s stage=%s", raw.url, self.clock.stage, exc_info=True)
            result = self._failure(raw, error)
        finally:
            self.clock.end()
            self._at_hand(None)
        if result.status is Status.FAILED and surveyed:
            result = self.sites.named(result)
        elif result.status is Status.FAILED:  # a site is all of its pages
            outlined = outlined or self._surveyor.page(raw, task.digest)
        if result.origin != raw.origin:  # hits have it already
            result = replace(result, origin=raw.origin)
        waits = self._waits and outlined is not None and result.status not in NOT_WAITING
        waiting = replace(raw, resources=None) if waits else None
        return Done(
            result,
            task.digest,
            learned,
            why,
            changed=changed,
            surveyed=outlined,
            waiting=waiting,
            body=encode_result(result),
        )

    def _areas_and_items(
        self, page: Page, task: PageTask, outlined: SurveyedPage | None
    ) -> tuple[PageResult, Stencil | None, str]:
        """Take a page through the stages."""
        own = outlined.page if outlined is not None else None
        found = self.loop.process(page, task.resources, origin=task.raw.origin, outlined=own)
        described = self.sites.described(page, found.result, own)
        self.clock.begin("extract")
        return with_items(self._extractors, page, described), found.learned, found.why

    def again(self, raw: RawPage, before: PageResult) -> PageResult:
        """Return the result of a page that waited as it is now; as it was if that fails."""
        try:
            page = self.parsed.take(raw, digest(raw))
            described = self.sites.described(page, self.loop.again(page, before))
            self.clock.begin("extract")
            return with_items(self._extractors, page, described)
        except StoreError:
            raise
        except Exception:  # no page ends a job; the next one would meet it again
            log.warning("not settled url=%s", raw.url, exc_info=True)
            return before

    def _failure(self, raw: RawPage, error: Exception) -> PageResult:
        problem = Problem(self.clock.stage, type(error).__name__, str(error))
        return result_without_areas(raw.url, Status.FAILED, problem)


class Together(Container[str]):
    """What became of pages, in this order, to be told together; URLs differ."""

    def __init__(self) -> None:
        self._events: dict[str, PageEvent] = {}  # by URL
        self._since = 0.0
        self._urgent = False

    def add(self, event: PageEvent) -> None:
        """Add what became of a page."""
        if not self._events:
            self._since = monotonic()
        self._events[event.url] = event
        hit = isinstance(event, Unchanged) or (
            isinstance(event, Done) and event.result.status is Status.HIT
        )
        self._urgent = self._urgent or not hit

    def is_due(self) -> bool:
        """Return whether it is time to tell."""
        if not self._events:
            return False
        full = len(self._events) >= MOST_TOGETHER
        return self._urgent or full or monotonic() - self._since >= LONGEST_TOGETHER

    def take(self) -> tuple[PageEvent, ...]:
        """Return all, and begin anew."""
        events = tuple(self._events.values())
        self._events, self._urgent = {}, False
        return events

    def __len__(self) -> int:
        return len(self._events)

    def __contains__(self, url: object) -> bool:
        return url in self._events


def ending(source: Source) -> Ended:
    """Return the last message of a part, with the warnings of its source."""
    if isinstance(source, Several):
        return Ended(source.notes.all(), frozenset(source.missing))
    return Ended()
