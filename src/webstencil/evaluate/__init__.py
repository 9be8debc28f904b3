"""How good the results are.

kreuzer ─► segmentation ─► compare ─► bcubed    labelled pages, methods, one page, the formula
           │           └► baselines, published  what to compare with
           └► snapshots                         pages painted once
floors, gallery, commands                       what people do with it
"""

from webstencil.evaluate.bcubed import Score, extended_bcubed
from webstencil.evaluate.compare import Agreement, blocks_of, compare
from webstencil.evaluate.kreuzer import LabelledPage, read_pages
from webstencil.evaluate.segmentation import Row, average, paint, score_pages
from webstencil.evaluate.snapshots import KeepingRenderer

__all__ = [
    "Agreement",
    "KeepingRenderer",
    "LabelledPage",
    "Row",
    "Score",
    "average",
    "blocks_of",
    "compare",
    "extended_bcubed",
    "paint",
    "read_pages",
    "score_pages",
]
