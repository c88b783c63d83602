"""Page of nugget hits: the matrix of nuggets and summaries."""
