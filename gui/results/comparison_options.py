"""Levels, coefficients and selections of systems, each as (key, label)."""

from __future__ import annotations

from core.formatting.coefficients import LEVEL_TITLES, coefficient_title
from core.stats.types import CLASSIC, OF_ROWS, Coefficient
from gui.style.language import tr

LEVELS = tuple((level.value, title) for level, title in LEVEL_TITLES.items())
COEFFICIENTS = tuple(
    (each.value, coefficient_title(each).replace("'s r", "").replace("'s ρ", "").replace("'s", ""))
    for each in CLASSIC
)
"""Labels short enough for segments: Pearson, Spearman, Kendall τ-b."""
MORE_COEFFICIENTS = tuple((each.value, coefficient_title(each)) for each in OF_ROWS if each not in CLASSIC)
AT_SYSTEM_LEVEL = (Coefficient.SOFT_ACCURACY.value, coefficient_title(Coefficient.SOFT_ACCURACY))
"""A coefficient that the other levels do not have."""
SYSTEMS = (
    ("automatic", tr("Automatic systems")),
    ("all", tr("All, including human")),
    ("with-humans", tr("Systems and references")),
)
