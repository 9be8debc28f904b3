"""The slots of a site: its areas, with a number and a name that are the same on every page.

A container with areas in it is a slot, and so is what stands between borders. Such a run of units
is led by the place in it that holds most text of the site; a place belongs to the slot of whatever
leads it on most witnesses. So the text of an article is one slot, whether it begins with a
paragraph or with a list, and each of many cards is the same one.

What a slot is to a reader, and where it stands, is voted by the witnesses, for each template.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean, median

from webstencil.geometry import EMPTY, Rect, bounding
from webstencil.markup import Node
from webstencil.model import NO_PARENT, Area, Page, Snapshot, innermost_areas, is_content
from webstencil.site.areas import NO_AREAS, SiteAreas, Slot, SlotLead, SlotView, chains_of
from webstencil.site.lay import LaidArea, SiteSpots, characters, lay, runs_of_units
from webstencil.site.outline import NO_PLACE
from webstencil.site.page_units import container_of_text, walk_units
from webstencil.site.places import label_parts

# Names of slots: what their author called them, what they are, or where they stand.
# Elements that say what they hold; other elements are named by class, id, or what is around them.
TELLING_TAGS = {
    "header": "header",
    "nav": "navigation",
    "main": "main",
    "article": "article",
    "aside": "aside",
    "footer": "footer",
    "form": "form",
    "table": "table",
    "figure": "figure",
    "h1": "title",
    "h2": "heading",
    "h3": "heading",
    "h4": "heading",
    "ul": "list",
    "ol": "list",
    "dl": "list",
    "li": "entry",
    "tr": "row",
    "p": "text",
    "pre": "code",
    "blockquote": "quote",
    "address": "address",
}
_BREAK = re.compile(r"[-_\s]+|(?<=[a-z])(?=[A-Z])")
LETTERS_OF_NAME = 3  # letters of the longest word of a name; less is an abbreviation of styles


def name_slots(
    areas: SiteAreas,
    slots: Sequence[Slot],
    tops: Mapping[int, Counter[int]],
    known: Mapping[int, str],
) -> dict[int, str]:
    """Name slots, by their numbers; `known` names stay, and no two are the same.

    `tops` are the places of the nodes of each slot.
    """
    names = dict(known)
    taken = set(known.values())
    for slot in sorted(slots, key=lambda one: one.number):
        if slot.number in names:
            continue
        votes = tops[slot.number]
        place = max(votes, key=lambda one: (votes[one], -one), default=NO_PLACE)
        if place < 0:  # it has no node of its own: what leads it names it
            place = slot.key if slot.key >= NO_PLACE else container_of_text(slot.key)
        wanted = name = _wanted_name(areas, slot.kind, place)
        number = 1
        while name in taken:
            number += 1
            name = f"{wanted} {number}"
        names[slot.number] = name
        taken.add(name)
    return names


def _wanted_name(areas: SiteAreas, kind: str | None, place: int) -> str:
    own = words_of_label(areas.labels[place]) if place != NO_PLACE else ""
    if kind and own in ("", "text", "list", "entry", "heading", "table"):
        return kind
    if own:
        return own
    while place != NO_PLACE and (place := areas.containers[place]) != NO_PLACE:
        if name := words_of_label(areas.labels[place]):
            return f"part of {name}"
    return kind or "part"


def words_of_label(label: str) -> str:
    """Return what a label says in words, nothing if it says nothing.

    >>> [words_of_label(one) for one in ("div.main_menu", "nav#theNavbar", "nav.pl0-ns", "div")]
    ['main menu', 'the navbar', 'navigation', '']
    """
    tag, tokens = label_parts(label)
    for token in sorted(tokens, key=lambda one: one.sign != "#"):
        words = [word.lower() for word in _BREAK.split(token.name) if word.strip("0123456789")]
        if any(len(word) >= LETTERS_OF_NAME and word.isalpha() for word in words):
            return " ".join(words)
    return TELLING_TAGS.get(tag, "")


# What rendered pages say of a slot: its kind, where it stands, whether it repeats.

HALF_THE_VOTES = 0.5  # share of the votes above which a kind or an attribute is taken
SOME = 0.25  # share of the witnesses that have to see a kind; the others abstain


@dataclass(slots=True)
class SlotVotes:
    """What witnesses say of a slot."""

    kinds: Counter[str | None] = field(default_factory=Counter)
    rects: list[Rect] = field(default_factory=list)  # of the first on each page
    attributes: dict[str, list[float]] = field(default_factory=dict)
    tops: Counter[int] = field(default_factory=Counter)  # places of its node
    sure: list[float] = field(default_factory=list)  # confidences
    pages: int = 0
    several: int = 0  # pages on which it stands several times


def vote(
    votes: dict[tuple[int, int], SlotVotes],
    template: int,
    laid: Sequence[LaidArea],
    drawn: Sequence[Area],
) -> None:
    """Add what a page of a template says of the slots that it has, where they are drawn."""
    areas_of: dict[int, list[tuple[LaidArea, Area]]] = {}
    for area, rendered in zip(laid, drawn, strict=True):
        if area.slot is not None:
            areas_of.setdefault(area.slot, []).append((area, rendered))
    for slot, members in areas_of.items():
        said = votes.setdefault((template, slot), SlotVotes())
        said.pages += 1
        said.several += len(members) > 1
        sizes: dict[str | None, float] = {}
        for _, rendered in members:
            sizes[rendered.kind] = sizes.get(rendered.kind, 0.0) + rendered.rect.area
        said.kinds[max(sizes, key=lambda kind: (sizes[kind], kind or ""))] += 1
        shown = next((rendered for _, rendered in members if not rendered.rect.empty), None)
        if shown is not None:
            said.rects.append(shown.rect)
            for name, value in shown.attributes:
                said.attributes.setdefault(name, []).append(value)
        said.tops.update(area.top for area, _ in members)
        said.sure.append(fmean(area.confidence for area, _ in members))


def votes_added(parts: Iterable[SlotVotes]) -> SlotVotes:
    """Add up what witnesses say of a slot."""
    whole = SlotVotes()
    for said in parts:
        whole.kinds += said.kinds
        whole.rects += said.rects
        for name, values in said.attributes.items():
            whole.attributes.setdefault(name, []).extend(values)
        whole.tops += said.tops
        whole.sure += said.sure
        whole.pages += said.pages
        whole.several += said.several
    return whole


def kind_by(said: SlotVotes) -> str | None:
    """Return the kind that witnesses see, None if they see none or disagree.

    Those that see none abstain: a short post is no running text, and a post nevertheless.
    """
    named = Counter({kind: votes for kind, votes in said.kinds.items() if kind is not None})
    if not named:
        return None
    kind, votes = max(named.items(), key=lambda one: (one[1], one[0]))
    wins = votes > HALF_THE_VOTES * named.total() and votes >= SOME * said.pages
    return kind if wins else None


def typical(rects: Sequence[Rect]) -> Rect:
    """Return the rectangle of the median sides."""
    if not rects:
        return EMPTY
    return Rect(
        median(rect.left for rect in rects),
        median(rect.top for rect in rects),
        median(rect.right for rect in rects),
        median(rect.bottom for rect in rects),
    )


SAME_SLOT = 0.5  # share of the text of two slots that both have; above, they are the same
REPEATED_ON = 0.3  # share of the witnesses on which a slot stands several times; above, it repeats

_ID = re.compile(r"#[^ >]*")  # in a chain of labels


@dataclass(frozen=True, slots=True)
class SlotWitness:
    """A rendered page, and the template that it follows."""

    page: Page
    snapshot: Snapshot
    template: int


def areas_with_slots(
    areas: SiteAreas,
    witnesses: Callable[[], Iterable[SlotWitness]],
    label: Callable[[Page, Snapshot, tuple[Area, ...]], tuple[Area, ...]],
    before: SiteAreas = NO_AREAS,
) -> SiteAreas:
    """Return the areas of a site with their slots; `witnesses` reads the rendered pages.

    `label` says what areas are to a reader. What is the same as before keeps its number and name.
    """
    drafted = draft(areas, leads_of(areas, (one.page for one in witnesses())))
    votes: dict[tuple[int, int], SlotVotes] = {}  # by template and number
    together: set[frozenset[int]] = set()  # numbers of slots that stand on one page
    overlaps: Counter[tuple[int, int]] = Counter()  # characters, by old and new number
    alike: Counter[tuple[int, int]] = Counter()  # areas of the same nodes, by old and new number
    spots, older = SiteSpots(drafted), SiteSpots(before)
    for one in witnesses():
        laid = lay(spots, one.page.markup.body)
        drawn = label(one.page, one.snapshot, drawn_areas(one.page, one.snapshot, laid))
        vote(votes, one.template, laid, drawn)
        together.add(frozenset(area.slot for area in laid if area.slot is not None))
        if before.slots:
            known = lay(older, one.page.markup.body)
            overlaps += overlapping(one.page, known, laid)
            alike += of_same_nodes(known, laid)
    twins = twins_of(drafted, together)  # are one slot from here on
    parts: dict[tuple[int, int], list[SlotVotes]] = {}
    for (template, slot), said in sorted(votes.items(), key=lambda one: one[0]):
        parts.setdefault((template, twins.get(slot, slot)), []).append(said)
    common: Counter[tuple[int, int]] = Counter()
    for (old, new), size in overlaps.items():
        common[old, twins.get(new, new)] += size
    # Slots without any text, as galleries, are the same if they stand in the same nodes.
    olds, news = {old for old, _ in common}, {new for _, new in common}
    for (old, drafted_slot), times in alike.items():
        if old not in olds and (new := twins.get(drafted_slot, drafted_slot)) not in news:
            common[old, new] += times
    joined = replace(
        drafted,
        slots=tuple(slot for slot in drafted.slots if slot.number not in twins),
        leads=tuple(replace(lead, slot=twins.get(lead.slot, lead.slot)) for lead in drafted.leads),
    )
    gathered = {key: votes_added(said) for key, said in parts.items()}
    return finished(joined, gathered, same_slots(common), before)


def twins_of(drafted: SiteAreas, together: Collection[frozenset[int]]) -> dict[int, int]:
    """Return the slots that are others under another id, which never stand beside these.

    Ids of posts and pages may be words that many of them share. Values are the first of its like.
    """
    chains = chains_of(drafted)
    first: dict[tuple[bool, str], list[int]] = {}
    pages: dict[int, set[int]] = {}
    for number, slots in enumerate(sorted(together, key=sorted)):
        for known in slots:
            pages.setdefault(known, set()).add(number)
    found: dict[int, int] = {}
    for slot in drafted.slots:
        if slot.number not in pages:
            continue
        inside = slot.key < NO_PLACE
        place = container_of_text(slot.key) if inside else slot.key
        chain = _ID.sub("", chains.get(place, "")) + (" > text" if inside else "")
        likes = first.setdefault((slot.holds, chain), [])
        twin = next((one for one in likes if pages[one].isdisjoint(pages[slot.number])), None)
        if twin is None:
            likes.append(slot.number)
        else:
            found[slot.number] = twin
            pages[twin] |= pages[slot.number]
    return found


def leads_of(areas: SiteAreas, pages: Iterable[Page]) -> tuple[SlotLead, ...]:
    """Return which unit leads each unit; the number of a slot is that of its leader's key."""
    spots = SiteSpots(areas)
    weights: Counter[int] = Counter()  # floats count as well
    runs: list[dict[int, float]] = []
    for page in pages:
        units = walk_units(spots, page.markup.body).units
        sizes = [1 + characters(unit) for unit in units]
        whole = sum(sizes)
        for run in runs_of_units(units) if units else ():
            found: dict[int, float] = {}
            for number in range(run.first, run.last + 1):
                key = units[number].spot.key
                if key != NO_PLACE:
                    found[key] = found.get(key, 0.0) + sizes[number] / whole
            weights.update(found)
            runs.append(found)
    heaviest = {key: (round(weight, 9), -key) for key, weight in weights.items()}
    led: dict[int, Counter[int]] = {}
    for found in runs:
        leader = max(found, key=heaviest.__getitem__, default=NO_PLACE)
        for key, share in found.items():
            led.setdefault(key, Counter())[leader] += share  # type: ignore[assignment]  # the same
    above = {
        key: max(votes, key=lambda one: (votes[one], heaviest[one])) for key, votes in led.items()
    }
    leads = []
    for key in sorted(above):
        leader = key
        while above[leader] != leader:  # each is heavier than the one before
            leader = above[leader]
        leads.append(SlotLead(key, leader, heaviest[key][0]))
    return tuple(leads)


def draft(areas: SiteAreas, leads: Sequence[SlotLead]) -> SiteAreas:
    """Return the areas with slots that have numbers and nothing else."""
    holders = sorted(set(SiteSpots(areas).cut))
    leaders = sorted({lead.slot for lead in leads})
    keys = [*((True, place) for place in holders), *((False, key) for key in leaders)]
    numbers = {key: number for number, key in enumerate(keys, 1)}  # by whether it holds others
    slots = tuple(
        Slot(number, "", key, holds, repeats=False) for (holds, key), number in numbers.items()
    )
    led = [replace(lead, slot=numbers[False, lead.slot]) for lead in leads]
    held = [SlotLead(place, numbers[True, place], 0.0, holds=True) for place in holders]
    return replace(areas, slots=slots, leads=(*held, *led))


def drawn_areas(page: Page, snapshot: Snapshot, laid: Sequence[LaidArea]) -> tuple[Area, ...]:
    """Return laid areas as areas of a rendered page: where their texts and pictures stand."""
    numbers = {node: number for number, node in enumerate(page.markup.nodes(range(len(page.tree))))}
    bare = [
        Area(EMPTY, tuple(numbers[node] for node in area.nodes) if area.leaf else (), area.parent)
        for area in laid
    ]
    boxes = snapshot.boxes
    owners = innermost_areas(bare, [box.node for box in boxes], [box.parent for box in boxes])
    rects: list[list[Rect]] = [[] for _ in bare]
    for box, owner in zip(boxes, owners, strict=True):
        if owner != NO_PARENT and is_content(box):
            rects[owner].append(box.clip)
    around: list[Rect] = [bounding(found) for found in rects]
    for number in range(len(bare) - 1, -1, -1):
        if (parent := bare[number].parent) != NO_PARENT:
            around[parent] = bounding([around[parent], around[number]])
    return tuple(replace(area, rect=rect) for area, rect in zip(bare, around, strict=True))


def overlapping(
    page: Page, old: Sequence[LaidArea], new: Sequence[LaidArea]
) -> Counter[tuple[int, int]]:
    """Count the characters of a page that an old and a new slot have in common.

    Slots that hold others have what is in the same container; each counts once.
    """
    parents = page.tree.parents
    numbers = {node: number for number, node in enumerate(page.markup.nodes(range(len(parents))))}
    homes: list[list[int]] = []  # the slot of each node, among those that hold no others
    holders: list[dict[Node, int]] = []  # slots that hold others, by their containers
    for laid in (old, new):
        own: dict[int, int] = {}
        holds: dict[Node, int] = {}
        for area in laid:
            if area.slot is not None and area.leaf:
                own.update((numbers[node], area.slot) for node in area.nodes)
            elif area.slot is not None:
                holds[area.nodes[0]] = area.slot
        slots: list[int] = []
        for node, parent in enumerate(parents):
            slots.append(own.get(node, slots[parent] if parent != NO_PARENT else NO_PARENT))
        homes.append(slots)
        holders.append(holds)
    found: Counter[tuple[int, int]] = Counter()
    for text, before, now in zip(page.texts, *homes, strict=True):
        if text and NO_PARENT not in (before, now):
            found[before, now] += len(text)
    held, holding = holders
    found.update(
        (held.get(node, NO_PARENT), holding.get(node, NO_PARENT)) for node in {*held, *holding}
    )
    return found


def of_same_nodes(old: Sequence[LaidArea], new: Sequence[LaidArea]) -> Counter[tuple[int, int]]:
    """Count the areas that an old and a new slot have in the same nodes of a page."""
    known = {area.nodes: area.slot for area in old if area.leaf and area.slot is not None}
    return Counter(
        (known[area.nodes], area.slot)
        for area in new
        if area.leaf and area.slot is not None and area.nodes in known
    )


def same_slots(overlaps: Mapping[tuple[int, int], int]) -> dict[int, int]:
    """Return the old number of each new slot that has mostly the same text."""
    old: Counter[int] = Counter()
    new: Counter[int] = Counter()
    for (before, now), size in overlaps.items():
        old[before] += size
        new[now] += size
    shares = [
        (size / (old[before] + new[now] - size), before, now)
        for (before, now), size in overlaps.items()
        if NO_PARENT not in (before, now)
    ]
    found: dict[int, int] = {}
    for share, before, now in sorted(shares, key=lambda one: (-one[0], one[1], one[2])):
        if share > SAME_SLOT and now not in found and before not in found.values():
            found[now] = before
    return found


def finished(
    drafted: SiteAreas,
    votes: Mapping[tuple[int, int], SlotVotes],
    same: Mapping[int, int],
    before: SiteAreas,
) -> SiteAreas:
    """Number and name the slots that a witness has, and say what was voted.

    What is the `same` as before keeps its number; new ones get it by where they stand on a page.
    """
    parts: dict[int, list[SlotVotes]] = {}
    for key in sorted(votes):
        parts.setdefault(key[1], []).append(votes[key])
    sums = {number: votes_added(said) for number, said in parts.items()}
    kept = [slot for slot in drafted.slots if slot.number in sums]
    rects = {number: typical(said.rects) for number, said in sums.items()}
    numbers = {slot.number: same[slot.number] for slot in kept if slot.number in same}
    fresh = [slot for slot in kept if slot.number not in numbers]
    fresh.sort(
        key=lambda one: (rects[one.number].top, rects[one.number].left, not one.holds, one.number)
    )
    for newest, slot in enumerate(fresh, before.newest + 1):
        numbers[slot.number] = newest
    slots = []
    for slot in kept:
        said = sums[slot.number]
        attributes = [
            (name, round(median(values), 4))
            for name, values in sorted(said.attributes.items())
            if len(values) > HALF_THE_VOTES * said.pages
        ]
        slots.append(
            replace(
                slot,
                number=numbers[slot.number],
                repeats=said.several > REPEATED_ON * said.pages,
                kind=kind_by(said),
                rect=rects[slot.number],
                attributes=tuple(attributes),
                pages=said.pages,
                confidence=round(fmean(said.sure), 4),
            )
        )
    known = {
        numbers[now]: former.name
        for now, old in same.items()
        if now in numbers and (former := before.slot(old))
    }
    tops = {numbers[number]: said.tops for number, said in sums.items()}
    names = name_slots(drafted, slots, tops, known)
    slots.sort(key=lambda slot: slot.number)
    views = [
        SlotView(template, numbers[slot], kind_by(said), typical(said.rects), said.pages)
        for (template, slot), said in votes.items()
    ]
    leads = [lead for lead in drafted.leads if lead.slot in numbers]
    return replace(
        drafted,
        slots=tuple(replace(slot, name=names[slot.number]) for slot in slots),
        leads=tuple(replace(lead, slot=numbers[lead.slot]) for lead in leads),
        views=tuple(sorted(views, key=lambda view: (view.template, view.slot))),
        newest=before.newest + len(fresh),
    )


SLOT = "slot"  # attribute: the number of an area's slot


@dataclass(frozen=True, slots=True)
class DrawnTemplate:
    """A template with its slots where they stand on a typical page."""

    number: int  # NO_TEMPLATE for pages that fit none
    typical: str = ""  # URL of that page, empty if no page of the template was rendered
    version: int = 0  # of the areas of its site
    areas: tuple[Area, ...] = ()  # with the numbers of their slots


def slotted(laid: Sequence[LaidArea], drawn: Sequence[Area]) -> tuple[Area, ...]:
    """Return drawn areas with the numbers of their slots."""
    return tuple(
        (
            replace(area, attributes=((SLOT, float(one.slot)), *area.attributes))
            if one.slot is not None
            else area
        ).with_floats()
        for one, area in zip(laid, drawn, strict=True)
    )
