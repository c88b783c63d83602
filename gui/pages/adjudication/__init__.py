"""Adjudicate differences of annotators."""
