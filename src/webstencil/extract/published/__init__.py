"""ContentExtractor and FastContentExtractor, as published."""

from webstencil.extract.published.ce import ContentExtractor
from webstencil.extract.published.fastce import FastContentExtractor
from webstencil.extract.published.keeping import keep_template, kept_template
from webstencil.extract.published.template import Method, Template, detect

METHODS: dict[str, Method] = {"ce": ContentExtractor(), "fastce": FastContentExtractor()}

__all__ = [
    "METHODS",
    "ContentExtractor",
    "FastContentExtractor",
    "Method",
    "Template",
    "detect",
    "keep_template",
    "kept_template",
]
