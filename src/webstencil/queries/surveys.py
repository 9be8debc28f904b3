"""What the surveyed pages of a site tell: its templates with their pages, and its places."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from webstencil.queries.lists import NotStored
from webstencil.site.place_tree import PlaceTree, place_tree
from webstencil.site.survey_report import SiteSurvey, TemplateCount, survey_site
from webstencil.site.templates import NO_TEMPLATE
from webstencil.site.templates import described_template as facts_of_template
from webstencil.store import PAGES_AT_ONCE, SqlStore


@dataclass(frozen=True, slots=True)
class TemplateList:
    """The templates of a site."""

    templates: tuple[TemplateCount, ...] = ()  # those with most pages first
    surveyed: int = 0  # pages with an outline
    without: int = 0  # pages that fit no template
    undecided: int = 0  # pages whose template is not decided yet
    processed: frozenset[str] = frozenset()  # typical pages that have a result


@dataclass(frozen=True, slots=True)
class TemplateMembers:
    """The pages of a template."""

    site: str
    number: int
    name: str  # empty for pages that fit no template
    pages: int  # with or without a result
    urls: tuple[str, ...] = ()  # if none has a result: those of this part of the list


@dataclass(frozen=True, slots=True)
class ShownTree:
    """The places of a site, and which of their pages can be looked at."""

    tree: PlaceTree
    processed: frozenset[str]  # pages of examples that have a result


def site_templates(store: SqlStore, site: str) -> TemplateList:
    """Return the templates of a site; none if its pages were never surveyed."""
    counts = store.lookups.template_counts(site)
    known = [
        TemplateCount(one, counts.get(one.number, 0)) for one in store.templates.of(site).templates
    ]
    return TemplateList(
        templates=tuple(sorted(known, key=lambda one: (-one.pages, one.template.number))),
        surveyed=sum(counts.values()),
        without=counts.get(NO_TEMPLATE, 0),
        undecided=counts.get(None, 0),
        processed=store.lookups.processed(one.template.typical for one in known),
    )


def template_members(store: SqlStore, site: str, number: int) -> TemplateMembers:
    """Return a template of a site by its number, NO_TEMPLATE for pages that fit none."""
    name = store.templates.of(site).name_of(number)
    pages = store.lookups.template_counts(site).get(number, 0)
    if name is None and (number != NO_TEMPLATE or not pages):
        raise NotStored(f"there is no template {number} of {site!r}; choose one on its site's page")
    return TemplateMembers(site, number, name or "", pages)


def with_urls(store: SqlStore, members: TemplateMembers, skipped: int) -> TemplateMembers:
    """Add the URLs of a part of the pages."""
    found = store.outlines.members(members.site, members.number, skipped + PAGES_AT_ONCE)
    return replace(members, urls=found[skipped:])


def site_tree(store: SqlStore, site: str) -> ShownTree:
    """Return the places of a site; none if its pages were never surveyed."""
    said = store.outlines.excerpts(site)
    model = store.outlines.model(site)
    tree = place_tree(model, ((one.page.url, one.excerpts) for one in said))
    examples = (one.url for node in tree.nodes for one in node.sayings)
    return ShownTree(tree, store.lookups.processed(examples))


def template_facts(found: TemplateList) -> dict[str, object]:
    """Describe the templates of a site for JSON."""
    return {
        "pages": found.surveyed,
        "without": found.without,
        "undecided": found.undecided,
        "templates": [
            {**facts_of_template(one.template), "pages": one.pages} for one in found.templates
        ],
    }


# What a store knows of its sites as a whole: templates, plan, places.


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
