"""Scores of segmenters from the literature, on other pages: context, not a comparison.

Extended B-cubed on Webis-WebSeg-20, 8,490 pages with 9.1 blocks each: Kiesel et al., "An Empirical
Comparison of Web Page Segmentation Algorithms" (ECIR 2021), as reprinted in Table 2 of the
WebSAM-Adapter paper. The whole-page baseline: Huynh et al., on 1,969 of these pages. There, nodes
are all visible elements and texts that lie inside a drawn block.
"""

from dataclasses import dataclass

from webstencil.evaluate.segmentation import Mean

SOURCE = "published, other pages: Webis-WebSeg-20 (ECIR 2021; whole page: Huynh et al., a subset)"


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """The published scores of a method."""

    method: str
    areas: float
    nodes: Mean
    characters: Mean
    pixels: Mean


PUBLISHED = (
    PublishedRow(
        "VIPS, PDoC 6",
        16.1,
        Mean(0.69, 0.71, 0.63, 0.70),
        Mean(0.77, 0.72, 0.67, 0.75),
        Mean(0.36, 0.67, 0.38, 0.47),
    ),
    PublishedRow(
        "Cormier et al.",
        15.3,
        Mean(0.53, 0.82, 0.52, 0.65),
        Mean(0.61, 0.84, 0.61, 0.71),
        Mean(0.39, 0.80, 0.36, 0.53),
    ),
    PublishedRow(
        "HEPS",
        36.1,
        Mean(0.63, 0.46, 0.43, 0.54),
        Mean(0.73, 0.51, 0.50, 0.60),
        Mean(0.36, 0.56, 0.33, 0.44),
    ),
    PublishedRow(
        "MMDetection",
        23.0,
        Mean(0.74, 0.51, 0.52, 0.61),
        Mean(0.79, 0.60, 0.61, 0.69),
        Mean(0.51, 0.57, 0.42, 0.54),
    ),
    PublishedRow(
        "whole page",
        1.0,
        Mean(0.32, 1.00, 0.45, 0.49),
        Mean(0.44, 1.00, 0.57, 0.61),
        Mean(0.15, 1.00, 0.23, 0.26),
    ),
)
