"""What a store knows of its sites as a whole: templates, plan, places."""

from collections.abc import Iterator

from webstencil.site.survey_report import SiteSurvey, survey_site
from webstencil.store import SqlStore


def surveyed_sites(store: SqlStore) -> tuple[str, ...]:
    """Return the names of the sites whose pages have outlines, sorted."""
    return tuple(count.site for count in store.outlines.sites())


def survey_of(store: SqlStore, site: str, *, budget: int | None = None) -> SiteSurvey:
    """Sum up a site."""
    outlines = store.outlines
    return survey_site(
        site,
        outlines.model(site),
        store.templates.of(site),
        outlines.templates(site),
        budget=budget,
    )


def surveys(store: SqlStore, *, budget: int | None = None) -> Iterator[SiteSurvey]:
    """Sum up all sites, by name."""
    return (survey_of(store, site, budget=budget) for site in surveyed_sites(store))
