"""Inner loops of metrics, compiled by numba on first use."""
