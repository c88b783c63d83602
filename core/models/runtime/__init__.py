"""Runtime support for loaded models: batches, devices, memory, caches and layers."""
