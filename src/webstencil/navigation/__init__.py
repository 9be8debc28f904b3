"""Navigation as data: menus, lists, pagination, breadcrumbs.

links ─► spread (or chd) ─► kinds ◄─ repetition           what each block of links is
                              ▲
       features, hints ─► classify, pagination            a page alone
nesting ─► page_menus ─► merge ─► tree ─► sitemap         the site
"""

from webstencil.navigation.kinds import (
    BlockKind,
    NavigationBlock,
    PageLinks,
    SiblingLinks,
    items,
    menus,
    navigation,
    page_items,
    page_links,
)
from webstencil.navigation.links import PaperRule, Spread
from webstencil.navigation.tree import Merger, SiteMap

__all__ = [
    "BlockKind",
    "Merger",
    "NavigationBlock",
    "PageLinks",
    "PaperRule",
    "SiblingLinks",
    "SiteMap",
    "Spread",
    "items",
    "menus",
    "navigation",
    "page_items",
    "page_links",
]
