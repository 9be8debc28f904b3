"""ContentExtractor and FastContentExtractor, as published."""

from webstencil.extract.published.ce import ContentExtractor
from webstencil.extract.published.fastce import FastContentExtractor
from webstencil.extract.published.keeping import keep_template, kept_template
from webstencil.extract.published.template import BlockTemplate, Method, detect

METHODS: dict[str, Method] = {"ce": ContentExtractor(), "fastce": FastContentExtractor()}

__all__ = [
    "METHODS",
    "BlockTemplate",
    "ContentExtractor",
    "FastContentExtractor",
    "Method",
    "detect",
    "keep_template",
    "kept_template",
]
