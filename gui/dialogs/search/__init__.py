"""Search the texts of a study."""
