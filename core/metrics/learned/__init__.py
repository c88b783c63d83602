"""Metrics learned from judgements: features, models stored as plain arrays."""
