"""Batches, devices, memory, caches and layers of a model that runs."""
