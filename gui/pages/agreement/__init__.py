"""Measure the agreement of annotators."""
