"""Annotation aids: checks of pyramids and matches, word coverage, blind order, text search."""
