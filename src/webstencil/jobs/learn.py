"""Learn the areas of sites: plan which pages to render, keep them, let them decide together.

The plan is a function of the outlines in the store, and so is the decision, together with the
rendered pages: whatever the order of pages, the number of workers and however often the job was
killed. A planned page that cannot be rendered is replaced by the next best. Nothing is done for a
site that is as it was.
"""

import logging
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Protocol, TypeAlias

from webstencil.errors import BrowserMissing, StoreError, WebstencilError
from webstencil.jobs.survey import decide_templates, digest, ignore, settled, with_storable_names
from webstencil.markup.parse import parse
from webstencil.model import Mode, PageResult, RawPage, Status
from webstencil.paper.stencils import check_mapping, check_order
from webstencil.protocols import Done, Renderer, Resources, Store
from webstencil.report import StageClock, unwatched
from webstencil.settings import Settings
from webstencil.site.areas import SiteAreas, WitnessVotes, decide_areas, doubts_of
from webstencil.site.lay import SiteSpots, lay
from webstencil.site.places import PageView
from webstencil.site.plan import (
    FIRST_SHARE,
    MUCH_IN_DOUBT,
    Coverage,
    Learned,
    Plan,
    PlanBase,
    RenderedWitness,
    budget_for,
    elsewhere,
    plan_renderings,
    second_plan,
)
from webstencil.site.site_model import SiteModel
from webstencil.site.slots import (
    DrawnTemplate,
    SlotWitness,
    areas_with_slots,
    drawn_areas,
    slotted,
)
from webstencil.site.survey_report import SitePlaces, lay_out, views_to_plan
from webstencil.site.templates import NO_TEMPLATE
from webstencil.site.votes import votes_of
from webstencil.stages import PageStages, labelled, segment_page
from webstencil.urls import site_of

log = logging.getLogger(__name__)

BEYOND = 1_000  # pages beyond the model, with much text of their own, that a plan looks at
STAMP_BYTES = 16


@dataclass(frozen=True, slots=True)
class SitePlan:
    """What to render of a site."""

    wanted: tuple[str, ...] = ()  # URLs of pages that are not rendered yet, in order of gain
    plan: Plan = Plan()


class SiteLearner:
    """Plans and decides for one site; what it reads of the site is read once."""

    def __init__(self, store: Store, settings: Settings, site: str) -> None:
        self.site = site
        self._store = store
        self._settings = settings
        self._learner = settings.learner
        self._model: SiteModel = store.outlines.model(site)
        self._numbers: Mapping[str, int] = store.outlines.templates(site)
        self._laid: SitePlaces = lay_out(self._model)
        sizes = Counter(number for number in self._numbers.values() if number)
        self._budget = budget_for(self._model.pages, sizes.values(), settings.budget)

    def first_plan(self, failed: Collection[str] = ()) -> SitePlan:
        """Plan renderings that cover the site; pages that were rendered before come first."""
        base = self._base()
        most = math.ceil(self._budget * FIRST_SHARE)
        views = self._views()
        plan = self._plan(views, most, base, failed)
        if self._model.pages > len(self._model) and (more := list(self._beyond(views, plan))):
            chosen = [page.url for page in plan.pages]
            plan = self._plan([*views, *more], most, {*base, *chosen}, failed)
        rendered = self._rendered()
        return SitePlan(tuple(one.url for one in plan.pages if one.url not in rendered), plan)

    def second_plan(self, first: Plan, failed: Collection[str] = ()) -> SitePlan:
        """Plan more renderings, where those of the first plan leave borders in doubt."""
        chosen = self._base().union(page.url for page in first.pages)
        known = sorted(chosen.intersection(self._rendered()))
        doubts = doubts_of(self._laid, self._votes(known))
        wanted = second_plan(
            self._views(),
            doubts,
            chosen,
            self._numbers,
            most=self._budget - len(known),
            failed=failed,
        )
        rendered = self._rendered()
        return SitePlan(tuple(url for url in wanted if url not in rendered), first)

    def _plan(
        self, views: list[PageView], most: int, rendered: Collection[str], failed: Collection[str]
    ) -> Plan:
        return plan_renderings(
            views, budget=most, templates=self._numbers, rendered=rendered, failed=failed
        )

    def _base(self) -> frozenset[str]:
        """Return the pages that were rendered before the site was as it is now."""
        table, stamp = self._store.witnesses, stamp_of(self._store, self._settings, self.site)
        base = table.plan_base(self._learner, self.site)
        if base.stamp != stamp:
            base = PlanBase(stamp, tuple(sorted(self._rendered())))
            table.save_plan_base(self._learner, self.site, base)
        return frozenset(base.rendered)

    def _rendered(self) -> frozenset[str]:
        """Return the rendered pages that are as they were; others are dropped."""
        known = self._store.witnesses.known(self._learner, self.site)
        now = self._store.outlines.known(self.site, known)
        gone = [url for url, digest in known.items() if now.get(url) != digest]
        self._store.witnesses.drop(self._learner, gone)
        return frozenset(known).difference(gone)

    def _votes(self, urls: Sequence[str]) -> list[WitnessVotes]:
        """Return what rendered pages say."""
        return [
            WitnessVotes(one.url, votes_of(parse(one.raw), one.areas, self._laid.places))
            for one in self._store.witnesses.pages(self._learner, urls)
        ]

    def _views(self) -> list[PageView]:
        """Return the pages that may be rendered; none of templates with too few pages."""
        views = views_to_plan(self._model, self._laid)
        fewest = self._settings.min_pages_per_template
        if fewest <= 1:
            return views
        pages: dict[int, int] = {}
        for number in self._numbers.values():
            pages[number] = pages.get(number, 0) + 1
        pages[NO_TEMPLATE] = 1
        return [view for view in views if pages[self._numbers.get(view.url, NO_TEMPLATE)] >= fewest]

    def _beyond(self, views: list[PageView], plan: Plan) -> Iterator[PageView]:
        """Yield pages that the model does not keep, with much text that no planned page has."""
        coverage = Coverage(views)
        chosen = {page.url for page in plan.pages}
        for view in views:
            if view.url in chosen:
                coverage.add(view, 0.0)
        found = 0
        for page in self._store.outlines.pages_beyond(self._model, self.site):
            view = self._laid.places.view(page.url, page.outline)
            if view.size and (elsewhere(view, coverage.places) > MUCH_IN_DOUBT):
                yield self._laid.places.add(page.url, page.outline)
                found += 1
                if found >= BEYOND:
                    return

    def decide(self, learned: Learned) -> SiteAreas:
        """Let the rendered pages decide, and save it; `learned` tells what they were made from."""
        table = self._store.witnesses
        before = table.areas(self._learner, self.site)
        urls = sorted(self._rendered())
        areas = decide_areas(
            self._laid, self._votes(urls), grain=self._settings.grain, before=before
        )
        areas = areas_with_slots(areas, lambda: self._witnesses(urls), labelled, before)
        same = replace(areas, version=before.version, changes=before.changes) == before
        areas = before if same else replace(areas, version=before.version + 1)
        table.save_areas(self._learner, self.site, areas)
        drawn = self._drawn_templates(areas, urls)
        self._store.templates.draw(self._learner, self.site, drawn)
        unseen = self._unseen(areas)
        table.save_learned(
            self._learner, self.site, replace(learned, rendered=len(urls), unseen=unseen)
        )
        said = self.site, len(urls), len(areas.slots), areas.version
        log.info("decided site=%s rendered=%d slots=%d version=%d", *said)
        for change in areas.changes if not same else ():
            log.info("changed site=%s: %s", self.site, change)
        return areas

    def _witnesses(self, urls: list[str]) -> Iterator[SlotWitness]:
        for one in self._store.witnesses.pages(self._learner, urls):
            number = self._numbers.get(one.url, NO_TEMPLATE)
            yield SlotWitness(parse(one.raw), one.snapshot, number)

    def _drawn_templates(self, areas: SiteAreas, urls: list[str]) -> list[DrawnTemplate]:
        """Return each template with its slots over a typical page, if one was rendered."""
        spots = SiteSpots(areas)
        templates = self._store.templates.of(self.site)
        drawn_templates = []
        for number in sorted({*self._numbers.values(), NO_TEMPLATE}):
            known = templates.template(number)
            members = [url for url in urls if self._numbers.get(url, NO_TEMPLATE) == number]
            if known is not None and known.typical in members:
                members = [known.typical]
            chosen = members[len(members) // 2 :][:1]
            drawn = DrawnTemplate(number, version=areas.version)
            for one in self._store.witnesses.pages(self._learner, chosen):
                page = parse(one.raw)
                laid = lay(spots, page.markup.body)
                places = labelled(page, one.snapshot, drawn_areas(page, one.snapshot, laid))
                drawn = replace(drawn, typical=page.url, areas=slotted(laid, places))
            drawn_templates.append(drawn)
        return drawn_templates

    def _unseen(self, areas: SiteAreas) -> float:
        """Return the share of the site's text where no rendered page has anything."""
        places = SiteSpots(areas).places
        shares = []
        for page in self._model:
            view = places.view(page.url, page.outline)
            seen = {place for place in view.sizes if areas.seen[place]}
            shares.append(elsewhere(view, seen))
        return round(sum(shares) / len(shares), 4) if shares else 0.0


def render_witness(
    raw: RawPage,
    digest: bytes,
    resources: Resources,
    renderer: Renderer,
    settings: Settings,
    *,
    clock: StageClock | None = None,
) -> RenderedWitness:
    """Render a page and find its own areas; raise a `WebstencilError` if that fails."""
    page = parse(raw)
    rendered = segment_page(page, resources, renderer, settings.segmenter, clock=clock)
    check_order(rendered.areas)
    check_mapping(page, rendered.areas)
    return RenderedWitness(
        raw.url, raw.body, raw.charset, digest, rendered.snapshot, rendered.areas
    )


def stamp_of(store: Store, settings: Settings, site: str) -> bytes:
    """Hash what the areas of a site are made from, but for the rendered pages."""
    what = f"{settings.grain} {settings.budget} {settings.min_pages_per_template}"
    known = store.outlines.stamp(site)
    return blake2b(what.encode() + known, digest_size=STAMP_BYTES).digest()


def is_as_it_was(store: Store, settings: Settings, site: str) -> bool:
    """Return whether the areas of a site need not be decided again."""
    learned = store.witnesses.learned(settings.learner, site)
    return bool(learned.stamp) and learned.stamp == stamp_of(store, settings, site)


# Learn the sites of a job: rounds of planning and rendering, then decisions.
#
# Who renders is not known here: this process, its workers, or whoever has the pages. They get URLs
# and return those that failed. A page that fails is replaced by the next best witness, in another
# round; if there is no browser, or all fail, sites are decided without rendered pages, and results
# say why.


ROUNDS = 6  # of replacing planned pages that failed
NOT_HERE = "the source does not have it any more"
NO_PLAN = "a budget of 0 allows no rendering"
NOTHING_TO_RENDER = "it has no page to render"


@dataclass(slots=True)
class Rendered:
    """What came of rendering pages."""

    failed: dict[str, str] = field(default_factory=dict)  # reasons, by URL
    done: int = 0  # pages
    no_browser: str = ""  # why no page can be rendered at all


class RenderWanted(Protocol):
    """Renders pages, and saves them as witnesses."""

    def __call__(self, wanted: frozenset[str]) -> Rendered:
        """Render the pages with these URLs."""


PageAndResources: TypeAlias = tuple[RawPage, Resources]


def learn_sites(
    store: Store, settings: Settings, sites: Iterable[str], render: RenderWanted
) -> int:
    """Learn those of some sites that are not as they were; return how many pages were rendered."""
    changed = [site for site in sorted(sites) if not is_as_it_was(store, settings, site)]
    told = Rendered()

    def learner(site: str) -> SiteLearner:
        return SiteLearner(store, settings, site)

    forecasts, plans = rounds(
        changed, lambda site: learner(site).first_plan(told.failed), render, told
    )
    rounds(
        changed,
        lambda site: learner(site).second_plan(plans[site].plan, told.failed),
        render,
        told,
    )
    for site in changed:
        learner(site).decide(learned_of(store, settings, site, forecasts[site], told))
    return told.done


def rounds(
    sites: Sequence[str],
    plan: Callable[[str], SitePlan],
    render: RenderWanted,
    told: Rendered,
) -> tuple[dict[str, SitePlan], dict[str, SitePlan]]:
    """Render what is planned, and instead of pages that fail what is planned then.

    What came of it is added to `told`. Return the first and the last plan of each site.
    """
    first: dict[str, SitePlan] = {}
    plans: dict[str, SitePlan] = {}
    again: Iterable[str] = sites
    for _ in range(ROUNDS):
        plans |= {site: plan(site) for site in again}
        first = plans | first
        wanted = {url for site in again for url in plans[site].wanted} - told.failed.keys()
        if not wanted or told.no_browser:
            break
        came = render(frozenset(wanted))
        told.done += came.done
        told.failed |= came.failed
        told.no_browser = told.no_browser or came.no_browser
        again = sorted({site_of(url) for url in came.failed}.intersection(sites))
    return first, plans


def learned_of(
    store: Store, settings: Settings, site: str, plan: SitePlan, told: Rendered
) -> Learned:
    """Return what the areas of a site are made from."""
    failed = tuple(sorted(url for url in told.failed if site_of(url) == site))
    reason = told.no_browser or (told.failed[failed[0]] if failed else "")
    if not plan.plan.pages:
        reason = NO_PLAN if settings.budget == 0 else NOTHING_TO_RENDER
    return Learned(
        stamp=b"" if told.no_browser else stamp_of(store, settings, site),
        planned=len(plan.plan.pages),
        covered=plan.plan.covered,
        failed=failed,
        reason=reason,
    )


@dataclass(slots=True)
class PageRendering:
    """Renders pages, and saves them as witnesses."""

    renderer: Renderer
    store: Store
    settings: Settings
    clock: StageClock = field(default_factory=StageClock)
    at_hand: Callable[[RawPage | None], None] = ignore  # called with the page in work, then None
    watch: Callable[[int, int], None] = unwatched  # called with pages rendered, and wanted

    def render(self, pages: Iterable[PageAndResources], wanted: frozenset[str]) -> Rendered:
        """Render those of some pages that are wanted; those that do not come have failed."""
        told = Rendered()
        left = set(wanted)
        for one, resources in pages:
            raw = with_storable_names(one)
            if raw.url not in left:
                continue
            left.discard(raw.url)
            self.at_hand(raw)
            self._one(raw, resources, told)
            self.watch(told.done, len(wanted))
            self.at_hand(None)
            if told.no_browser or not left:
                return told
        told.failed |= dict.fromkeys(left, NOT_HERE)
        return told

    def _one(self, raw: RawPage, resources: Resources, told: Rendered) -> None:
        """Render a page, and note what came of it."""
        settings = self.settings
        hashed = digest(raw)
        known = self.store.witnesses.known(settings.learner, site_of(raw.url))
        if known.get(raw.url) == hashed:  # another job has rendered it meanwhile
            return
        try:
            made = render_witness(raw, hashed, resources, self.renderer, settings, clock=self.clock)
            self.store.witnesses.save(settings.learner, made)
            told.done += 1
        except StoreError:
            raise  # no page after this one would fare better
        except BrowserMissing as error:
            told.no_browser = str(error)
        except WebstencilError as error:
            told.failed[raw.url] = str(error)
        except Exception as error:  # no page ends a job
            log.warning("not rendered url=%s", raw.url, exc_info=True)
            told.failed[raw.url] = f"{type(error).__name__}: {error}"


# Learn the sites of a job in one process: from its source, or from pages that wait.


class SiteLearning:
    """Learns the sites of a job, and finishes pages that waited for that."""

    def __init__(self, store: Store, stages: PageStages) -> None:
        self._store = store
        self._stages = stages
        self.at_hand: Callable[[RawPage | None], None] = ignore
        self.watch: Callable[[int, int], None] = unwatched  # with pages rendered, and wanted

    def learn(self, sites: Iterable[str], pages: Callable[[], Iterable[PageAndResources]]) -> None:
        """Learn sites; `pages` reads what may be rendered, as often as it is called."""
        stages = self._stages
        if stages.settings.mode is not Mode.DEFAULT:
            return
        stages.clock.begin("learn")
        rendering = PageRendering(stages.renderer, self._store, stages.settings, stages.clock)
        rendering.at_hand, rendering.watch = self.at_hand, self.watch
        stages.rendered += learn_sites(
            self._store, stages.settings, sites, lambda wanted: rendering.render(pages(), wanted)
        )
        stages.sites.decided.clear()
        stages.clock.end()

    def learn_waiting(self, sites: Iterable[str], resources: Resources) -> None:
        """Decide on templates, and learn sites from the pages that wait."""
        decide_templates(self._store)
        self._stages.sites.surveyed.clear()
        spool = self._store.spool
        self.learn(sites, lambda: ((raw, resources) for pages in spool.pages() for raw in pages))

    def settled(self, pages: Sequence[RawPage]) -> Iterator[tuple[PageResult, Done]]:
        """Yield the old and the new results of pages that waited, where they differ."""
        learner = self._stages.settings.learner
        known = self._store.results.of(learner, [raw.url for raw in pages])
        for raw in pages:
            before = known.get(raw.url)
            if before is None or before.status is Status.FAILED:
                continue
            result = settled(raw, before, self._stages.again)
            if result != before:
                yield before, Done(result, digest(raw), settled=True)
