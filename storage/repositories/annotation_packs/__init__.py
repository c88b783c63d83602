"""Annotation packs of a study: collect annotators' work, compare and merge the work of others."""
