"""User actions: a request, the work, an outcome; one module each."""
