"""Score summaries with metrics."""
