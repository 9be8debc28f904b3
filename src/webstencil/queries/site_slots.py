"""The slots of a site: which templates have them, and what they say on pages."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace

from webstencil.model import Mode, PageArea, PageResult
from webstencil.queries.lists import ListPart, NotStored
from webstencil.queries.site_learning import SiteOutcome, outcome_of
from webstencil.site.areas import SiteAreas, Slot
from webstencil.site.template_stencils import template_key
from webstencil.site.templates import NO_TEMPLATE, template_type
from webstencil.store import SqlStore

NO_NAME = "no template"  # name of the pages that fit none
EXAMPLES = 50  # pages whose texts are shown at once
READ = 200  # results read at once to count
SAMPLE = 12  # pages of a template that tell which slots it has, where all would take too long


@dataclass(frozen=True, slots=True)
class TemplateSlots:
    """A template, and which slots its pages have."""

    number: int  # NO_TEMPLATE for pages that fit none
    name: str
    key: str  # of its stencil
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

    def slot(self, number: int) -> Slot:
        """Return a slot by its number; raise a `NotStored` if there is none."""
        found = next((one for one in self.slots if one.number == number), None)
        if found is None:
            site = self.outcome.site
            raise NotStored(f"{site} has no slot {number}; `webstencil sites show` lists them")
        return found

    def template(self, named: str) -> TemplateSlots:
        """Return a template by name, number or key; raise a `NotStored` if there is none."""
        for one in self.templates:
            if named in (one.name, str(one.number), one.key):
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


def is_default(made_by: str) -> bool:
    """Return whether a learner learns slots."""
    return made_by.partition(" ")[0] == Mode.DEFAULT


def site_slots(store: SqlStore, made_by: str, site: str, most: int | None = None) -> SiteSlots:
    """Return the templates and slots of a site; at most so many pages of each template are read."""
    areas = store.witnesses.areas(made_by, site)
    learned = store.witnesses.learned(made_by, site)
    return SiteSlots(
        made_by=made_by,
        outcome=outcome_of(store, site, areas, learned),
        slots=areas.slots,
        templates=tuple(templates_of(store, made_by, site, areas, most)),
    )


def templates_of(
    store: SqlStore, made_by: str, site: str, areas: SiteAreas, most: int | None
) -> Iterator[TemplateSlots]:
    """Yield the templates of a site, those with most pages first."""
    counts = store.lookups.template_counts(site)
    rendered = Counter(map(store.outlines.template_of, areas.witnesses))
    known = {one.number: one for one in store.templates.of(site).templates}
    names = {number: one.name for number, one in known.items()}
    numbers = [*names, NO_TEMPLATE] if counts.get(NO_TEMPLATE) else list(names)
    keys = {number: template_key(site, made_by, number) for number in numbers}
    stencils = store.lookups.stencils_keyed(list(keys.values()))
    for number in sorted(numbers, key=lambda one: (one == NO_TEMPLATE, -counts.get(one, 0), one)):
        drawn = stencils.get(keys[number])
        read, uses = slot_uses(store, keys[number], most)
        kind, sure = template_type(known[number]) if number in known else (None, None)
        yield TemplateSlots(
            number=number,
            name=names.get(number, NO_NAME),
            key=keys[number],
            pages=counts.get(number, 0),
            rendered=rendered[number],
            typical=drawn.made_from if drawn is not None and drawn.areas else "",
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
    keys = [one.key for one in having]
    names = {one.key: one.name for one in having}
    total = store.lookups.count_following(keys)
    part = ListPart(number, total, EXAMPLES)
    results = store.lookups.results_following(keys, part.skipped, EXAMPLES)
    texts = tuple(texts_of(results, slot.number, names))
    having_it = len({one.url for one in texts})
    return SlotExamples(texts, len(results) - having_it, part)


def texts_of(
    results: Iterable[PageResult], slot: int, names: Mapping[str, str]
) -> Iterator[SlotText]:
    """Yield what a slot says on pages; what it holds says it where it holds others."""
    for result in results:
        for area in result.areas:
            if area.slot == slot:
                yield SlotText(result.url, names.get(result.stencil or ""), area)


def slot_uses(store: SqlStore, key: str, most: int | None) -> tuple[int, Counter[int]]:
    """Count the pages of a template that have each slot, and all pages that were read."""
    found: Counter[int] = Counter()
    read = 0
    while most is None or read < most:
        wanted = READ if most is None else min(READ, most - read)
        results = store.lookups.results_following([key], read, wanted)
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
