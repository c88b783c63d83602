"""Compiled loops of the statistics."""
