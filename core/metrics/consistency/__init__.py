"""Metrics that check whether the documents support what a summary says."""
