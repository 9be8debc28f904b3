"""The main content of pages, by what they say themselves and what their siblings repeat."""

from webstencil.extract.content.extractor import Content, MainContent
from webstencil.extract.content.policy import Policy

__all__ = ["Content", "MainContent", "Policy"]
