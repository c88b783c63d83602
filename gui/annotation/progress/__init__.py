"""Progress of the annotators by topic and summary."""
