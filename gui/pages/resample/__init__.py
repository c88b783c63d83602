"""Run experiments."""
