"""What was learned of a site: what the plan of its renderings promised, and what came of it."""

from dataclasses import asdict, dataclass

from webstencil.site.areas import SiteAreas
from webstencil.site.plan import Learned
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
        slots=len(areas.slots),
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
