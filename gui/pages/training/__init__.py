"""Control and training topics, and blind mode."""
