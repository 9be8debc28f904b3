"""The database of stencils and results."""

from webstencil.store.results import PAGES_AT_ONCE, TO_BE_REDONE, PageFilter, PageRow
from webstencil.store.sql import SqlStore, StorePlace, existing_store, open_store
from webstencil.store.stencils import StencilSummary
from webstencil.store.usage import Past, SiteRun, StencilHistory, StencilLife, StencilState

__all__ = [
    "PAGES_AT_ONCE",
    "TO_BE_REDONE",
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
    "existing_store",
    "open_store",
]
