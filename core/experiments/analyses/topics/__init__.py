"""Experiments on which topics, and how many, a study has."""
