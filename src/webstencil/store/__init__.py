"""Where stencils and results are kept."""

from webstencil.store.looking import PAGES_AT_ONCE, PageRow, Wanted
from webstencil.store.named import StorePlace
from webstencil.store.sql import SqlStore, StencilSummary, open_store
from webstencil.store.uses import StencilHistory, StencilState, Use

__all__ = [
    "PAGES_AT_ONCE",
    "PageRow",
    "SqlStore",
    "StencilHistory",
    "StencilState",
    "StencilSummary",
    "StorePlace",
    "Use",
    "Wanted",
    "open_store",
]
