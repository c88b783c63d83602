"""Load and select what experiments compute with."""
