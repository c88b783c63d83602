"""Levels, coefficients and selections of systems, each as (key, label)."""

from __future__ import annotations

from core.formatting.coefficients import LEVEL_TITLES, coefficient_title
from core.stats.types import CLASSIC, Coefficient

LEVELS = tuple((level.value, title) for level, title in LEVEL_TITLES.items())
COEFFICIENTS = tuple(
    (each.value, coefficient_title(each).replace("'s r", "").replace("'s ρ", "").replace("'s", ""))
    for each in CLASSIC
)
"""Labels short enough for segments: Pearson, Spearman, Kendall τ-b."""
MORE_COEFFICIENTS = tuple(
    (each.value, coefficient_title(each)) for each in Coefficient if each not in CLASSIC
)
SYSTEMS = (
    ("automatic", "Automatic systems"),
    ("all", "All, including human"),
    ("with-humans", "Systems and references"),
)
