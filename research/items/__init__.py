"""Scores of items against labelled sites."""
