"""The template and the type of a page in its result, as its site knows them now."""

from dataclasses import replace

from webstencil.extract.content.page_types import voted_type
from webstencil.model import PageResult
from webstencil.site.templates import SiteTemplates
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
