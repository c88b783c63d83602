"""What is measured, not asserted: `python -m tests.benchmarks`."""
