"""Verdicts on agreement: the main α of each kind of annotation against Krippendorff's thresholds."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class VerdictLine:
    """The verdict on one kind of annotation.

    row: its main coefficient over all items. verdict: in words, or why there is none.
    differences: number of items to decide, None = not counted.
    """

    row: AgreementRow
    verdict: str
    differences: int | None = None

    @property
    def what(self) -> str:
        """Return the id of the annotations."""
        return self.row.what

    @property
    def title(self) -> str:
        """Return what annotators did."""
        return annotations_title(self.row.what)


def verdict_lines(table: AgreementTable, differences: Mapping[str, int] | None = None) -> list[VerdictLine]:
    """Return a line for each kind of annotation with an α.

    differences: number of items to decide by the id of their annotations; None = not counted. A scale of
        marked spans and a plan of sets have several lines, whose items are the same.
    """
    lines = []
    for row in main_rows(table):
        count = None
        if differences is not None:
            count = differences.get(decided_with(row.what, differences))
        lines.append(VerdictLine(row, row.reason or str(verdict_of(row.value)), count))
    return lines


def decided_with(what: str, known: Collection[str]) -> str:
    """Return the id under which annotations are decided on: ``rating.errors sentences`` with all marks.

    known: ids of annotations with differences.
    """
    return what if what in known else what.rpartition(" ")[0] or what


def verdict_table(lines: Sequence[VerdictLine]) -> Table | None:
    """Return the verdicts as a table; None = there are none."""
    if not lines:
        return None
    has_intervals = any(math.isfinite(line.row.low) for line in lines)
    is_counted = any(line.differences is not None for line in lines)
    columns = [
        Column("Annotation", "annotation"),
        Column("α", "alpha", CellKind.FINE_CORRELATION),
        *([Column("Low", "low", CellKind.FINE_CORRELATION)] if has_intervals else []),
        *([Column("High", "high", CellKind.FINE_CORRELATION)] if has_intervals else []),
        Column("Verdict", "verdict"),
        *([Column("Differences", "differences", CellKind.COUNT)] if is_counted else []),
        Column("Items", "items", CellKind.COUNT),
        Column("Annotators", "annotators", CellKind.COUNT),
        Column("Coefficient", "coefficient"),
    ]
    cells: list[dict[str, Cell]] = [
        {
            "annotation": line.title,
            "coefficient": agreement_title(line.row.coefficient),
            "alpha": line.row.value,
            "low": line.row.low,
            "high": line.row.high,
            "verdict": line.verdict,
            "items": line.row.items,
            "annotators": len(line.row.annotators),
            "differences": "" if line.differences is None else line.differences,
        }
        for line in lines
    ]
    return Table(
        "Do the annotators agree?",
        tuple(columns),
        tuple(tuple(cell[column.key] for column in columns) for cell in cells),
        THRESHOLDS,
    )
