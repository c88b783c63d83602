"""JSON serialization of results, for storage in a study and for --json."""

from __future__ import annotations

import json
import math
from typing import Any

from core.formatting.tables import Cell, CellKind, Column, Table
from core.results.result import Chart, ChartKind, Result, Series


def to_document(result: Result) -> dict[str, Any]:
    """Return a result as a JSON document: full precision, null for undefined numbers."""
    return {
        "title": result.title,
        "tables": [table_document(table) for table in result.tables],
        "charts": [_chart(chart) for chart in result.charts],
        "policy": list(result.policy),
        "stand_ins": list(result.stand_ins),
        "warnings": list(result.warnings),
    }


def to_text(result: Result) -> str:
    """Return the JSON document as text."""
    return json.dumps(to_document(result), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def from_text(text: str) -> Result:
    """Parse the text of `to_text`. Undefined numbers become None in tables and NaN in charts."""
    read = json.loads(text)
    return Result(
        read["title"],
        tuple(table_of(table) for table in read["tables"]),
        tuple(_read_chart(chart) for chart in read["charts"]),
        tuple(read["policy"]),
        tuple(read["stand_ins"]),
        tuple(read["warnings"]),
    )


def table_document(table: Table) -> dict[str, Any]:
    """Return a table as a JSON document."""
    columns = [
        {"title": c.title, "key": c.key, "kind": c.kind.value}
        | ({"group": c.group} if c.group else {})
        | ({"is_in_note": True} if c.is_in_note else {})
        for c in table.columns
    ]
    rows = [[_cell(cell) for cell in row] for row in table.rows]
    found = {"title": table.title, "columns": columns, "rows": rows, "note": table.note}
    found |= {"bold": sorted(map(list, table.bold))} if table.bold else {}
    return found | ({"is_detail": True} if table.is_detail else {})


def _cell(cell: Cell) -> Cell:
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell


def table_of(read: dict[str, Any]) -> Table:
    """Return the table of a document made by `table_document`."""
    columns = tuple(
        Column(
            c["title"],
            c["key"],
            CellKind(c["kind"]),
            c.get("group", ""),
            is_in_note=bool(c.get("is_in_note")),
        )
        for c in read["columns"]
    )
    bold = frozenset((row, column) for row, column in read.get("bold", ()))
    rows = tuple(map(tuple, read["rows"]))
    return Table(read["title"], columns, rows, read["note"], bold, bool(read.get("is_detail")))


def _chart(chart: Chart) -> dict[str, Any]:
    return {
        "title": chart.title,
        "kind": chart.kind.value,
        "x_label": chart.x_label,
        "y_label": chart.y_label,
        "series": [_series(series) for series in chart.series],
        "ticks": list(chart.ticks),
        "note": chart.note,
    }


def _series(series: Series) -> dict[str, Any]:
    numbers = {key: [_cell(float(v)) for v in getattr(series, key)] for key in ("y", "x", "low", "high")}
    return {"label": series.label, **numbers, "names": list(series.names)}


def _read_chart(read: dict[str, Any]) -> Chart:
    series = tuple(_read_series(each) for each in read["series"])
    kind = ChartKind(read["kind"])
    note = read.get("note", "")  # results stored before charts had notes
    return Chart(read["title"], kind, read["x_label"], read["y_label"], series, tuple(read["ticks"]), note)


def _read_series(read: dict[str, Any]) -> Series:
    y, x, low, high = (tuple(map(_number, read[key])) for key in ("y", "x", "low", "high"))
    return Series(read["label"], y, x, low, high, tuple(read["names"]))


def _number(value: float | None) -> float:
    return math.nan if value is None else value
