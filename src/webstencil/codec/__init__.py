"""Values as bytes, and compressed bytes: one module per library."""
