"""Comments and flags of the whole study."""
