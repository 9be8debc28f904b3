"""Navigation as data: menus, lists, pagination, breadcrumbs.

links ─► spread (or chd) ─┬─► kinds ◄─ repetition        what each block of links is
         targets ─────────┘     ▲
         features, hints ─► classify, pagination          a page alone
nesting ─► tree ─► sitemap                                the site
"""

from webstencil.navigation.chd import PaperRule
from webstencil.navigation.kinds import (
    BlockKind,
    NavigationBlock,
    PageLinks,
    items,
    menus,
    navigation,
    page_items,
    page_links,
)
from webstencil.navigation.repetition import Siblings
from webstencil.navigation.spread import Spread
from webstencil.navigation.tree import Merger, SiteMap

__all__ = [
    "BlockKind",
    "Merger",
    "NavigationBlock",
    "PageLinks",
    "PaperRule",
    "Siblings",
    "SiteMap",
    "Spread",
    "items",
    "menus",
    "navigation",
    "page_items",
    "page_links",
]
