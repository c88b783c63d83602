"""Engine: values, metrics, statistics, experiments and reports. Imports no Qt, no SQL and no network code."""
