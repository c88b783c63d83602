"""Results of experiments, and their JSON."""
