"""Whether sites still look as they did when their stencils were learned."""

from webstencil.drift.compare import SiteDrift, Span, compare

__all__ = ["SiteDrift", "Span", "compare"]
