"""Models and cached encodings."""
