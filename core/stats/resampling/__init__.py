"""Bootstrap and permutation: resampled coefficients, intervals, tests and power."""
