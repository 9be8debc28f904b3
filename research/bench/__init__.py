"""Measurements: speed as ratios within one run. Nothing here asserts."""
