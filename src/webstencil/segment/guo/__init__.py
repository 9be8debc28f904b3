"""Guo et al.: Block Finder and Partition Finder."""

from webstencil.segment.guo.segmenter import PAPER, Guo

__all__ = ["PAPER", "Guo"]
