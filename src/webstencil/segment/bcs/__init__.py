"""Box Clustering Segmentation (Zeleny, Burget, Zendulka): boxes merged while they are alike."""

from webstencil.segment.bcs.segmenter import BCS

__all__ = ["BCS"]
