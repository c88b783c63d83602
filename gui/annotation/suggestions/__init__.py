"""Suggested SCUs, matches and occurrences."""
