"""How good the results are: evaluation against gold.

kreuzer ─► segmentation ─► compare ─► bcubed    labelled pages, methods, one page, the formula
           │           └► baselines, published_segmentation   what to compare with
           └► snapshots                         pages are rendered once
fidelity ─► hit_cost, order, worst_hits         hits against their own renderings
labelled_data ─► template_clusters, golden_sites, swde, content/, navigation/
floors                                          scores that may not fall
"""
