"""Experiments: reusable analyses of a study's scores and judgements."""
