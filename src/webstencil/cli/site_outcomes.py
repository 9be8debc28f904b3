"""What a job learned of its sites in the default mode, as the user sees it at the end."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from rich.table import Table

from webstencil.cli import screen
from webstencil.cli.talk import Talk
from webstencil.model import Mode, PageResult
from webstencil.pipeline.learning import NO_PLAN, NOTHING_TO_RENDER
from webstencil.queries.figures import count, percent
from webstencil.queries.slots import SiteOutcome, site_outcome
from webstencil.settings import Settings
from webstencil.site.describe import UNSEEN
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
        if any(problem.kind == UNSEEN for problem in result.problems):
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
                more = count(len(one.changes) - SHOWN, "more change")
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
            pages = count(len(known.failed), "planned page")
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
