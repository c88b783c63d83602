"""Assign topics to annotators."""
