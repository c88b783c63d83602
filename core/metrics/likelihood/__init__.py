"""Metrics by the likelihood of texts under a language model."""
