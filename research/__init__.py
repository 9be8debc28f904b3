"""Tables of the papers, training, ablations, benches and the demo site: outside the package."""
