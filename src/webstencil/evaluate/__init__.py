"""How good the results are.

kreuzer ─► segmentation ─► compare ─► bcubed    labelled pages, methods, one page, the formula
           │           └► baselines, published  what to compare with
           └► snapshots                         pages painted once
floors, gallery, ..._commands                   what people do with it
"""
