"""Window with a summary and the explanation of a score."""
