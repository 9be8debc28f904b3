"""Many pages on many cores: processes that each do a part of a source; docs/scale.md."""

from webstencil.workers.workers import Workers

__all__ = ["Workers"]
