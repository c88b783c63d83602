"""Console output: results on standard output, everything else on standard error."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from cli.streams import escape_cell, escape_control
from core.errors import InputError
from core.formatting.tables import csv_rows

if TYPE_CHECKING:
    from cli.table_layout import Block

PIPE_WIDTH = 160
"""Width in characters of tables that are written to a file or pipe."""

_C1 = re.compile("[\x7f-\x9f\ud800-\udfff]")
"""Control characters that `json` does not escape."""

Row = Mapping[str, Any]


class Lines(tuple[str, ...]):
    """Lines of one table cell; in other cells, line feeds are escaped."""

    __slots__ = ()


def setting_lines(settings: Iterable[Row]) -> Lines:
    """Return the settings of a metric, summarizer or experiment as one cell."""
    return Lines(f"{one['name']}={one['default']}  {one['help']}" for one in settings)


def print_message(sentence: str) -> None:
    """Print a message on standard error."""
    print(escape_control(sentence), file=sys.stderr)


def print_json(document: Any) -> None:
    """Print one JSON document on standard output; NaN becomes null."""
    with _writing_output():
        text = json.dumps(without_nan(document), ensure_ascii=False, indent=1)
        print(_C1.sub(lambda match: f"\\u{ord(match[0]):04x}", text))


def print_csv(rows: Sequence[Row], columns: Sequence[str]) -> None:
    """Print rows as CSV on standard output."""
    with _writing_output():
        write_row = csv_rows(sys.stdout)
        write_row(columns)
        for row in rows:
            write_row([row.get(column, "") for column in columns])


def print_table(
    rows: Sequence[Row], columns: Mapping[str, str | Lines], *, title: str = "", right: Sequence[str] = ()
) -> None:
    """Print a formatted table on standard output.

    columns: keys with headings. right: keys of right-aligned columns. `Lines` make a cell of several lines.
    A table wider than the terminal is wrapped, transposed or split into blocks of columns.
    """
    from rich.console import Console

    from cli.table_layout import layout

    console = Console(width=None if sys.stdout.isatty() else PIPE_WIDTH)
    texts = [[_cell(row.get(key, "")) for key in columns] for row in rows]
    is_number = [key in right for key in columns]
    for block in layout([_cell(head) for head in columns.values()], texts, is_number, console.width):
        _print_block(block, escape_cell(title))
        title = ""


def _cell(value: Any) -> str:
    return "\n".join(map(escape_cell, value)) if isinstance(value, Lines) else escape_cell(str(value))


def _print_block(block: Block, title: str) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title) if title else None, title_justify="left", box=box.SIMPLE_HEAD)
    for heading, is_number, width in zip(block.headings, block.right, block.widths, strict=True):
        justify: Literal["left", "right"] = "right" if is_number else "left"
        table.add_column(Text(heading), justify=justify, overflow="fold", width=width)
    for row in block.rows:
        table.add_row(*map(Text, row))
    out = io.StringIO()
    widest = sum(block.widths) + 3 * len(block.widths) + 4
    # Markup and emoji codes off: rouge-2[stem:no].f and :cat: are names.
    console = Console(
        file=out, width=widest, force_terminal=sys.stdout.isatty(), markup=False, emoji=False, highlight=False
    )
    console.print(table)
    with _writing_output():
        sys.stdout.write(out.getvalue())


@contextmanager
def _writing_output() -> Iterator[None]:
    """Raise InputError where writing to standard output fails, as on a full disk."""
    try:
        yield
        sys.stdout.flush()  # at exit, the error would be lost
    except OSError as error:
        raise InputError(
            f"The result could not be written to standard output: {error.strerror}. Redirect it to another "
            "place."
        ) from error


def without_nan(value: Any) -> Any:
    """Return a JSON document with null for NaN."""
    if isinstance(value, float) and value != value:
        return None
    if isinstance(value, Mapping):
        return {key: without_nan(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_nan(inner) for inner in value]
    return value
