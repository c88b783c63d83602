"""File formats for import and export."""
