"""The engine: values, metrics, statistics, experiments, reports. Knows no window, no database, no network."""
