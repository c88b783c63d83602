"""Texts with selectable words and marked spans."""
