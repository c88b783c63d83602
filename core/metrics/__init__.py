"""Metrics, one module each. Importing a module registers its metric; `registry` imports them all."""
