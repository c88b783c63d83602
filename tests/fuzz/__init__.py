"""Damaged and hostile files for every import format; `python -m tests.fuzz` runs them by the thousand."""
