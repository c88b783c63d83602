"""The history of edits: row deltas, undo, descriptions."""
