"""Match SCUs in summaries."""
