"""Suggestions of contributors, SCUs and matches by sentence similarity."""
