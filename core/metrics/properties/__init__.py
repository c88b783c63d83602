"""Properties of texts: measures without a better direction, and controls."""
