"""Load and select the inputs of experiments."""
