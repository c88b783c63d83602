"""Restore a backup."""
