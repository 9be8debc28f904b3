"""HTML as Markdown: CommonMark with GitHub's tables, footnotes, alerts, task lists and math."""

from webstencil.markup.as_markdown.blocks import markdown

__all__ = ["markdown"]
