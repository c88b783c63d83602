"""Significant differences between conditions, and between measures under one condition.

One-way analysis of variance and Tukey's test at 95 %, as Owczarzak & Dang 2009 report their resampled
correlations.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from core.experiments.tables.conditions import Condition
from core.formatting.tables import Cell, CellKind, Column, Table
from core.stats.estimators.anova import anova, tukey_rejects
from core.stats.significance_groups import compact_letter_display

_MOST_MEASURES = 12  # more measures give too many pairs to list


def significance_letters(conditions: Sequence[Condition], measure: int) -> dict[str, str]:
    """Return letters by condition: conditions that share one do not differ. Empty if none is tested."""
    tested = _tested(conditions)
    groups = [condition.samples[measure] for condition in tested]
    if len(groups) < 2:
        return {}
    means = np.array([condition.means()[measure] for condition in tested])
    return dict(
        zip((c.label for c in tested), compact_letter_display(tukey_rejects(groups), means), strict=True)
    )


def row_letters(conditions: Sequence[Condition], measures: Sequence[str], unit: str) -> str:
    """Return a sentence that names measures that do not differ under each condition; empty if not tested."""
    tested = _tested(conditions)
    if not tested or not 2 <= len(measures) <= _MOST_MEASURES:
        return ""
    sentences = []
    for condition in tested:
        differs = tukey_rejects(list(condition.samples))
        pairs = [
            f"{measures[i]} and {measures[j]}"
            for i, j in combinations(range(len(measures)), 2)
            if not differs[i, j]
        ]
        if pairs:
            sentences.append(f"{', '.join(pairs)} with {condition.label}")
    exceptions = f", except {'; '.join(sentences)}" if sentences else ""
    return f"Measures differ from each other within each number of {unit} (Tukey, 95 %){exceptions}."


def variance_table(title: str, measures: Sequence[str], conditions: Sequence[Condition]) -> Table | None:
    """Return F and p of each measure over the conditions, None for fewer than two testable conditions."""
    tested = _tested(conditions)
    if len(tested) < 2:
        return None
    columns = (
        Column("Measure", "measure"),
        Column("F", "f", CellKind.SCORE),
        Column("Between", "between", CellKind.COUNT),
        Column("Within", "within", CellKind.COUNT),
        Column("p", "p", CellKind.P),
        Column("Caution", "caution"),
    )
    rows: list[tuple[Cell, ...]] = []
    for at, name in enumerate(measures):
        test = anova([condition.samples[at] for condition in tested])
        rows.append((name, test.f, test.between, test.within, test.p, "p shrinks with the number of draws"))
    return Table(title, columns, tuple(rows), "One-way analysis of variance over the rows with draws.")


def _tested(conditions: Sequence[Condition]) -> list[Condition]:
    """Return the conditions with at least two defined draws for every measure."""
    return [c for c in conditions if not c.is_single and np.isfinite(c.samples).sum(axis=1).min() > 1]
