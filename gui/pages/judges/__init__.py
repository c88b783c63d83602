"""Compare judges with annotators."""
