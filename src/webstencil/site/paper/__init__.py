"""The published matching and locating: path sets and descriptors."""
