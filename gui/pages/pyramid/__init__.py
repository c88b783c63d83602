"""Build pyramids."""
