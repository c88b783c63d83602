"""Agreement tables as a result with tables and charts, for the window and the report."""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.agreement.table import AgreementRow, AgreementTable, Grouping
from core.agreement.titles import agreement_title, annotations_title
from core.agreement.verdicts import VerdictLine, verdict_lines, verdict_table
from core.formatting.tables import Cell, CellKind, Column, Table, interval_ends
from core.results.result import Chart, ChartKind, Result, Series

_TITLES = {
    Grouping.ALL: "All items",
    Grouping.TOPIC: "By topic",
    Grouping.PAIR: "By pair of annotators",
    Grouping.UNIT: "By unit, lowest agreement first",
    Grouping.ANNOTATOR: "By annotator (reliability)",
}
_GROUPS = {
    Grouping.TOPIC: "Topic",
    Grouping.PAIR: "Pair",
    Grouping.UNIT: "Unit",
    Grouping.ANNOTATOR: "Annotator",
}


def agreement_result(table: AgreementTable, lines: Sequence[VerdictLine] | None = None) -> Result:
    """Return the verdicts, a table per grouping, a chart of all coefficients and of each matrix of pairs.

    lines: verdicts with the number of items to decide; None = not counted.
    """
    verdicts = verdict_table(verdict_lines(table) if lines is None else lines)
    tables = [] if verdicts is None else [verdicts]
    tables += [_table(rows, grouping) for grouping in Grouping if (rows := _rows(table, grouping))]
    return Result(
        "Agreement of annotators",
        tuple(tables),
        tuple(_charts(table)),
        tuple(method_notes(table)),
        warnings=table.notes,
    )


def method_notes(table: AgreementTable) -> list[str]:
    """Return how the intervals were computed, and why some are missing."""
    notes = []
    if table.draws and any(math.isfinite(row.low) for row in table.rows):
        notes.append(
            f"Intervals: BCa bootstrap over topics, {table.draws:,} resamples, seed {table.seed}, "
            f"{table.confidence:.0%} confidence."
        )
    reasons = dict.fromkeys(row.no_interval for row in table.rows if row.no_interval)
    return [*notes, *(f"No interval: {reason}." for reason in reasons)]


def _rows(table: AgreementTable, grouping: Grouping) -> tuple[AgreementRow, ...]:
    return table.select(grouping=grouping)


def _table(rows: Sequence[AgreementRow], grouping: Grouping) -> Table:
    has_intervals = any(math.isfinite(row.low) for row in rows)
    columns = [
        Column("Annotations", "what"),
        *([] if grouping is Grouping.ALL else [Column(_GROUPS[grouping], "group")]),
        Column("Coefficient", "coefficient"),
        Column("Value", "value", CellKind.FINE_CORRELATION),
        *(interval_ends(CellKind.FINE_CORRELATION, titles=("Low", "High")) if has_intervals else ()),
        Column("Items", "items", CellKind.COUNT),
        *([Column("Annotators", "annotators", CellKind.COUNT)] if grouping is Grouping.ALL else []),
        *([Column("Remark", "remark")] if any(row.reason or row.note for row in rows) else []),
    ]
    cells: list[dict[str, Cell]] = [
        {
            "what": annotations_title(row.what),
            "group": row.group,
            "coefficient": agreement_title(row.coefficient),
            "value": row.value,
            "low": row.low,
            "high": row.high,
            "items": row.items,
            "annotators": len(row.annotators),
            "remark": row.reason or row.note,
        }
        for row in rows
    ]
    return Table(
        _TITLES[grouping],
        tuple(columns),
        tuple(tuple(cell[column.key] for column in columns) for cell in cells),
    )


def _charts(table: AgreementTable) -> list[Chart]:
    rows = [row for row in table.select(grouping=Grouping.ALL) if math.isfinite(row.value)]
    if not rows:
        return []
    names = list(dict.fromkeys(row.coefficient for row in rows))
    series = []
    for what in dict.fromkeys(row.what for row in rows):
        of = {row.coefficient: row for row in rows if row.what == what}
        value, low, high = (
            tuple(getattr(of[name], field) if name in of else math.nan for name in names)
            for field in ("value", "low", "high")
        )
        has_interval = any(map(math.isfinite, low))
        series.append(
            Series(
                annotations_title(what),
                value,
                low=low if has_interval else (),
                high=high if has_interval else (),
            )
        )
    bars = Chart(
        "Agreement",
        ChartKind.BARS,
        "",
        "Coefficient",
        tuple(series),
        tuple(agreement_title(name) for name in names),
    )
    return [bars, *_matrices(table)]


def _matrices(table: AgreementTable) -> list[Chart]:
    """Return a heatmap of the pairs for each kind of annotation with three or more annotators."""
    charts = []
    for what in dict.fromkeys(row.what for row in table.rows):
        pairs = table.select(what, Grouping.PAIR)
        people = tuple(dict.fromkeys(name for row in pairs for name in row.annotators))
        if len(people) < 3:
            continue
        coefficient = pairs[0].coefficient
        values = {frozenset(row.annotators): row.value for row in pairs if row.coefficient == coefficient}
        series = tuple(
            Series(one, tuple(values.get(frozenset((one, other)), math.nan) for other in people))
            for one in people
        )
        title = f"{annotations_title(what)}: {agreement_title(coefficient)} of each pair"
        charts.append(Chart(title, ChartKind.HEATMAP, "", "", series, people))
    return charts
