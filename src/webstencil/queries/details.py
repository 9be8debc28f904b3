"""One site: its templates with their slots, runs, problems; in paper mode its stencils."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from webstencil.model import Area, Mode, PageArea, PageResult, Problem, Status, Stencil
from webstencil.output.overlay import (
    BoxPicture,
    DrawnArea,
    outlines,
    page_outlines,
    picture_of,
    slot_outlines,
)
from webstencil.output.plot import Chart, chart
from webstencil.output.words import when
from webstencil.queries.drift import SiteDrift
from webstencil.queries.lists import AREAS_SHOWN, ListPart, NotStored
from webstencil.queries.pages import page_link
from webstencil.queries.sites import Overview, SiteKey, SiteSummary, drift_of
from webstencil.queries.slots import (
    SAMPLE,
    SiteSlots,
    SlotExamples,
    TemplateSlots,
    site_slots,
    slot_examples,
)
from webstencil.queries.surveys import TemplateList, site_templates
from webstencil.site.areas import Slot
from webstencil.store import (
    PageFilter,
    PageRow,
    SiteRun,
    SqlStore,
    StencilHistory,
    StencilState,
    StencilSummary,
)

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
    drawings: Mapping[int, BoxPicture]  # of these templates, by number
    pictures: Mapping[str, BoxPicture]  # of these stencils, by key
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
    drawn = slots.templates if slots is not None else ()
    part = ListPart(number, len(stencils) + len(drawn), CARDS)
    cards = tuple(part.of(drawn))
    shown = part.of(stencils)
    bodies = store.stencils.some([one.key for one in shown])
    runs = runs_of(known.runs, row)
    numbers = store.lookups.pages_without_areas(row.key.maker, row.key.site, READ)
    return SiteDetail(
        row=row,
        others=tuple(one for one in known.rows if one.key.site == row.key.site and one != row),
        templates=site_templates(store, row.key.site),
        known=slots,
        cards=cards,
        stencils=tuple(one for one in shown if one.key in bodies),
        pictures={key: picture_of(outlines(body.areas)) for key, body in bodies.items()},
        drawings=template_pictures(store, slots, cards) if slots is not None else {},
        reasons=store.stencils.reasons(),
        part=part,
        runs=runs,
        charts=charts_of(runs),
        drift=drift_of(row),
        problems=problem_kinds(store.lookups.results_numbered(numbers)),
        unread=len(numbers) == READ,
    )


def site_problems(
    store: SqlStore, row: SiteSummary, kind: str = "", number: int = 1
) -> SiteProblems:
    """Return a part of the pages of a site that have no areas."""
    numbers = store.lookups.pages_without_areas(row.key.maker, row.key.site, READ)
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


def problem_kinds(results: Iterable[PageResult]) -> tuple[tuple[str, int], ...]:
    """Count pages by stage and kind of their problems, the most frequent first."""
    counts = Counter(kind for result in results for kind in {*map(kind_words, result.problems)})
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def kind_words(problem: Problem) -> str:
    """Name the kind of a problem as the summary of a run does."""
    return f"{problem.stage}: {problem.kind}"


# One template with its slots, and one slot with what it says on pages.


PICTURES = 24  # templates that a slot is drawn on


@dataclass(frozen=True, slots=True)
class TemplateDetail:
    """A template, and a part of the pages that follow it."""

    site: SiteKey
    known: SiteSlots
    template: TemplateSlots
    slots: tuple[Slot, ...]  # of the template
    texts: Mapping[int, PageArea]  # by slot, on the page that is drawn, or on another
    text_from: str  # URL of that page
    picture: BoxPicture
    pages: tuple[PageRow, ...]  # of this part of the list
    part: ListPart


@dataclass(frozen=True, slots=True)
class SlotDetail:
    """A slot: where it stands on templates, and what it says on a part of the pages."""

    site: SiteKey
    known: SiteSlots
    slot: Slot
    having: tuple[TemplateSlots, ...]  # templates that have it
    template: TemplateSlots | None  # the one whose pages are shown, None for all
    pictures: Mapping[int, BoxPicture]  # of the first of these templates, by number
    examples: SlotExamples


def template_pictures(
    store: SqlStore, known: SiteSlots, templates: Sequence[TemplateSlots], only: int | None = None
) -> dict[int, BoxPicture]:
    """Draw the slots of templates, by their numbers; with `only` all but one slot are faint.

    A template without a rendered page is drawn by the page of a sample that has most slots, with
    slots where they stand on other templates.
    """
    names = {slot.number: slot.name for slot in known.slots}
    made_by, site = known.made_by, known.outcome.site
    drawn = store.templates.drawn(made_by, site)
    pictures = {}
    for one in templates:
        if one.number in drawn and drawn[one.number].areas:
            boxes = slot_outlines(drawn[one.number].areas, names)
        else:
            boxes = _fullest(
                store.lookups.results_following(made_by, site, [one.number], 0, SAMPLE)
            )
        pictures[one.number] = picture_of(boxes, only=only)
    return pictures


def _fullest(results: Iterable[PageResult]) -> list[DrawnArea]:
    """Draw the page with the most slots; the first of equals."""
    drawn = [page_outlines(result.areas) for result in results]
    return max(drawn, key=len, default=[])


def template_detail(
    store: SqlStore, site: SiteKey, named: str, text: str = "", number: int = 1
) -> TemplateDetail:
    """Return a template by name or number, and a part of its pages with a text in their URLs."""
    known = site_slots(store, default_learner(store, site.maker), site.site, SAMPLE)
    template = known.template(named)
    wanted = PageFilter(text, site=site.site, template=template.number, maker=site.maker)
    total, pages = store.lookups.find_pages(replace(wanted, skipped=ListPart(number, 0).skipped))
    shown = store.lookups.result_of(template.typical, site.maker) if template.typical else None
    results = (
        [shown]
        if shown is not None
        else store.lookups.results_following(known.made_by, site.site, [template.number], 0, 1)
    )
    texts: dict[int, PageArea] = {}
    for area in (area for result in results for area in result.areas):
        if area.slot is not None:
            texts.setdefault(area.slot, area)
    return TemplateDetail(
        site=site,
        known=known,
        template=template,
        slots=known.only(template).slots,
        texts=texts,
        text_from=results[0].url if results else "",
        picture=template_pictures(store, known, [template])[template.number],
        pages=pages,
        part=ListPart(number, total),
    )


def slot_detail(
    store: SqlStore, site: SiteKey, slot: str, template: str = "", number: int = 1
) -> SlotDetail:
    """Return a slot, and what it says on a part of the pages of a template, or of all."""
    known = site_slots(store, default_learner(store, site.maker), site.site, SAMPLE)
    found = known.slot(slot)
    having = known.having(found.number)
    chosen = known.template(template) if template else None
    return SlotDetail(
        site=site,
        known=known,
        slot=found,
        having=having,
        template=chosen,
        pictures=template_pictures(store, known, having[:PICTURES], only=found.number),
        examples=slot_examples(store, known, found, chosen, number),
    )


def default_learner(store: SqlStore, maker: int) -> str:
    """Return some settings of the default mode by number; raise a `NotStored` for others."""
    made_by = store.lookups.makers().get(maker, "")
    if store.lookups.modes().get(made_by) is not Mode.DEFAULT:
        raise NotStored("only sites learned in the default mode have templates with slots")
    return made_by


# One stencil: its history, its areas, the pages that follow it.


UNKNOWN = "?"  # origin of a page without a result: its host may be invented


@dataclass(frozen=True, slots=True)
class StencilDetail:
    """A stencil, and a part of the pages that follow it."""

    stencil: Stencil
    site: SiteKey
    history: StencilHistory
    link_to: str  # URL of the learned page on the web, empty if unknown
    picture: BoxPicture
    areas: tuple[Area, ...]  # the first ones
    texts: Mapping[int, PageArea]  # areas on the learned page, by number; empty if not stored
    pages: tuple[PageRow, ...]  # of this part of the list
    part: ListPart


def stencil_detail(store: SqlStore, key: str, text: str = "", number: int = 1) -> StencilDetail:
    """Return a stencil, and a part of the pages that follow it and have a text in their URLs."""
    summary = next((one for one in store.stencils.all() if one.key == key), None)
    if summary is None:
        raise NotStored(f"there is no stencil {key!r}; choose one from its site's page")
    maker = store.lookups.maker_of(summary.made_by)
    stencil = store.stencils.keyed(key)
    learned = store.lookups.result_of(summary.made_from, maker)
    origin = learned.origin if learned else UNKNOWN
    skipped = ListPart(number, 0).skipped
    total, pages = store.lookups.find_pages(PageFilter(text, stencil=key, skipped=skipped))
    return StencilDetail(
        stencil=stencil,
        site=SiteKey(summary.site, maker),
        history=store.runs.history(key),
        link_to=page_link(stencil.made_from, origin),
        picture=picture_of(outlines(stencil.areas)),
        areas=stencil.areas[:AREAS_SHOWN],
        texts=texts_of(learned, key),
        pages=pages,
        part=ListPart(number, total),
    )


def texts_of(result: PageResult | None, key: str) -> dict[int, PageArea]:
    """Return the areas of the learned page by number, if the store still has its result."""
    if result is None or result.stencil != key or result.status is not Status.LEARNED:
        return {}
    return {area.id: area for area in result.areas}


def stencil_facts(stencil: Stencil, history: StencilHistory) -> dict[str, object]:
    """Describe a stencil for JSON, with the names that results and summaries use."""
    areas = [
        {
            "id": number,
            "parent": area.around,
            "kind": area.kind,
            "rect": asdict(area.rect),
            "nodes": len(area.nodes),
            "attributes": dict(area.attributes),
        }
        for number, area in enumerate(stencil.areas)
    ]
    made = {"made_by": stencil.made_by, "made_from": stencil.made_from}
    return {"key": stencil.key, "site": stencil.site, **made, **asdict(history), "areas": areas}
