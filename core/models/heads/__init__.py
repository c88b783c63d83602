"""Models that answer questions, predict masked words or classify entailment."""
