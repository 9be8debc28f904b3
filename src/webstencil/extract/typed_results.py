"""The template and the type of a page in its result, as its site knows them now."""

from dataclasses import asdict, replace

from webstencil.extract.content.page_types import voted_type
from webstencil.model import PageResult
from webstencil.site.templates import SiteTemplates, Template
from webstencil.site.type_votes import TypedPage


def described(result: PageResult, templates: SiteTemplates, page: TypedPage) -> PageResult:
    """Return a result with the name of its template and the type of its page."""
    name = templates.name_of(page.template)
    kind, sure = voted_type(page.types, templates.votes_of(page.template))
    if kind is None:
        kind, sure = result.type, result.type_confidence
    if (result.template, result.type, result.type_confidence) == (name, kind, sure):
        return result
    return replace(result, template=name, type=kind, type_confidence=sure)


def template_type(template: Template) -> tuple[str | None, float | None]:
    """Return the type that the pages of a template have together, and its probability."""
    return voted_type(b"", template.types)


def template_facts(template: Template) -> dict[str, object]:
    """Describe a template for JSON."""
    facts = asdict(template)
    del facts["types"]
    kind, sure = template_type(template)
    return {**facts, "type": kind, "type_confidence": sure}
