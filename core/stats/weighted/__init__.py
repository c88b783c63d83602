"""Coefficients of weighted values, as resamples of units are."""
