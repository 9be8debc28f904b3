"""Main content against gold: pages, scores, other extractors."""
