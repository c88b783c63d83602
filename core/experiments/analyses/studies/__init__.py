"""Experiments on several studies, and on what a study consists of."""
