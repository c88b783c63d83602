"""AncR: ROUGE anchored in the source documents (Wang et al. 2020)."""
