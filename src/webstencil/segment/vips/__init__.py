"""VIPS (Cai et al., 2003): blocks by rules, separators between them, degrees of coherence."""

from webstencil.segment.vips.segmenter import PAPER, VIPS

__all__ = ["PAPER", "VIPS"]
