"""Where stencils and results are kept."""

from webstencil.store.named import StorePlace
from webstencil.store.sql import SqlStore, StencilSummary, open_store
from webstencil.store.uses import StencilHistory, StencilState, Use

__all__ = [
    "SqlStore",
    "StencilHistory",
    "StencilState",
    "StencilSummary",
    "StorePlace",
    "Use",
    "open_store",
]
