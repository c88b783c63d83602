"""Control and training topics."""
