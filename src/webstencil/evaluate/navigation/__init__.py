"""Navigation against marked blocks, repetition on siblings, and marked pagination links."""
