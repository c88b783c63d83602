"""Models fitted to scores and choices: variance components, effects, strengths."""
