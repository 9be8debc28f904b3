"""What areas are to a reader: header, menu, headline, body, list, footer and others."""

from webstencil.kinds.facts import Facts, facts_of
from webstencil.kinds.marks import Mark
from webstencil.kinds.rules import AreaKind, kind_of, label

__all__ = ["AreaKind", "Facts", "Mark", "facts_of", "kind_of", "label"]
