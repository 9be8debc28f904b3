"""How good the results are: evaluation against gold.

kreuzer ─► segmentation ─► compare ─► bcubed    labelled pages, methods, one page, the formula
           │           └► baselines, published_segmentation   what to compare with
           └► snapshots, kept_areas             pages are rendered and segmented once
site_fidelity ─► page_cost, divided_texts       hits against the areas of the whole site
site_landmarks ─► landmarks, divided_texts      areas against what authors say
fidelity ─► hit_cost, order, worst_hits         paper mode: hits against their own renderings
survey_orders, area_orders                      the same results in any order
plan_growth, run_growth                         larger and larger sites
labelled_data ─► template_clusters, golden_sites, swde, content/, navigation/
floors                                          scores that may not fall
"""
