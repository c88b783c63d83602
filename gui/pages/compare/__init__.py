"""Compare measures with judgements."""
