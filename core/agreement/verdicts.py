"""Verdicts on agreement: the main α of each kind of annotation against Krippendorff's thresholds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum

from core.agreement.table import AgreementRow, AgreementTable, Grouping
from core.agreement.titles import agreement_title, annotations_title
from core.formatting.tables import Cell, CellKind, Column, Table

RELIABLE, TENTATIVE = 0.8, 0.667
"""Least α of annotations to rely on, and of those from which tentative conclusions may be drawn."""

THRESHOLDS = (
    "Verdicts: reliable from α = .8, tentative from .667 (Krippendorff 2004, Content Analysis, p. 241). An "
    "interval that reaches below a threshold leaves the verdict open."
)


class Verdict(StrEnum):
    """What a value of Krippendorff's α permits."""

    RELIABLE = "reliable"
    TENTATIVE = "tentative"
    LOW = "too low to rely on"
    UNDEFINED = "undefined"


def verdict_of(alpha: float) -> Verdict:
    """Return the verdict on a value of α; NaN = undefined."""
    if not math.isfinite(alpha):
        return Verdict.UNDEFINED
    return Verdict.RELIABLE if alpha >= RELIABLE else Verdict.TENTATIVE if alpha >= TENTATIVE else Verdict.LOW


def main_rows(table: AgreementTable) -> list[AgreementRow]:
    """Return the row over all items of the α for each kind of annotation: the first for its type of scale."""
    first: dict[str, AgreementRow] = {}
    for row in table.select(grouping=Grouping.ALL):
        if row.coefficient.startswith("alpha-"):
            first.setdefault(row.what, row)
    return list(first.values())


def verdict_table(table: AgreementTable, differences: Mapping[str, int] | None = None) -> Table | None:
    """Return a line for each kind of annotation; None = no α was computed.

    differences: number of items to decide by kind of annotation; None = not counted.
    """
    rows = main_rows(table)
    if not rows:
        return None
    has_intervals = any(math.isfinite(row.low) for row in rows)
    columns = [
        Column("Annotation", "annotation"),
        Column("α", "alpha", CellKind.FINE_CORRELATION),
        *([Column("Low", "low", CellKind.FINE_CORRELATION)] if has_intervals else []),
        *([Column("High", "high", CellKind.FINE_CORRELATION)] if has_intervals else []),
        Column("Verdict", "verdict"),
        *([Column("Differences", "differences", CellKind.COUNT)] if differences is not None else []),
        Column("Items", "items", CellKind.COUNT),
        Column("Annotators", "annotators", CellKind.COUNT),
        Column("Coefficient", "coefficient"),
    ]
    cells: list[dict[str, Cell]] = [
        {
            "annotation": annotations_title(row.what),
            "coefficient": agreement_title(row.coefficient),
            "alpha": row.value,
            "low": row.low,
            "high": row.high,
            "verdict": row.reason or str(verdict_of(row.value)),
            "items": row.items,
            "annotators": len(row.annotators),
            "differences": (differences or {}).get(row.what, ""),
        }
        for row in rows
    ]
    return Table(
        "Do the annotators agree?",
        tuple(columns),
        tuple(tuple(cell[column.key] for column in columns) for cell in cells),
        THRESHOLDS,
    )
