"""Compare studies."""
