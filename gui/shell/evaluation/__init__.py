"""Quick evaluation of files without a study."""
