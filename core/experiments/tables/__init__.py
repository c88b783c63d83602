"""Tables shared by several experiments."""
