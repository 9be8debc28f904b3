"""Learn the areas of sites: plan which pages to render, keep them, let them decide together.

The plan is a function of the outlines in the store, and so is the decision, together with the
rendered pages: whatever the order of pages, the number of workers and however often the job was
killed. Nothing is done for a site that is as it was.

Who renders is not known here: this process, its workers, or whoever has the pages. They get URLs
and return those that failed. A page that fails is replaced by the next best witness, in another
round; if there is no browser, or all fail, sites are decided without rendered pages, and results
say why.
"""

import logging
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TypeAlias

from webstencil.jobs.sites import MODEL_PAGES_HELD, Sites
from webstencil.jobs.survey import ParsedPages
from webstencil.model import Page
from webstencil.protocols import Store
from webstencil.settings import Settings
from webstencil.site.areas import SiteAreas, WitnessVotes, decide_areas, doubts_of
from webstencil.site.lay import SiteSpots, lay
from webstencil.site.places import PageView, SitePlaces, lay_out
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
from webstencil.site.slots import DrawnTemplate, SlotWitness, areas_with_slots, drawn_areas, slotted
from webstencil.site.survey_report import views_to_plan
from webstencil.site.templates import NO_TEMPLATE
from webstencil.site.votes import votes_of
from webstencil.stages import labelled
from webstencil.urls import site_of

log = logging.getLogger(__name__)

BEYOND = 1_000  # pages beyond the model, with much text of their own, that a plan looks at
STAMP_BYTES = 16
ROUNDS = 6  # of replacing planned pages that failed
NO_PLAN = "a budget of 0 allows no rendering"
NOTHING_TO_RENDER = "it has no page to render"


@dataclass(slots=True)
class Rendered:
    """What came of rendering pages."""

    failed: dict[str, str] = field(default_factory=dict)  # reasons, by URL
    done: int = 0  # pages
    no_browser: str = ""  # why no page can be rendered at all


RenderWanted: TypeAlias = Callable[[frozenset[str]], Rendered]  # renders pages, and saves them


@dataclass(frozen=True, slots=True)
class SitePlan:
    """What to render of a site."""

    wanted: tuple[str, ...] = ()  # URLs of pages that are not rendered yet, in order of gain
    plan: Plan = Plan()


class SiteLearner:
    """Plans and decides for one site; what it reads of the site is read once."""

    def __init__(self, store: Store, settings: Settings, site: str, model: SiteModel) -> None:
        self.site = site
        self.forecast = Plan()  # the first one
        self._store = store
        self._settings = settings
        self._learner = settings.learner
        self._model = model
        self._parsed = ParsedPages()  # that were rendered
        self._votes_of: dict[str, WitnessVotes] = {}  # by URL
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
            self._laid = lay_out(self._model)  # decisions are made without the pages beyond it
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
        unread = [url for url in urls if url not in self._votes_of]
        for one in self._store.witnesses.pages(self._learner, unread):
            votes = votes_of(self._page(one), one.areas, self._laid.places)
            self._votes_of[one.url] = WitnessVotes(one.url, votes)
        return [self._votes_of[url] for url in urls if url in self._votes_of]

    def _page(self, witness: RenderedWitness) -> Page:
        return self._parsed.page(witness.raw, witness.digest)

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

    def decide(self, rendered: Rendered) -> SiteAreas:
        """Let the rendered pages decide, and save it; `rendered` tells what failed."""
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
        learned = replace(self._learned(rendered), rendered=len(urls), unseen=unseen)
        table.save_learned(self._learner, self.site, learned)
        said = self.site, len(urls), len(areas.slots), areas.version
        log.info("decided site=%s rendered=%d slots=%d version=%d", *said)
        for change in areas.changes if not same else ():
            log.info("changed site=%s: %s", self.site, change)
        return areas

    def _learned(self, rendered: Rendered) -> Learned:
        """Return what the areas of the site are made from."""
        failed = tuple(sorted(url for url in rendered.failed if site_of(url) == self.site))
        reason = rendered.no_browser or (rendered.failed[failed[0]] if failed else "")
        if not self.forecast.pages:
            reason = NO_PLAN if self._settings.budget == 0 else NOTHING_TO_RENDER
        stamp = stamp_of(self._store, self._settings, self.site)
        return Learned(
            stamp=b"" if rendered.no_browser else stamp,
            planned=len(self.forecast.pages),
            covered=self.forecast.covered,
            failed=failed,
            reason=reason,
        )

    def _witnesses(self, urls: list[str]) -> Iterator[SlotWitness]:
        for one in self._store.witnesses.pages(self._learner, urls):
            number = self._numbers.get(one.url, NO_TEMPLATE)
            yield SlotWitness(self._page(one), one.snapshot, number)

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
                page = self._page(one)
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


def learn_sites(
    store: Store, settings: Settings, names: Iterable[str], sites: Sites, render: RenderWanted
) -> int:
    """Learn those of some sites that are not as they were; return how many pages were rendered."""
    changed = [site for site in sorted(names) if not is_as_it_was(store, settings, site)]
    total = Rendered()
    for group in _groups(changed, sites):
        learners = {site: SiteLearner(store, settings, site, sites(site)) for site in group}
        _learn_together(learners, render, total)
        for learner in learners.values():
            learner.decide(total)
    return total.done


def _learn_together(
    learners: Mapping[str, "SiteLearner"], render: RenderWanted, total: Rendered
) -> None:
    """Render what is planned of some sites: first to cover them, then where they are in doubt."""
    names = list(learners)
    first, plans = rounds(
        names, lambda site: learners[site].first_plan(total.failed), render, total
    )
    for site, plan in first.items():
        learners[site].forecast = plan.plan
    rounds(
        names,
        lambda site: learners[site].second_plan(plans[site].plan, total.failed),
        render,
        total,
    )


def _groups(names: Iterable[str], sites: Sites) -> Iterator[list[str]]:
    """Yield sites that are learned together, as many as memory has room for."""
    group: list[str] = []
    pages = 0
    for site in names:
        pages += len(sites(site))
        if group and pages > MODEL_PAGES_HELD:
            yield group
            group, pages = [], len(sites(site))
        group.append(site)
    if group:
        yield group


def rounds(
    names: Sequence[str],
    plan: Callable[[str], SitePlan],
    render: RenderWanted,
    total: Rendered,
) -> tuple[dict[str, SitePlan], dict[str, SitePlan]]:
    """Render what is planned, and instead of pages that fail what is planned then.

    What came of it is added to `total`. Return the first and the last plan of each site.
    """
    first: dict[str, SitePlan] = {}
    plans: dict[str, SitePlan] = {}
    again: Iterable[str] = names
    for _ in range(ROUNDS):
        plans |= {site: plan(site) for site in again}
        first = plans | first
        wanted = {url for site in again for url in plans[site].wanted} - total.failed.keys()
        if not wanted or total.no_browser:
            break
        rendered = render(frozenset(wanted))
        total.done += rendered.done
        total.failed |= rendered.failed
        total.no_browser = total.no_browser or rendered.no_browser
        again = sorted({site_of(url) for url in rendered.failed}.intersection(names))
    return first, plans


def stamp_of(store: Store, settings: Settings, site: str) -> bytes:
    """Hash what the areas of a site are made from, but for the rendered pages."""
    what = f"{settings.grain} {settings.budget} {settings.min_pages_per_template}"
    known = store.outlines.stamp(site)
    return blake2b(what.encode() + known, digest_size=STAMP_BYTES).digest()


def is_as_it_was(store: Store, settings: Settings, site: str) -> bool:
    """Return whether the areas of a site need not be decided again."""
    learned = store.witnesses.learned(settings.learner, site)
    return bool(learned.stamp) and learned.stamp == stamp_of(store, settings, site)
