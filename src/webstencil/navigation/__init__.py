"""Navigation as data: menus, lists, pagination, breadcrumbs.

links ─► kinds                                 what each block of links is, repeated or not
           ▲
features ─► classify, pagination               a page alone
merge ─► tree                                  the menus of all pages, the site map
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
