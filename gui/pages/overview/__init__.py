"""Overview of a study."""
