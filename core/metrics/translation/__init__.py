"""Metrics from machine translation and captioning: BLEU, chrF, METEOR, CIDEr."""
