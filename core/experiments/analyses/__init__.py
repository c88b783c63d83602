"""Experiments on a study: one module per experiment."""
