"""Immutable values of a study; an edit is a pure function that returns a new value."""
