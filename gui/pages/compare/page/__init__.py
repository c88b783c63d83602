"""Choices, selection and output of the Compare page."""
