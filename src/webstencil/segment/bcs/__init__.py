"""Box Clustering Segmentation (Zeleny, Burget, Zendulka): similar boxes are merged."""

from webstencil.segment.bcs.segmenter import BCS, PAPER

__all__ = ["BCS", "PAPER"]
