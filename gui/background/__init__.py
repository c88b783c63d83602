"""Jobs off the GUI thread, imports ahead of need, garbage collection."""
