"""Pyramid scores and Lite³Pyramid."""
