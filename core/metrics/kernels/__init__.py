"""Inner loops, compiled by numba on first use; imported by metrics only when they score."""
