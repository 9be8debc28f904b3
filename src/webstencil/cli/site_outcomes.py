"""What a job learned of its sites in the default mode, as the user sees it at the end."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich.table import Table

from webstencil.cli import screen
from webstencil.cli.screen import STENCILS, Talk
from webstencil.jobs.learn import NO_PLAN, NOTHING_TO_RENDER
from webstencil.model import Mode, PageResult, Status
from webstencil.output.plot import PlotLine, plot
from webstencil.output.words import percent, plural
from webstencil.queries.slots import SiteOutcome, site_outcome
from webstencil.settings import Settings
from webstencil.site.lay import UNSEEN_ATTRIBUTE
from webstencil.store import SqlStore

SHOWN = 20  # sites, and changes of a site
COLUMNS = (
    *("site", "pages", "templates", "slots", "planned", "rendered"),
    *("text to cover", "covered", "pages with unseen text"),
)


@dataclass(frozen=True, slots=True)
class LearnedSite:
    """What a job made of a site."""

    outcome: SiteOutcome
    unseen_pages: int  # pages of the job with text where no rendered page has any
    is_new: bool  # its areas were decided in this job

    @property
    def changes(self) -> tuple[str, ...]:
        """Return the decisions that this job changed, in words."""
        return self.outcome.changes if self.is_new else ()

    def facts(self) -> dict[str, object]:
        """Describe it for JSON."""
        return asdict(self.outcome) | {"unseen_pages": self.unseen_pages, "changes": self.changes}


@dataclass(slots=True)
class SiteTally:
    """Notes the sites of a job, and their pages with unseen text."""

    unseen: dict[str, set[str]] = field(default_factory=dict)  # URLs, by site

    def add(self, result: PageResult) -> None:
        """Note a page; a later result of it counts instead of an earlier one."""
        if not result.has_areas:
            return
        urls = self.unseen.setdefault(result.site, set())
        if any(problem.kind == UNSEEN_ATTRIBUTE for problem in result.problems):
            urls.add(result.url)
        else:
            urls.discard(result.url)

    def learned(
        self, store: SqlStore, settings: Settings, before: Mapping[str, int]
    ) -> tuple[LearnedSite, ...]:
        """Return what was learned of the sites, those with the most pages first.

        `before` are the versions of the sites when the job began.
        """
        if settings.mode is not Mode.DEFAULT:
            return ()
        found = []
        for site, urls in self.unseen.items():
            outcome = site_outcome(store, settings.learner, site)
            is_new = outcome.version > before.get(site, 0)
            found.append(LearnedSite(outcome, len(urls), is_new))
        return tuple(sorted(found, key=lambda one: (-one.outcome.pages, one.outcome.site)))


def show_learned(talk: Talk, sites: Sequence[LearnedSite]) -> None:
    """Print forecast and fact of each site, what failed, and which decisions changed."""
    if talk == Talk.DISPLAY and sites:
        screen.show(outcomes_table(sites))
        for one in sites[:SHOWN]:
            for change in one.changes[:SHOWN]:
                screen.say(f"changed on {one.outcome.site}: {change}")
            if len(one.changes) > SHOWN:
                more = plural(len(one.changes) - SHOWN, "more change")
                screen.say(f"changed on {one.outcome.site}: {more} (--log-json lists all)")
    for words in shortcomings(one.outcome for one in sites):
        screen.complain(words)


def outcomes_table(sites: Sequence[LearnedSite]) -> Table:
    """Show the sites of a job: what was planned, and what came of it."""
    rows = [outcome_cells(one) for one in sites[:SHOWN]]
    if len(sites) > SHOWN:
        rows.append((f"and {len(sites) - SHOWN:,} more sites",))
    table = screen.plain_table(*COLUMNS)
    for row in rows:
        table.add_row(*row)
    return table


def outcome_cells(one: LearnedSite) -> tuple[str, ...]:
    """Write a site as a row."""
    known = one.outcome
    counts = (known.pages, known.templates, known.slots, known.planned, known.rendered)
    covered = percent(known.covered if known.is_rendered else None)
    forecast = percent(known.forecast if known.planned else None)
    shares = (forecast, covered, f"{one.unseen_pages:,}")
    return (known.site, *(f"{number:,}" for number in counts), *shares)


def shortcomings(sites: Iterable[SiteOutcome]) -> list[str]:
    """Say which planned pages could not be rendered, and what follows from that.

    Sites with the same reason are told in one sentence.
    """
    bare: dict[str, list[str]] = {}
    words = []
    for known in sites:
        if not known.is_rendered:
            bare.setdefault(known.reason or NOTHING_TO_RENDER, []).append(known.site)
        elif known.failed:
            pages = plural(len(known.failed), "planned page")
            words.append(
                f"{known.site}: {pages} could not be rendered and others were taken instead, "
                f"first {known.failed[0]}: {known.reason}"
            )
    for reason, names in bare.items():
        more = f" and {len(names) - 1:,} more sites" if len(names) > 1 else ""
        words.append(
            f"No page of {names[0]}{more} was rendered, so areas follow the markup alone: "
            f"{reason.removesuffix('.')}.{next_step(reason)}"
        )
    return words


def next_step(reason: str) -> str:
    """Say what to do about a site of which no page was rendered."""
    if reason == NO_PLAN:
        return " Run the same command with a larger --budget."
    return "" if reason == NOTHING_TO_RENDER else " Then run the same command again."


# Growth of the number of stencils over a run: Table 1 and Figure 3 of the CPS paper.


ALL = "all sites"
PAPER_PAGES = 500  # after which Table 1 has the hit ratio
MOST_LINES = 10  # in a plot, of the sites with the most pages
STEPS = (1, 2, 5)  # growth is reported after 1, 2, 5, 10, 20, 50, ... pages


@dataclass(frozen=True, slots=True)
class GrowthRow:
    """The counts of a site (CPS paper, Table 1)."""

    site: str
    pages: int  # with areas
    templates: int  # that these pages follow
    stencils: int
    hit_ratio: float  # 0..1
    hit_ratio_at_500: float | None  # 0..1, of the first 500 pages; None if there are fewer


class _Site:
    """The counts of one site."""

    def __init__(self) -> None:
        self.pages = 0
        self.hits = 0
        self.early_hits = 0
        self.stencils: set[str] = set()
        self.templates: set[str] = set()
        self.points: list[tuple[float, float]] = []  # pages and stencils, where their number grew

    def add(self, stencil: str, template: str | None, hit: bool) -> None:
        self.pages += 1
        if template is not None:
            self.templates.add(template)
        self.hits += hit
        self.early_hits += hit and self.pages <= PAPER_PAGES
        if stencil not in self.stencils:
            self.stencils.add(stencil)
            self.points.append((self.pages, len(self.stencils)))

    def row(self, name: str) -> GrowthRow:
        enough = self.pages >= PAPER_PAGES
        return GrowthRow(
            site=name,
            pages=self.pages,
            templates=len(self.templates),
            stencils=len(self.stencils),
            hit_ratio=self.hits / max(1, self.pages),
            hit_ratio_at_500=self.early_hits / PAPER_PAGES if enough else None,
        )

    def line(self, name: str) -> PlotLine:
        return PlotLine(name, (*self.points, (self.pages, len(self.stencils))))


class Growth:
    """Counts stencils over the results of a run."""

    def __init__(self, thing: str = STENCILS) -> None:
        """Count what pages follow: stencils, in the default mode one for each template."""
        self.thing = thing
        self._all = _Site()
        self._sites: dict[str, _Site] = {}
        self.sites = SiteTally()

    @property
    def stencils(self) -> int:
        """Return the number of stencils so far."""
        return len(self._all.stencils)

    def add(self, result: PageResult) -> None:
        """Count a page, if it has areas."""
        self.sites.add(result)
        if result.has_areas:
            hit = result.status == Status.HIT
            for site in (self._all, self._sites.setdefault(result.site, _Site())):
                site.add(result.follows, result.template, hit)

    def rows(self) -> tuple[GrowthRow, ...]:
        """Return Table 1: a row for each site, those with the most pages first."""
        return tuple(site.row(name) for name, site in self._largest())

    def steps(self) -> tuple[tuple[int, int], ...]:
        """Return the number of stencils after 1, 2, 5, 10, ... and all pages."""
        reported = []
        scale = 1
        while scale <= self._all.pages:
            reported += [scale * step for step in STEPS if scale * step < self._all.pages]
            scale *= 10
        return tuple((pages, self._after(pages)) for pages in (*reported, self._all.pages) if pages)

    def draw(self, path: Path) -> None:
        """Draw Figure 3 into a file."""
        lines = [site.line(name) for name, site in self._largest()[:MOST_LINES]]
        if len(self._sites) > 1:
            lines.append(self._all.line(ALL))
        title = f"Growth of {self.thing}"
        plot(path, lines, title=title, x="pages", y=self.thing, counts=True)

    def _after(self, pages: int) -> int:
        return sum(1 for at, _ in self._all.points if at <= pages)

    def _largest(self) -> list[tuple[str, _Site]]:
        return sorted(self._sites.items(), key=lambda pair: (-pair[1].pages, pair[0]))
