"""The sites of a store: how many pages, how many of them are hits, what changed lately."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from threading import Lock

from webstencil.model import Mode, Status
from webstencil.queries.drift import SiteDrift, compare
from webstencil.queries.lists import ListPart, NotStored
from webstencil.queries.slots import (
    SiteOutcome,
    SiteSlots,
    site_outcome,
    site_slots,
)
from webstencil.store import Past, SiteRun, SqlStore, StencilState, StencilSummary

NO_MAKER = 0  # of a site that was not processed


@dataclass(frozen=True, slots=True)
class SiteKey:
    """A site as processed with one set of settings."""

    site: str
    maker: int  # number of the settings, NO_MAKER if there are none


@dataclass(frozen=True, slots=True)
class SiteSummary:
    """The figures of a site."""

    key: SiteKey
    made_by: str
    mode: Mode | None  # None if it was only surveyed
    hits: int
    learned: int
    failed: int
    skipped: int
    teaching: int  # stencils, in paper mode
    ended: int  # stencils that were retired or replaced
    last_run: str  # when it began, ISO 8601; empty if unknown
    unfinished: bool  # the last run is still going on, or was stopped
    drift: SiteDrift | None  # None if there was no run
    waiting: int = 0  # pages of a site that was surveyed and never processed

    @property
    def pages(self) -> int:
        """Return the number of pages, those without areas included."""
        return self.hits + self.learned + self.failed + self.skipped + self.waiting

    @property
    def is_default(self) -> bool:
        """Return whether it was learned in the default mode, and has slots."""
        return self.mode is Mode.DEFAULT

    @property
    def is_layable(self) -> bool:
        """Return whether there are slots or stencils to lay over a page."""
        return self.teaching > 0 or (self.is_default and self.hits + self.learned > 0)

    @property
    def hit_ratio(self) -> float | None:
        """Return the share of hits in the pages with areas, None if there are none."""
        done = self.hits + self.learned
        return self.hits / done if done else None


@dataclass(slots=True)
class Count:
    """The counts of a site so far."""

    statuses: Counter[str] = field(default_factory=Counter)
    states: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Overview:
    """What is known of all sites of a store."""

    makers: dict[int, str]
    modes: dict[str, Mode]  # by maker
    stencils: tuple[StencilSummary, ...]
    runs: tuple[SiteRun, ...]
    counts: tuple[tuple[str, int, str, int], ...]  # site, maker, status, pages
    surveyed: Mapping[str, int]  # pages with an outline, by site
    rows: tuple[SiteSummary, ...] = ()  # sorted by site


@dataclass(frozen=True, slots=True)
class SiteList:
    """Sites whose names contain a text, and the figures of all."""

    rows: tuple[SiteSummary, ...]  # of this part of the list
    part: ListPart
    known: int  # sites of the store
    pages: int  # pages of the store
    drifted: int  # sites of the store
    several: bool  # there are sites of several settings
    templates: Mapping[str, int]  # how many there are of each of these sites


class SiteReader:
    """Reads what is known of the sites of a store.

    The uses of stencils take half a second to read after a year of daily runs. So they are cached
    until there are more.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: object = None  # what the past and the drifts were read from
        self._past = Past()
        self._drifts: dict[tuple[str, str], SiteDrift] = {}  # by site and `learner`

    def overview(self, store: SqlStore) -> Overview:
        """Return what is known of all sites of a store."""
        stencils = store.stencils.all()
        past, drifts = self._read(store, stencils)
        read = Overview(
            makers=store.lookups.makers(),
            modes=store.lookups.modes(),
            stencils=stencils,
            runs=past.runs,
            counts=tuple(store.lookups.site_counts()),
            surveyed=store.lookups.surveyed_sites(),
        )
        return replace(read, rows=site_rows(read, drifts))

    def _read(
        self, store: SqlStore, stencils: tuple[StencilSummary, ...]
    ) -> tuple[Past, dict[tuple[str, str], SiteDrift]]:
        with self._lock:
            known = store, store.lookups.uses_mark(), stencils
            if self._known != known:
                self._past = store.runs.past()
                found = compare(self._past, stencils)
                self._drifts = {(one.site, one.made_by): one for one in found}
                self._known = known
            return self._past, self._drifts


def site_rows(read: Overview, drifts: dict[tuple[str, str], SiteDrift]) -> tuple[SiteSummary, ...]:
    """Sum up each site, sorted by name."""
    numbers = {learner: number for number, learner in read.makers.items()}
    last = {(one.site, one.made_by): one for one in read.runs}  # they are in order: the newest
    counts: dict[SiteKey, Count] = {}
    for site, maker, status, pages in read.counts:
        counts.setdefault(SiteKey(site, maker), Count()).statuses[status] += pages
    for stencil in read.stencils:
        key = SiteKey(stencil.site, numbers[stencil.made_by])
        counts.setdefault(key, Count()).states[stencil.state] += 1
    rows = []
    for key, count in counts.items():
        learner = read.makers[key.maker]
        named = key.site, learner
        row = row_of(key, learner, count, drifts.get(named), last.get(named))
        rows.append(replace(row, mode=read.modes[learner]))
    rows += surveyed_rows(read.surveyed, {key.site for key in counts})
    return tuple(sorted(rows, key=lambda row: (row.key.site, row.key.maker)))


def surveyed_rows(surveyed: Mapping[str, int], processed: Container[str]) -> Iterator[SiteSummary]:
    """Yield the sites that were surveyed and have no results."""
    for site, pages in surveyed.items():
        if site not in processed:
            row = row_of(SiteKey(site, NO_MAKER), "", Count(), None, None)
            yield replace(row, waiting=pages)


def row_of(
    key: SiteKey, learner: str, count: Count, drift: SiteDrift | None, last: SiteRun | None
) -> SiteSummary:
    """Sum up a site."""
    teaching = count.states[StencilState.TEACHING]
    return SiteSummary(
        key=key,
        made_by=learner,
        mode=None,
        hits=count.statuses[Status.HIT],
        learned=count.statuses[Status.LEARNED],
        failed=count.statuses[Status.FAILED],
        skipped=count.statuses[Status.SKIPPED],
        teaching=teaching,
        ended=count.states.total() - teaching,
        last_run=last.began if last else "",
        unfinished=last is not None and not last.whole,
        drift=drift,
    )


def drift_of(row: SiteSummary) -> SiteDrift | None:
    """Return the drift of a site, None if it has not drifted."""
    return row.drift if row.drift is not None and row.drift.drifted else None


def list_sites(
    store: SqlStore, rows: Sequence[SiteSummary], text: str = "", number: int = 1
) -> SiteList:
    """Return a part of the sites whose names contain a text."""
    found = [row for row in rows if text.lower() in row.key.site.lower()]
    part = ListPart(number, len(found))
    return SiteList(
        rows=tuple(part.of(found)),
        part=part,
        known=len(rows),
        pages=sum(row.pages for row in rows),
        drifted=sum(drift_of(row) is not None for row in rows),
        templates={
            row.key.site: len(store.templates.of(row.key.site).templates) for row in part.of(found)
        },
        several=len({row.key.maker for row in rows} - {NO_MAKER}) > 1,
    )


def site_named(rows: Iterable[SiteSummary], name: str, maker: int = 0) -> SiteSummary:
    """Return a site; if it was processed with several settings, with those of `maker`, or any."""
    for row in rows:
        if row.key.site == name and maker in (0, row.key.maker):
            return row
    raise NotStored(f"there is no site {name!r} in this store; choose one from the list of sites")


# The sites of a store with what was learned of them, and one of them by name or key.


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
        if row.is_default
        else ListedSite(row, None)
        for row in SiteReader().overview(store).rows
    )


def listing_facts(one: ListedSite) -> dict[str, object]:
    """Describe a site of the list for JSON."""
    row = one.row
    facts: dict[str, object] = {
        "site": row.key.site,
        "made_by": row.made_by or None,
        "mode": row.mode,
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


def learned_site(store: SqlStore, site: str, most: int | None = None) -> SiteSlots:
    """Return a site that was learned in the default mode.

    At most so many pages of each template are read to know its slots.
    """
    modes = store.lookups.modes()
    for made_by in reversed(learners_of(store, site)):
        if modes[made_by] is Mode.DEFAULT:
            known = site_slots(store, made_by, site, most)
            if not known.outcome.version:
                raise NotStored(f"{site} is not learned; `webstencil run` learns it")
            return known
    raise NotStored(
        f"{site} has no slots: it was learned in paper mode; `webstencil stencils list` has it"
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
