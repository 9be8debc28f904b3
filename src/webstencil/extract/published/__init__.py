"""ContentExtractor and FastContentExtractor, as published."""

from webstencil.extract.published.ce import ContentExtractor
from webstencil.extract.published.fastce import FastContentExtractor
from webstencil.extract.published.template import Detected, Method, Template

METHODS: dict[str, Method] = {"ce": ContentExtractor(), "fastce": FastContentExtractor()}

__all__ = [
    "METHODS",
    "ContentExtractor",
    "Detected",
    "FastContentExtractor",
    "Method",
    "Template",
]
