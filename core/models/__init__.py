"""Neural models: the only package that imports torch and transformers, and only when a model is loaded."""

import os

# torch reads this when it is loaded. Threads that wait by spinning take CPU cores from other processes: a
# forward pass next to two busy processes then takes five times as long.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

# huggingface_hub reads this when it is loaded. Else it asks the hub, before the first request, for a list of
# programs whose traces in the environment it then reports.
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
