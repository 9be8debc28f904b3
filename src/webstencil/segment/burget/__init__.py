"""Burget (2007): visual areas from boxes, grouped on a topographical grid."""

from webstencil.segment.burget.segmenter import PAPER, Burget

__all__ = ["PAPER", "Burget"]
