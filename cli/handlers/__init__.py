"""Implementations of the commands, one module per command."""
