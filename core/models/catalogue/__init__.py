"""Which models exist, where they are stored, how to get and verify them."""
