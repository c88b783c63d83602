"""What a study's numbers would be with fewer references, fewer topics, other settings."""
