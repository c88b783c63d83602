"""Verdicts on agreement: the main α of each kind of annotation against Krippendorff's thresholds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.agreement.table import AgreementRow, AgreementTable, Grouping
from core.agreement.titles import agreement_title, annotations_title
from core.formatting.numbers import format_correlation
from core.formatting.tables import Cell, CellKind, Column, Table, interval_ends

RELIABLE, TENTATIVE = 0.8, 0.667
"""Least α of annotations to rely on, and of those from which tentative conclusions may be drawn."""

THRESHOLDS = (
    "Verdicts: reliable from α = .8, tentative from .667 (Krippendorff 2004, Content Analysis, p. 241). An "
    "interval that reaches below a threshold leaves the verdict open."
)


class Verdict(StrEnum):
    """What a value of Krippendorff's α permits. NONE: no two annotators made the same annotations."""

    RELIABLE = "reliable"
    TENTATIVE = "tentative"
    LOW = "too low to rely on"
    NONE = "nothing to compare"
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
    decided_with: id of the annotations that are decided on for it: of ``rating.errors sentences`` all marks.
    differences: number of items to decide, None = not counted.
    """

    row: AgreementRow
    verdict: str
    decided_with: str
    differences: int | None = None

    @property
    def what(self) -> str:
        """Return the id of the annotations."""
        return self.row.what

    @property
    def title(self) -> str:
        """Return what annotators did."""
        return annotations_title(self.row.what)

    @property
    def coefficient(self) -> str:
        """Return the name of the coefficient, empty = nothing was compared."""
        return agreement_title(self.row.coefficient) if self.row.coefficient else ""

    @property
    def spoken(self) -> str:
        """Return α with its interval, and the thresholds that it is compared with."""
        between = ""
        if math.isfinite(self.row.low):
            low, high = (format_correlation(end) for end in (self.row.low, self.row.high))
            between = f", interval {low} to {high}"
        thresholds = f"{format_correlation(TENTATIVE, 3)} and {format_correlation(RELIABLE, 1)}"
        return f"{format_correlation(self.row.value)}{between}; thresholds {thresholds}"

    @property
    def grade(self) -> Verdict:
        """Return the verdict on the value."""
        return verdict_of(self.row.value)


def verdict_lines(table: AgreementTable, differences: Mapping[str, int] | None = None) -> list[VerdictLine]:
    """Return a line for each kind of annotation with an α.

    differences: number of items to decide by the id of their annotations; None = not counted. A scale of
        marked spans and a plan of sets have several lines, whose items are the same.
    """
    lines = []
    for row in main_rows(table):
        known = differences or {}
        shorter = row.what.rpartition(" ")[0]
        decided_with = shorter if row.what not in known and shorter in known else row.what
        verdict = row.reason or str(verdict_of(row.value))
        lines.append(VerdictLine(row, verdict, decided_with, known.get(decided_with)))
    return lines


def ranking_effect(row: AgreementRow) -> str:
    """Return what differences do to the result. row: of the correlation of the systems' means."""
    if row.reason:
        return f"What it does to the result: not known, {row.reason}."
    order = "order of the systems with one annotator and another"
    if format_correlation(row.value) == "1.00":
        order = "systems in the same order with either annotator"
    return f"What it does to the result: {order}, Kendall's τ-b {row.text}."


def verdict_table(lines: Sequence[VerdictLine]) -> Table | None:
    """Return the verdicts as a table; None = there are none."""
    if not lines:
        return None
    has_intervals = any(math.isfinite(line.row.low) for line in lines)
    is_counted = any(line.differences is not None for line in lines)
    columns = [
        Column("Annotation", "annotation"),
        Column("α", "alpha", CellKind.FINE_CORRELATION),
        *(interval_ends(CellKind.FINE_CORRELATION, titles=("Low", "High")) if has_intervals else ()),
        Column("Verdict", "verdict"),
        *([Column("Differences", "differences", CellKind.COUNT)] if is_counted else []),
        Column("Items", "items", CellKind.COUNT),
        Column("Annotators", "annotators", CellKind.COUNT),
        Column("Coefficient", "coefficient"),
    ]
    cells: list[dict[str, Cell]] = [
        {
            "annotation": line.title,
            "coefficient": line.coefficient,
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
