"""Languages, scripts, sentences and words of texts."""
