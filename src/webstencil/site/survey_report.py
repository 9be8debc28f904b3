"""What a survey tells of a site: its templates, the plan of renderings, pages that fit nowhere."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from webstencil.site.outline import Oddity, OutlinedPage
from webstencil.site.places import PageView, SitePlaces, lay_out
from webstencil.site.plan import Plan, budget_for, plan_renderings
from webstencil.site.site_model import SiteModel
from webstencil.site.templates import NO_TEMPLATE, SiteTemplates, Template

URLS_SHOWN = 3  # URLs of each reason
SECONDS_PER_RENDERING = 1.0  # s; 0.2 to 2 on two cores


class Misfit(StrEnum):
    """Why a page follows no template of its site."""

    EMPTY = "empty"
    REDIRECT = "redirect"
    FRAMES = "frames"
    ERROR = "error"
    ALONE = "one of a kind"  # no other page is like it
    COPY = "copy"  # the same bytes are at another URL; it has a template, and is not rendered


@dataclass(frozen=True, slots=True)
class MisfitCount:
    """Pages that fit nowhere for one reason."""

    reason: Misfit
    pages: int
    examples: tuple[str, ...]  # URLs


@dataclass(frozen=True, slots=True)
class TemplateCount:
    """A template and all of its pages."""

    template: Template
    pages: int


@dataclass(frozen=True, slots=True)
class SiteSurvey:
    """What a survey tells of a site."""

    site: str
    pages: int
    sampled: int  # pages that the model keeps; the plan is made from these
    names: int  # tokens of the vocabulary
    places: int  # that several pages have
    templates: tuple[TemplateCount, ...]  # those with most pages first
    plan: Plan
    misfits: tuple[MisfitCount, ...]

    @property
    def minutes(self) -> float:
        """Return how long the renderings of the plan take, about."""
        return len(self.plan.pages) * SECONDS_PER_RENDERING / 60


def survey_site(
    site: str,
    model: SiteModel,
    templates: SiteTemplates,
    numbers: Mapping[str, int] | None = None,
    *,
    budget: int | None = None,
) -> SiteSurvey:
    """Sum up a site; `numbers` are the templates of all its pages, if the model has a sample."""
    laid = lay_out(model)
    if numbers is None:
        numbers = templates.numbers_of(model)
    counts = Counter(numbers.values())
    return SiteSurvey(
        site=site,
        pages=model.pages,
        sampled=len(model),
        names=len(laid.places.vocabulary.names),
        places=sum(pages > 1 for pages in laid.pages().values()),
        templates=tuple(
            sorted(
                (TemplateCount(one, counts[one.number]) for one in templates.templates),
                key=lambda known: (-known.pages, known.template.number),
            )
        ),
        plan=plan_renderings(
            views_to_plan(model, laid),
            budget=budget_for(
                model.pages, [counts[one.number] for one in templates.templates], budget
            ),
            templates=numbers,
        ),
        misfits=misfits(model, numbers, frozenset(copied(model))),
    )


def views_to_plan(model: SiteModel, laid: SitePlaces) -> list[PageView]:
    """Return the pages that may be rendered: no empty ones, no redirects, one of several copies."""
    odd = {page.url for page in model if page.outline.oddity is not Oddity.NONE}
    left_out = odd.union(copied(model))
    return [view for view in laid.views if view.url not in left_out]


def copied(model: Iterable[OutlinedPage]) -> Iterable[str]:
    """Yield the URLs of pages whose bytes come with a smaller key, too."""
    seen: set[bytes] = set()
    for page in model:
        if page.digest and page.digest in seen:
            yield page.url
        seen.add(page.digest)


def misfits(
    model: SiteModel, numbers: Mapping[str, int], copies: frozenset[str]
) -> tuple[MisfitCount, ...]:
    """Sort the pages that fit nowhere by reason."""
    found: dict[Misfit, list[str]] = {}
    for page in model:
        reason = None
        if page.outline.oddity is not Oddity.NONE:
            reason = Misfit(page.outline.oddity.value)
        elif numbers.get(page.url, NO_TEMPLATE) == NO_TEMPLATE:
            reason = Misfit.ALONE
        elif page.url in copies:
            reason = Misfit.COPY
        if reason is not None:
            found.setdefault(reason, []).append(page.url)
    return tuple(
        MisfitCount(reason, len(found[reason]), tuple(found[reason][:URLS_SHOWN]))
        for reason in Misfit
        if reason in found
    )
