"""Texts of the references."""
