"""Experiments on which systems a study has."""
