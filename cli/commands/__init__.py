"""Commands and their options, grouped by topic; handlers are imported when a command runs."""
