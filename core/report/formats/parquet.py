"""Export of one table as a Parquet file with raw numbers."""

from __future__ import annotations

import io
import math

from core.formatting.tables import Cell, Table, without_marks


def table_to_parquet(table: Table) -> bytes:
    """Return a Parquet file: a column of numbers is float64 with null where undefined, others are texts.

    The title and the note are in the metadata of the schema.
    """
    import pyarrow
    import pyarrow.parquet

    plain = without_marks(table)
    arrays, fields = [], []
    for place, column in enumerate(plain.columns):
        cells = [row[place] for row in plain.rows]
        is_number = column.is_number and not any(isinstance(cell, str) and cell for cell in cells)
        kind = pyarrow.float64() if is_number else pyarrow.string()
        arrays.append(pyarrow.array([_number(c) if is_number else _text(c) for c in cells], kind))
        fields.append(pyarrow.field(column.key, kind))
    schema = pyarrow.schema(fields, metadata={"title": plain.title, "note": plain.note})
    made = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_arrays(arrays, schema=schema), made)
    return made.getvalue()


def _number(cell: Cell) -> float | None:
    return float(cell) if isinstance(cell, (int, float)) and math.isfinite(cell) else None


def _text(cell: Cell) -> str | None:
    if isinstance(cell, float) and not math.isfinite(cell):
        return None
    return None if cell is None or cell == "" else str(cell)
