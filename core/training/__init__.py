"""Train metrics on a study's judgements."""
