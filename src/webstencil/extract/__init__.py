"""Extract items from a page: content, headlines, metadata, products, rows of a list."""
