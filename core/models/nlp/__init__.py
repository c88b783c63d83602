"""Entities, noun phrases and dependency parses."""
