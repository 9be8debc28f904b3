"""Learn the sites of a job: rounds of planning and rendering, then decisions.

Who renders is not known here: this process, its workers, or whoever has the pages. They get URLs
and return those that failed. A page that fails is replaced by the next best witness, in another
round; if there is no browser, or all fail, sites are decided without rendered pages, and results
say why.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from webstencil.errors import BrowserMissing, StoreError, WebstencilError
from webstencil.model import RawPage
from webstencil.pipeline.learn import SiteLearner, SitePlan, is_as_it_was, render_witness, stamp_of
from webstencil.pipeline.report import StageClock, unwatched
from webstencil.pipeline.survey import digest, ignore, with_storable_names
from webstencil.protocols import Renderer, Resources, Store
from webstencil.settings import Settings
from webstencil.site.plan import Learned
from webstencil.urls import site_of

log = logging.getLogger(__name__)

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
