"""The main content of pages, from the page itself and from what its siblings repeat."""

from webstencil.content.extractor import Content, MainContent, Policy

__all__ = ["Content", "MainContent", "Policy"]
