"""Theme, icons and reading preferences."""
