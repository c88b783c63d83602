"""Readers of texts, ratings and scores."""
