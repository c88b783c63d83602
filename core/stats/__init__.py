"""Statistics: correlations, intervals, significance tests, reliability and power."""
