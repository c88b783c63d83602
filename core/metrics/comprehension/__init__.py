"""Metrics that test whether a summary helps to understand its document: BLANC, SummaQA."""
