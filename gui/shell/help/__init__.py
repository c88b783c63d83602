"""Help and shortcuts."""
