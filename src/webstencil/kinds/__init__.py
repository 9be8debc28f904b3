"""What areas are to a reader: header, menu, headline, body, list, footer and others."""

from webstencil.kinds.facts import Facts, facts_of
from webstencil.kinds.marks import Mark
from webstencil.kinds.rules import Kind, kind_of, label

__all__ = ["Facts", "Kind", "Mark", "facts_of", "kind_of", "label"]
