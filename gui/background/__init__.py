"""Background jobs, preloaded imports, garbage collection."""
