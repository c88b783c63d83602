"""Commands with their options and output, grouped by topic; what computes is imported when a command runs."""
