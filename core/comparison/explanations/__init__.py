"""Explanations of scores and judgements by their parts."""
