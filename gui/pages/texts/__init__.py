"""Read the texts."""
