"""State of the open study: selection, changes, undo, writes and preferences."""
