"""Dialogs with a presenter of their own."""
