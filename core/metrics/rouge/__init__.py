"""ROUGE and its relatives: n-grams, LCS, skip-bigrams, Basic Elements, embedded n-grams."""
