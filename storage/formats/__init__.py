"""File formats that are imported and exported."""
