"""Where stencils and results are kept."""

from webstencil.store.sql import SqlStore, StencilSummary, open_store

__all__ = ["SqlStore", "StencilSummary", "open_store"]
