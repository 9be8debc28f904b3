"""One site: its templates with their slots, runs, problems; in paper mode its stencils."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from webstencil import urls
from webstencil.model import PageResult, Problem
from webstencil.output.overlay import BoxPicture, outlines, picture_of
from webstencil.output.plot import Chart, chart
from webstencil.output.words import when
from webstencil.queries.drift import SiteDrift
from webstencil.queries.lists import ListPart
from webstencil.queries.site_places import TemplateList, site_templates
from webstencil.queries.site_slots import SAMPLE, SiteSlots, TemplateSlots, site_slots
from webstencil.queries.sites import Overview, SiteKey, SiteSummary, drift_of
from webstencil.queries.slot_detail import template_pictures
from webstencil.store import PageRow, SiteRun, SqlStore, StencilState, StencilSummary

CARDS = 24  # stencils of a site shown at once, each read from the store
RUNS = 100  # shown in a chart
SURE = 0.9  # where the scale of confidence begins: in the default mode hits lie above
READ = 1000  # results without areas that are read to count their problems; 0.1 s


@dataclass(frozen=True, slots=True)
class SiteDetail:
    """A site with a part of its templates, or of its stencils."""

    row: SiteSummary
    others: tuple[SiteSummary, ...]  # the same site with other settings
    templates: TemplateList
    known: SiteSlots | None  # what was learned in the default mode, None in paper mode
    cards: tuple[TemplateSlots, ...]  # templates of this part of the list, in the default mode
    stencils: tuple[StencilSummary, ...]  # of this part of the list, in paper mode
    pictures: Mapping[str, BoxPicture]  # of these templates or stencils, by key
    reasons: Mapping[str, str]  # why stencils were learned, by key
    part: ListPart
    runs: tuple[SiteRun, ...]  # the last ones, oldest first
    charts: tuple[Chart, ...]
    drift: SiteDrift | None
    problems: tuple[tuple[str, int], ...]  # kinds, and pages that have them
    unread: bool  # there are more than `READ` pages without areas


@dataclass(frozen=True, slots=True)
class SiteProblems:
    """Pages of a site without areas."""

    row: SiteSummary
    kind: str  # of the problems, empty for any
    results: tuple[PageResult, ...]  # of this part of the list
    part: ListPart
    unread: bool  # there are more than `READ`


def site_detail(store: SqlStore, known: Overview, row: SiteSummary, number: int = 1) -> SiteDetail:
    """Return a site with a part of its templates, or in paper mode of its stencils."""
    slots = site_slots(store, row.made_by, row.key.site, SAMPLE) if row.is_default else None
    stencils = [] if slots is not None else stencils_of(known.stencils, row)
    drawn = [one for one in slots.templates if one.uses] if slots is not None else []
    part = ListPart(number, len(stencils) + len(drawn), CARDS)
    cards = tuple(part.of(drawn))
    shown = part.of(stencils)
    bodies = store.lookups.stencils_keyed([one.key for one in shown])
    runs = runs_of(known.runs, row)
    numbers = pages_without_areas(known.without, row.key)
    return SiteDetail(
        row=row,
        others=tuple(one for one in known.rows if one.key.site == row.key.site and one != row),
        templates=site_templates(store, row.key.site),
        known=slots,
        cards=cards,
        stencils=tuple(one for one in shown if one.key in bodies),
        pictures=template_pictures(store, slots, cards)
        if slots is not None
        else {key: picture_of(outlines(body.areas)) for key, body in bodies.items()},
        reasons=store.lookups.reasons(),
        part=part,
        runs=runs,
        charts=charts_of(runs),
        drift=drift_of(row),
        problems=problem_kinds(store.lookups.results_numbered(numbers)),
        unread=len(numbers) == READ,
    )


def site_problems(
    store: SqlStore, known: Overview, row: SiteSummary, kind: str = "", number: int = 1
) -> SiteProblems:
    """Return a part of the pages of a site that have no areas."""
    numbers = pages_without_areas(known.without, row.key)
    found = [
        result
        for result in store.lookups.results_numbered(numbers)
        if not kind or kind in map(kind_words, result.problems)
    ]
    part = ListPart(number, len(found))
    return SiteProblems(row, kind, tuple(part.of(found)), part, len(numbers) == READ)


def stencils_of(stencils: Iterable[StencilSummary], row: SiteSummary) -> list[StencilSummary]:
    """Return the stencils of a site: those that teach first, and of these the most used."""
    found = [one for one in stencils if one.site == row.key.site and one.made_by == row.made_by]
    return sorted(found, key=lambda one: (one.state != StencilState.TEACHING, -one.hits, one.key))


def runs_of(runs: Iterable[SiteRun], row: SiteSummary) -> tuple[SiteRun, ...]:
    """Return the last runs over a site, oldest first."""
    found = [one for one in runs if (one.site, one.made_by) == (row.key.site, row.made_by)]
    return tuple(found[-RUNS:])


def charts_of(runs: Sequence[SiteRun]) -> tuple[Chart, ...]:
    """Chart hit ratio and confidence over runs."""
    ratios = [(when(run.began), run.hit_ratio) for run in runs]
    means = [(when(run.began), run.mean_confidence) for run in runs]
    return chart("Hit ratio", ratios), chart("Mean confidence of hits", means, low=SURE)


def pages_without_areas(pages: Iterable[PageRow], key: SiteKey) -> tuple[int, ...]:
    """Return the numbers of the newest pages of a site without areas."""
    return tuple(
        page.number
        for page in pages
        if page.maker == key.maker and urls.site_of(page.url) == key.site
    )[:READ]


def problem_kinds(results: Iterable[PageResult]) -> tuple[tuple[str, int], ...]:
    """Count pages by stage and kind of their problems, the most frequent first."""
    counts = Counter(kind for result in results for kind in {*map(kind_words, result.problems)})
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def kind_words(problem: Problem) -> str:
    """Name the kind of a problem as the summary of a run does."""
    return f"{problem.stage}: {problem.kind}"
