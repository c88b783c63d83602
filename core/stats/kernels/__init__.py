"""Loops of the statistics that numba compiles."""
