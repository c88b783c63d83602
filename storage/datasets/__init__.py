"""Public data sets: catalogue, download and import."""
