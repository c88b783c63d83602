"""Benchmarks: `python -m tests.benchmarks`."""
