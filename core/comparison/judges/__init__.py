"""Judges of a study compared with the annotators of its ratings."""
