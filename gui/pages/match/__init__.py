"""Match page: match the SCUs of a pyramid with the summaries of its topic."""
