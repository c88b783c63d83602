"""Widgets and controllers of the annotation pages: marked texts, SCU lists, suggestions, progress."""
