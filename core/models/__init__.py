"""The only package that imports torch and transformers, and only when a model is loaded."""

import os

# Read by torch's threads when it is loaded: those that wait by spinning take the cores from whatever else
# computes, and a pass beside two busy processes takes five times as long.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
