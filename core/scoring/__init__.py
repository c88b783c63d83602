"""Plan and run the scoring of a study, in this process, in a pool or on a cluster."""
