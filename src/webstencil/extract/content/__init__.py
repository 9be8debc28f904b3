"""The main content of pages, from the page itself and from what its siblings repeat."""

from webstencil.extract.content.extractor import Content, MainContent
from webstencil.extract.content.policy import Policy

__all__ = ["Content", "MainContent", "Policy"]
