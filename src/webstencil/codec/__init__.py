"""Values as bytes, and bytes compressed: one module for each library."""
