"""Shared by the annotation pages: texts with marks, SCU lists, suggestions, progress."""
