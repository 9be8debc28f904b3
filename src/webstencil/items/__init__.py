"""What a page tells in pieces: metadata, products, posts, rows of a list, headlines."""
