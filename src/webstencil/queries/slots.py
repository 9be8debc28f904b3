"""What was learned of a site: what the plan of its renderings promised, and what came of it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace

from webstencil.model import PageArea, PageResult
from webstencil.queries.lists import NO_NAME, ListPart, NotStored
from webstencil.site.areas import SiteAreas, Slot
from webstencil.site.plan import Learned
from webstencil.site.templates import NO_TEMPLATE, template_type
from webstencil.store import SqlStore


@dataclass(frozen=True, slots=True)
class SiteOutcome:
    """The learning of a site: forecast and fact."""

    site: str
    pages: int  # surveyed
    templates: int
    slots: int
    version: int  # of its areas
    grain: float
    planned: int  # renderings
    forecast: float  # share of the text that they were to cover, 0..1
    rendered: int  # pages
    covered: float  # share of the text that they cover, 0..1
    failed: tuple[str, ...]  # URLs of planned pages that could not be rendered
    reason: str  # why fewer pages were rendered than planned, or none
    changes: tuple[str, ...]  # decisions that are not as in the version before, in words

    @property
    def is_rendered(self) -> bool:
        """Return whether rendered pages decided on the areas."""
        return self.rendered > 0


def site_outcome(store: SqlStore, learner: str, site: str) -> SiteOutcome:
    """Return what was learned of a site in the default mode; version 0 if nothing was."""
    table = store.witnesses
    return outcome_of(store, site, table.areas(learner, site), table.learned(learner, site))


def outcome_of(store: SqlStore, site: str, areas: SiteAreas, learned: Learned) -> SiteOutcome:
    """Sum up what was learned of a site."""
    return SiteOutcome(
        site=site,
        pages=sum(store.lookups.template_counts(site).values()),
        templates=len(store.templates.of(site).templates),
        slots=sum(not slot.hidden for slot in areas.slots),
        version=areas.version,
        grain=areas.grain,
        planned=learned.planned,
        forecast=learned.covered,
        rendered=learned.rendered,
        covered=round(1.0 - learned.unseen, 4) if learned.rendered else 0.0,
        failed=learned.failed,
        reason=learned.reason,
        changes=areas.changes,
    )


def outcome_facts(found: SiteOutcome) -> dict[str, object]:
    """Describe what was learned of a site for JSON."""
    return asdict(found)


# The slots of a site: which templates have them, and what they say on pages.


EXAMPLES = 50  # pages whose texts are shown at once
READ = 200  # results read at once to count
SAMPLE = 12  # pages of a template that tell which slots it has, where all would take too long


@dataclass(frozen=True, slots=True)
class TemplateSlots:
    """A template, and which slots its pages have."""

    number: int  # NO_TEMPLATE for pages that fit none
    name: str
    pages: int  # surveyed
    rendered: int  # pages
    typical: str  # URL of the page that slots are drawn on, empty if none was rendered
    read: int  # pages whose results were read to know its slots
    uses: tuple[tuple[int, int], ...]  # slots, and how many of these pages have them
    type: str | None = None  # what its pages are to their readers, None if not known
    type_confidence: float | None = None  # 0..1

    @property
    def slots(self) -> tuple[int, ...]:
        """Return the numbers of its slots."""
        return tuple(slot for slot, _ in self.uses)


@dataclass(frozen=True, slots=True)
class SiteSlots:
    """A site as it was learned in the default mode."""

    made_by: str
    outcome: SiteOutcome
    slots: tuple[Slot, ...]  # by number
    templates: tuple[TemplateSlots, ...]  # those with most pages first

    def named(self, slot: Slot) -> tuple[str, ...]:
        """Return the names of the templates that have a slot."""
        return tuple(one.name for one in self.templates if slot.number in one.slots)

    def pages(self, number: int) -> int:
        """Return how many of the pages that were read have a slot."""
        return sum(dict(one.uses).get(number, 0) for one in self.templates)

    def having(self, number: int) -> tuple[TemplateSlots, ...]:
        """Return the templates that have a slot."""
        return tuple(one for one in self.templates if number in one.slots)

    def only(self, template: TemplateSlots) -> "SiteSlots":
        """Return one template and its slots."""
        slots = tuple(slot for slot in self.slots if slot.number in template.slots)
        return replace(self, templates=(template,), slots=slots)

    def slot(self, named: str) -> Slot:
        """Return a slot by name or number; raise a `NotStored` if there is none."""
        for slot in self.slots:
            if named in (slot.name, str(slot.number)):
                return slot
        site = self.outcome.site
        raise NotStored(f"{site} has no slot {named!r}; `webstencil sites show {site}` lists them")

    def template(self, named: str) -> TemplateSlots:
        """Return a template by name or number; raise a `NotStored` if there is none."""
        for one in self.templates:
            if named in (one.name, str(one.number)):
                return one
        known = ", ".join(one.name for one in self.templates)
        raise NotStored(f"{self.outcome.site} has no template {named!r}; it has {known}")


@dataclass(frozen=True, slots=True)
class SlotText:
    """What a slot says on a page."""

    url: str
    template: str | None
    area: PageArea


@dataclass(frozen=True, slots=True)
class SlotExamples:
    """What a slot says on a part of the pages of its templates."""

    texts: tuple[SlotText, ...]
    without: int  # pages of this part that do not have the slot
    part: ListPart  # of the pages


def site_slots(store: SqlStore, made_by: str, site: str, most: int | None = None) -> SiteSlots:
    """Return the templates and slots of a site; at most so many pages of each template are read."""
    areas = store.witnesses.areas(made_by, site)
    learned = store.witnesses.learned(made_by, site)
    return SiteSlots(
        made_by=made_by,
        outcome=outcome_of(store, site, areas, learned),
        slots=tuple(slot for slot in areas.slots if not slot.hidden),
        templates=tuple(templates_of(store, made_by, site, areas, most)),
    )


def templates_of(
    store: SqlStore, made_by: str, site: str, areas: SiteAreas, most: int | None
) -> Iterator[TemplateSlots]:
    """Yield the templates of a site, those with most pages first."""
    counts = store.lookups.template_counts(site)
    rendered = Counter(map(store.outlines.template_of, areas.witnesses))
    known = {one.number: one for one in store.templates.of(site).templates}
    drawn = store.templates.drawn(made_by, site)
    numbers = [*known, NO_TEMPLATE] if counts.get(NO_TEMPLATE) else list(known)
    for number in sorted(numbers, key=lambda one: (one == NO_TEMPLATE, -counts.get(one, 0), one)):
        read, uses = slot_uses(store, made_by, site, number, most)
        kind, sure = template_type(known[number]) if number in known else (None, None)
        yield TemplateSlots(
            number=number,
            name=known[number].name if number in known else NO_NAME,
            pages=counts.get(number, 0),
            rendered=rendered[number],
            typical=drawn[number].typical if number in drawn and drawn[number].areas else "",
            read=read,
            uses=tuple(sorted(uses.items())),
            type=kind,
            type_confidence=sure,
        )


def slot_examples(
    store: SqlStore, known: SiteSlots, slot: Slot, template: TemplateSlots | None, number: int = 1
) -> SlotExamples:
    """Return what a slot says on a part of the pages: of a template, or of all that have it."""
    having = [template] if template is not None else known.having(slot.number)
    names = {one.number: one.name for one in having}
    site = known.outcome.site
    total = store.lookups.count_following(known.made_by, site, list(names))
    part = ListPart(number, total, EXAMPLES)
    results = store.lookups.results_following(
        known.made_by, site, list(names), part.skipped, EXAMPLES
    )
    texts = tuple(texts_of(results, slot.number, names))
    having_it = len({one.url for one in texts})
    return SlotExamples(texts, len(results) - having_it, part)


def slot_texts(
    store: SqlStore, known: SiteSlots, slot: Slot, template: TemplateSlots | None
) -> Iterator[SlotText]:
    """Yield what a slot says on all pages: of a template, or of all that have it."""
    number, last = 1, 1
    while number <= last:
        examples = slot_examples(store, known, slot, template, number)
        yield from examples.texts
        number, last = number + 1, examples.part.last


def texts_of(
    results: Iterable[PageResult], slot: int, names: Mapping[int, str]
) -> Iterator[SlotText]:
    """Yield what a slot says on pages; what it holds says it where it holds others."""
    for result in results:
        for area in result.areas:
            if area.slot == slot:
                yield SlotText(result.url, names.get(result.template_number or NO_TEMPLATE), area)


def slot_uses(
    store: SqlStore, made_by: str, site: str, template: int, most: int | None
) -> tuple[int, Counter[int]]:
    """Count the pages of a template that have each slot, and all pages that were read."""
    found: Counter[int] = Counter()
    read = 0
    while most is None or read < most:
        wanted = READ if most is None else min(READ, most - read)
        results = store.lookups.results_following(made_by, site, [template], read, wanted)
        read += len(results)
        for result in results:
            found.update({area.slot for area in result.areas if area.slot is not None})
        if len(results) < wanted:
            break
    return read, found


def slots_facts(known: SiteSlots) -> dict[str, object]:
    """Describe a site with its templates and slots for JSON."""
    slots = [
        {
            "number": slot.number,
            "name": slot.name,
            "kind": slot.kind,
            "holds": slot.holds,
            "repeats": slot.repeats,
            "rect": asdict(slot.rect),
            "confidence": slot.confidence,
            "templates": known.named(slot),
            "rendered": slot.pages,
            "pages": known.pages(slot.number),
        }
        for slot in known.slots
    ]
    templates = [
        {name: value for name, value in asdict(one).items() if name not in ("uses", "read")}
        | {"slots": one.slots}
        for one in known.templates
    ]
    made = {"made_by": known.made_by, **asdict(known.outcome)}
    return {**made, "templates": templates, "slots": slots}
