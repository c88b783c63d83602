"""The Summarize page: make baseline systems from the documents."""
