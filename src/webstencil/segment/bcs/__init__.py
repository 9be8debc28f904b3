"""Box Clustering Segmentation (Zeleny, Burget, Zendulka): similar boxes are merged."""

from webstencil.segment.bcs.segmenter import BCS

__all__ = ["BCS"]
