"""The template and the type of a page in its result, as its site knows them now."""

from dataclasses import asdict, replace

from webstencil.extract.content.page_types import voted_type
from webstencil.model import PageResult
from webstencil.site.templates import SiteTemplates, Template
from webstencil.site.type_votes import TypedPage, decides


def described(result: PageResult, templates: SiteTemplates, page: TypedPage) -> PageResult:
    """Return a result with the name of its template and the type of its page.

    If the template does not decide and the page is not asked now, the type stays as it was told
    when the page was processed.
    """
    name = templates.name_of(page.template)
    votes = templates.votes_of(page.template)
    kind, sure = result.type, result.type_confidence
    if page.types or kind is None or decides(votes):
        kind, sure = voted_type(page.types, votes)
    number = result.template_number if page.template is None else page.template
    named = replace(result, template=name, template_number=number, type=kind, type_confidence=sure)
    return result if named == result else named


def template_type(template: Template) -> tuple[str | None, float | None]:
    """Return the type that the pages of a template have together, and its probability."""
    return voted_type(b"", template.types)


def template_facts(template: Template) -> dict[str, object]:
    """Describe a template for JSON."""
    facts = asdict(template)
    del facts["types"]
    kind, sure = template_type(template)
    return {**facts, "type": kind, "type_confidence": sure}
