"""Output of experiment results: tables on standard output, files in a folder."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from cli.console import print_message, print_table
from cli.options.output import OutputOptions
from core.formatting.numbers import pluralize
from core.formatting.tables import MARK, Table, to_csv
from core.report.result_files import write_result
from core.results.result import Result


def print_result(result: Result, form: OutputOptions, *, with_details: bool = False) -> None:
    """Print the tables of a result, formatted or as CSV separated by blank lines, then its notes.

    Each note is printed once, although table files repeat it. with_details: print tables of details too,
    which CSV always has.
    """
    stand_ins = [f"{MARK} {' '.join(result.stand_ins)}"] if result.stand_ins else []
    closing = list(dict.fromkeys((*result.policy, *stand_ins, *result.warnings)))
    printed = [*closing, *result.stand_ins]
    for number, table in enumerate(result.tables):
        if table.is_detail and not with_details and not form.as_csv:
            print_message(
                f"Not printed: {table.title} ({pluralize(len(table.rows), 'row')}). --all prints it; --csv, "
                "--json and files of -o have it."
            )
        elif form.as_csv:
            sys.stdout.write(("\n" if number else "") + to_csv(table))
        else:
            note = _without(table.note, printed)
            _show(replace(table, note=note))
            printed += [note] if note else []
    for sentence in closing:
        print_message(sentence)


def _without(note: str, printed: Sequence[str]) -> str:
    """Remove sentences that are printed elsewhere from a note, longest first."""
    for sentence in sorted(printed, key=len, reverse=True):
        note = note.replace(sentence, "").replace(sentence.replace(MARK, ""), "")
    return " ".join(note.split()).strip(f"{MARK} ")


def write_files(result: Result, folder: Path, name: str) -> None:
    """Write tables and figures to a folder and list the files."""
    files = write_result(result, folder, name)
    print_message(f"Wrote {len(files)} files to {folder}: {', '.join(file.name for file in files)}.")


def _show(table: Table) -> None:
    """Print a formatted table, its note on standard error."""
    keys = [str(place) for place in range(len(table.columns))]
    rows = [dict(zip(keys, row, strict=True)) for row in table.texts()]
    right = [key for key, column in zip(keys, table.columns, strict=True) if column.is_number]
    heads = {key: column.title for key, column in zip(keys, table.columns, strict=True)}
    print_table(rows, heads, title=table.title, right=right)
    if table.note:
        print_message(table.note)
