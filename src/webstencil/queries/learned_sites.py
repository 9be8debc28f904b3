"""The sites of a store with what was learned of them, and one of them by name or key."""

from dataclasses import asdict, dataclass

from webstencil.queries.lists import NotStored
from webstencil.queries.site_learning import SiteOutcome, site_outcome
from webstencil.queries.site_slots import SiteSlots, TemplateSlots, is_default, site_slots
from webstencil.queries.sites import SiteReader, SiteSummary
from webstencil.store import SqlStore

NAMED = 20  # sites that an error names


@dataclass(frozen=True, slots=True)
class ListedSite:
    """A site in the list of all."""

    row: SiteSummary
    outcome: SiteOutcome | None  # None in paper mode, and if it was only surveyed


def listed_sites(store: SqlStore) -> tuple[ListedSite, ...]:
    """Return all sites of a store, once for each learner."""
    return tuple(
        ListedSite(row, site_outcome(store, row.made_by, row.key.site))
        if is_default(row.made_by)
        else ListedSite(row, None)
        for row in SiteReader().overview(store).rows
    )


def listing_facts(one: ListedSite) -> dict[str, object]:
    """Describe a site of the list for JSON."""
    row = one.row
    facts: dict[str, object] = {
        "site": row.key.site,
        "made_by": row.made_by or None,
        "pages": row.pages,
        "hits": row.hits,
        "learned": row.learned,
        "failed": row.failed,
        "skipped": row.skipped,
        "last_run": row.last_run or None,
    }
    if one.outcome is not None:
        return facts | {
            name: value for name, value in asdict(one.outcome).items() if name != "pages"
        }
    return facts | {"stencils": row.teaching} if row.made_by else facts


def learned_site(
    store: SqlStore, named: str, most: int | None = None
) -> tuple[SiteSlots, TemplateSlots | None]:
    """Return a site by its name, or by the key of a template: then that one, too.

    At most so many pages of each template are read to know its slots.
    """
    of_key = store.lookups.stencils_keyed([named]).get(named)
    if of_key is not None and is_default(of_key.made_by):
        known = site_slots(store, of_key.made_by, of_key.site, most)
        return known, known.template(named)
    for made_by in reversed(learners_of(store, named)):
        if is_default(made_by):
            known = site_slots(store, made_by, named, most)
            if not known.outcome.version:
                raise NotStored(f"{named} is not learned; `webstencil run` learns it")
            return known, None
    raise NotStored(
        f"{named} has no slots: it was learned in paper mode; `webstencil stencils list` has it"
    )


def learners_of(store: SqlStore, site: str) -> tuple[str, ...]:
    """Return the learners that have results of a site; raise a `NotStored` if none has."""
    rows = SiteReader().overview(store).rows
    found = tuple(row.made_by for row in rows if row.key.site == site and row.made_by)
    if found:
        return found
    if any(row.key.site == site for row in rows):
        raise NotStored(f"{site} was surveyed, and not learned; `webstencil run` learns it")
    names = ", ".join(dict.fromkeys(row.key.site for row in rows[:NAMED])) or "none"
    raise NotStored(f"there is no site {site!r} in this store; sites: {names}")
