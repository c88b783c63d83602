"""Figures of the Compare page, and the details of what is selected in them."""
