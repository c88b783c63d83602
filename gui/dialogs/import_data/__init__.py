"""Import texts, annotations and scores."""
