"""Formats of annotation tools: brat, Label Studio, doccano, Potato and INCEpTION."""
