"""Tables of sites: their list, the templates and slots of one, what a slot says."""

from collections.abc import Iterable, Sequence

from webstencil.cli.screen import place
from webstencil.output.words import percent, plural, sure
from webstencil.queries.learned_sites import ListedSite
from webstencil.queries.learners import learner_words
from webstencil.queries.site_slots import SiteSlots, SlotText

SITE_COLUMNS = ("site", "pages", "templates", "slots", "rendered", "text covered", "learner")
TEMPLATE_COLUMNS = ("template", "name", "pages", "rendered", "slots", "drawn on")
SLOT_COLUMNS = (
    *("slot", "name", "kind", "is", "left, top, width x height"),
    *("confidence", "pages", "templates"),
)
TEXT_COLUMNS = ("page", "template", "text")


def site_rows(found: Sequence[ListedSite]) -> list[tuple[str, ...]]:
    """List sites; those of paper mode have no slots."""
    return [site_row(one) for one in found]


def site_row(one: ListedSite) -> tuple[str, ...]:
    """Write a site as a row."""
    row, known = one.row, one.outcome
    learner = learner_words(row.made_by) if row.made_by else "surveyed only"
    if known is None:
        rendered = str(row.learned) if row.made_by else "-"
        return (row.key.site, f"{row.pages:,}", "-", "-", rendered, "-", learner)
    counts = (row.pages, known.templates, known.slots, known.rendered)
    covered = percent(known.covered if known.is_rendered else None)
    return (row.key.site, *(f"{number:,}" for number in counts), covered, learner)


def site_heading(known: SiteSlots) -> str:
    """Write what was learned of a site: forecast and fact, version, what changed."""
    one = known.outcome
    lines = [
        f"{one.site}: {plural(one.pages, 'page')}, {plural(one.templates, 'template')}, "
        f"{plural(one.slots, 'slot')}; version {one.version}, grain {one.grain:g}",
        f"learned by {learner_words(known.made_by)}",
        f"planned: {plural(one.planned, 'rendering')} for {percent(one.forecast)} of the text; "
        f"rendered: {one.rendered:,}, covering {percent(one.covered)}",
    ]
    if one.failed:
        failed = plural(len(one.failed), "planned page")
        lines.append(f"{failed} could not be rendered, first {one.failed[0]}: {one.reason}")
    elif one.reason:
        lines.append(f"nothing was rendered: {one.reason}")
    lines += [f"changed in version {one.version}: {change}" for change in one.changes]
    return "\n".join(lines)


def template_rows(known: SiteSlots) -> list[tuple[str, ...]]:
    """List the templates of a site."""
    return [
        (
            str(one.number),
            one.name,
            f"{one.pages:,}",
            f"{one.rendered:,}",
            numbers_words(one.slots),
            one.typical or "no page was rendered",
        )
        for one in known.templates
    ]


def numbers_words(numbers: Sequence[int]) -> str:
    """Write numbers, with ranges for those that follow each other, as in 1-3 7."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return " ".join(str(low) if low == high else f"{low}-{high}" for low, high in ranges)


def slot_rows(known: SiteSlots) -> list[tuple[str, ...]]:
    """List the slots of a site."""
    return [
        (
            str(slot.number),
            slot.name,
            slot.kind or "",
            " ".join(["holds"] * slot.holds + ["repeats"] * slot.repeats),
            place(slot.rect),
            sure(slot.confidence),
            f"{known.pages(slot.number):,}",
            templates_words(known, slot.number),
        )
        for slot in known.slots
    ]


def templates_words(known: SiteSlots, slot: int) -> str:
    """Write the numbers of the templates that have a slot."""
    having = sorted(one.number for one in known.having(slot))
    if len(having) == len(known.templates) > 1:
        return "all"
    return numbers_words(having)


def text_rows(texts: Iterable[SlotText], limit: int | None) -> list[tuple[str, ...]]:
    """List what a slot says, texts up to `limit` characters."""
    return [(one.url, one.template or "", " ".join(one.area.text.split())[:limit]) for one in texts]
