"""Writers of scores and of the edit history."""
