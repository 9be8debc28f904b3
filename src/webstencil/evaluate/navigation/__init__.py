"""Navigation against what people marked, what siblings tell, and pagination links."""
