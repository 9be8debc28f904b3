"""How good the results are: evaluation against gold, on people's own pages.

tables, floors                how scores are shown and averaged; those that may not fall
scores                        words of texts, partitions, extended B-cubed
labelled_data, site_pages     what is read: labelled pages, and some pages of a site
hand_marked ─► segmentation   areas of segmenters against blocks that people marked
snapshots                     pages are rendered and segmented once
fidelity, landmarks           areas of a site against its renderings, and against what authors say
growth, orders                larger and larger sites; the same results in any order
clusters, content, page_types, metadata, markdown, locating, navigation    fields of single pages

What is trained, tried or repeated from a paper is in `research`, which only a clone has.
"""
