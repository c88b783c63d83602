"""Pyramid page: build the pyramid of a topic from its references."""
