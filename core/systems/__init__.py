"""Baseline summarizers; one module per summarizer, found by its `@register`."""
