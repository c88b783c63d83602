"""Model catalogue: known models, where they are stored, and their hashes."""
