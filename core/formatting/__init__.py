"""Text formats of numbers, sizes, coefficients and tables."""
