"""Neural models: the only package that imports torch and transformers, and only when a model is loaded."""

import os

# torch reads this when it is loaded. Threads that wait by spinning take CPU cores from other processes: a
# forward pass next to two busy processes then takes five times as long.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
