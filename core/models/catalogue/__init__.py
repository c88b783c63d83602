"""Model catalogue: known models, where they are stored, how to get and verify them."""
