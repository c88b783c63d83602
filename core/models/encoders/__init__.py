"""Encoders of tokens, words, spans and sentences."""
