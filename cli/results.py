"""What experiments and comparisons of studies found: tables on standard output, files in a folder."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from cli.console import put_table, say
from cli.options.form import Form
from core.experiments.result import Result
from core.report.result_files import write_result
from core.report.tables import Table, to_csv


def put_tables(tables: Sequence[Table], form: Form) -> None:
    """Tables as CSV, a blank line between them, or for people."""
    for number, table in enumerate(tables):
        if form.as_csv:
            sys.stdout.write(("\n" if number else "") + to_csv(table))
        else:
            _show(table)


def write_files(result: Result, folder: Path, name: str) -> None:
    """Write tables and figures into a folder, and say which."""
    files = write_result(result, folder, name)
    say(f"{folder} holds {len(files)} files: {', '.join(file.name for file in files)}.")


def _show(table: Table) -> None:
    """A table for people, its note on standard error."""
    keys = [str(place) for place in range(len(table.columns))]
    rows = [dict(zip(keys, row, strict=True)) for row in table.texts()]
    right = [key for key, column in zip(keys, table.columns, strict=True) if column.is_number]
    heads = {key: column.title for key, column in zip(keys, table.columns, strict=True)}
    put_table(rows, heads, title=table.title, right=right)
    if table.note:
        say(table.note)
