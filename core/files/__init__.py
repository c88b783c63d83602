"""File system: paths, names, atomic writes, crash reports."""
