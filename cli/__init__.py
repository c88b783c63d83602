"""The command line: one module per verb, the same functions underneath as in the window."""
