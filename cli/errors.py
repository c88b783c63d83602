"""Exit codes of the command line."""

DONE, BAD_INPUT, USAGE, BUG, INTERRUPTED = 0, 1, 2, 70, 130
