"""Finding the documents that a text is about: how words are made, what an index is, how it ranks."""
