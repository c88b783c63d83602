"""The only package that imports torch and transformers, and only when a model is loaded."""
