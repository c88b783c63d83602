"""Show the work of all annotators."""
