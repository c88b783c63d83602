"""Plan who works on which topic."""
