"""Rate summaries."""
