"""Where stencils and results are kept."""

from webstencil.store.lookups import PAGES_AT_ONCE, PageFilter, PageRow
from webstencil.store.named import StorePlace
from webstencil.store.sql import SqlStore, StencilSummary, open_store
from webstencil.store.usage import Past, SiteRun, StencilHistory, StencilLife, StencilState

__all__ = [
    "PAGES_AT_ONCE",
    "PageFilter",
    "PageRow",
    "Past",
    "SiteRun",
    "SqlStore",
    "StencilHistory",
    "StencilLife",
    "StencilState",
    "StencilSummary",
    "StorePlace",
    "open_store",
]
