"""Dialog that lets a program propose annotations."""
