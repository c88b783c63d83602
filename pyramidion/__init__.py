"""Annotate, score, compare and report studies of summarization evaluation."""
