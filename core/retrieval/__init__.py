"""Document retrieval: text analysis, indexes and ranking."""
