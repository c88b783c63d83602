"""WIDAR: ROUGE weighted by the source document (Jain et al. 2022)."""
