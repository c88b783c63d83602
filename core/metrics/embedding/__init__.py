"""Metrics on embeddings of words, tokens and sentences."""
