"""Annotation aids without a window: checks of pyramids and matches, word coverage, blind order, text search."""
