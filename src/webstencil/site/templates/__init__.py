"""Which template a page follows: outlines, weights of paths, groups of samples."""

from webstencil.site.templates.outline import Outline, outline, outline_of
from webstencil.site.templates.site import Assigned, SiteTemplates, TemplatesState

__all__ = ["Assigned", "Outline", "SiteTemplates", "TemplatesState", "outline", "outline_of"]
