"""Experiments that reproduce tables and figures of a paper, named after it."""
