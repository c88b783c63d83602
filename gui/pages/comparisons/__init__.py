"""Compare summaries with each other."""
