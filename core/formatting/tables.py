"""Tables as values, and their formats: CSV, JSON, Markdown, LaTeX."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from typing import TextIO

from core.formatting.numbers import UNDEFINED, format_correlation, format_count, format_p, format_score
from core.json_schema import OMITTED_IF_EMPTY

Cell = str | bool | int | float | None

LOWER = " ↓"
"""Ends the name of a measure that is better when lower; a table's note explains it."""

MARK = "†"
"""Marks the name of a measure that ran on a stand-in; a table's note explains it after the same mark."""

STAND_IN = "stand_in"
"""Key of the column with a row's stand-in."""


class CellKind(StrEnum):
    """Kind of a column's cells, which decides format and alignment."""

    TEXT = "text"
    CODE = "code"
    COUNT = "count"
    SCORE = "score"
    CORRELATION = "correlation"
    FINE_CORRELATION = "fine correlation"  # three decimals, as papers print it
    P = "p"


_NUMBERS: dict[CellKind, Callable[[float], str]] = {
    CellKind.COUNT: format_count,
    CellKind.SCORE: format_score,
    CellKind.CORRELATION: format_correlation,
    CellKind.FINE_CORRELATION: partial(format_correlation, digits=3),
    CellKind.P: format_p,
}


_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r]")
"""Start of a text that a spreadsheet would run; in East Asia, wide signs begin formulas too."""

ESCAPE = "'\u2060"
"""Sign before such a text in exports that are imported again: an apostrophe and an invisible word joiner, so
that texts of other projects that begin with an apostrophe stay as they are."""
_ESCAPED = re.compile(rf"(?:{ESCAPE})*(?:{_FORMULA.pattern})")


@dataclass(frozen=True, slots=True)
class Column:
    """A column: heading, key in JSON and kind of cells.

    group: heading above neighbouring columns.
    is_in_note: the table's note or method says the same, so that it is left out on paper and on the screen.
    is_end: an end of the interval of the value before it, which is shown with its ends on the screen.
    """

    title: str
    key: str
    kind: CellKind = CellKind.TEXT
    group: str = field(default="", metadata=OMITTED_IF_EMPTY)
    is_in_note: bool = field(default=False, metadata=OMITTED_IF_EMPTY)
    is_end: bool = field(default=False, metadata=OMITTED_IF_EMPTY)

    @property
    def full_title(self) -> str:
        """Return the title with that of its group, for formats with one row of headings."""
        return f"{self.group} {self.title}".strip()

    @property
    def is_number(self) -> bool:
        return self.kind in _NUMBERS

    def text(self, cell: Cell) -> str:
        """Return a cell as displayed; a dash if empty."""
        if cell is None or cell == "":
            return UNDEFINED
        if isinstance(cell, str):
            return cell
        return _NUMBERS.get(self.kind, format_score)(cell)


PLAIN_ENDS = ("low", "high")
"""Titles of the ends of an interval that the title before them or a note explains."""


def interval_ends(
    kind: CellKind, key: str = "", titles: Sequence[str] = ("95 %, low", "95 %, high"), group: str = ""
) -> tuple[Column, Column]:
    """Return the columns of the ends of an interval, to follow its value. key: begins their keys."""
    low, high = titles
    return (
        Column(low, f"{key}low", kind, group, is_end=True),
        Column(high, f"{key}high", kind, group, is_end=True),
    )


@dataclass(frozen=True, slots=True)
class Table:
    """Columns and rows of raw cells, None or NaN = empty.

    note: remarks below the table. bold: cells in bold, by index of row and column.
    is_detail: the numbers behind other tables, in files and machine formats but not printed unless asked for.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    bold: frozenset[tuple[int, int]] = field(default=frozenset(), metadata=OMITTED_IF_EMPTY)
    is_detail: bool = field(default=False, metadata=OMITTED_IF_EMPTY)

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"{self.title}: a row does not fit the columns")

    def texts(self) -> list[list[str]]:
        """Return every row as displayed."""
        return [[c.text(cell) for c, cell in zip(self.columns, row, strict=True)] for row in self.rows]

    def heading_groups(self) -> list[tuple[str, int]]:
        """Return the headings above columns with the number of columns of each; empty where none has one.

        Columns without a group have an empty heading.
        """
        found: list[tuple[str, int]] = []
        for column in self.columns:
            if found and column.group and found[-1][0] == column.group:
                found[-1] = column.group, found[-1][1] + 1
            else:
                found.append((column.group, 1))
        return found if any(title for title, _ in found) else []

    @property
    def footnote(self) -> str:
        """The part of the note that explains marked names, empty = none."""
        return self.note[self.note.index(MARK) :] if MARK in self.note else ""

    def footnotes(self) -> list[str]:
        """Return the footnote that applies to each row, empty = none.

        It applies to rows with a marked text; to all rows if a heading is marked, or nothing is.
        """
        marked = [any(isinstance(cell, str) and MARK in cell for cell in row) for row in self.rows]
        applies_to_all = any(MARK in column.title for column in self.columns) or not any(marked)
        return [self.footnote if applies_to_all or is_marked else "" for is_marked in marked]


def to_csv(table: Table) -> str:
    """Return a table as CSV with a heading row; numbers at full precision, empty if undefined.

    Text that a spreadsheet would run as a formula is prefixed with an apostrophe. See
    `without_marks`.
    """
    table = without_marks(table)
    out = io.StringIO()
    write = csv_rows(out)
    write([column.key for column in table.columns])
    for row in table.rows:
        write(row)
    return out.getvalue()


def without_marks(table: Table) -> Table:
    """Return a table for formats that programs read, with names of measures as ``--measure`` accepts them.

    `LOWER` is removed, and `MARK` if the table has a footnote that explains it. The footnote becomes a last
    column, `STAND_IN`, unless the table has one already.
    """
    rows = tuple(
        tuple(cell.replace(LOWER, "") if isinstance(cell, str) else cell for cell in row)
        for row in table.rows
    )
    heads = tuple(replace(c, title=c.title.replace(LOWER, "")) for c in table.columns)
    table = replace(table, rows=rows, columns=heads)
    if not table.footnote:
        return table
    columns = tuple(replace(c, title=_unmarked(c.title), key=_unmarked(c.key)) for c in table.columns)
    rows = tuple(tuple(map(_unmarked_cell, row)) for row in table.rows)
    if all(column.key != STAND_IN for column in columns):
        columns = (*columns, Column("Stand-in", STAND_IN))
        rows = tuple((*row, _unmarked(note)) for row, note in zip(rows, table.footnotes(), strict=True))
    return replace(table, columns=columns, rows=rows)


def _unmarked_cell(cell: Cell) -> Cell:
    return _unmarked(cell) if isinstance(cell, str) else cell


def _unmarked(text: str) -> str:
    return text.replace(MARK, "").strip() if MARK in text else text


def csv_rows(
    file: TextIO, *, is_data: bool = False, delimiter: str = ","
) -> Callable[[Sequence[Cell]], None]:
    """Return a function that writes rows to a CSV file.

    Formulas are escaped, and lines end in a line feed. is_data: the file can be imported again.
    """
    escaped = escape_data if is_data else escape_formula
    default = csv.writer(file, lineterminator="\n", delimiter=delimiter)
    quoting = csv.writer(file, lineterminator="\n", delimiter=delimiter, quoting=csv.QUOTE_ALL)

    def write(row: Sequence[Cell]) -> None:
        cells = [escaped(cell) for cell in row]
        # The default writer leaves a carriage return unquoted, and readers treat that as the end of a line.
        (quoting if any("\r" in cell for cell in cells) else default).writerow(cells)

    return write


def escape_formula(cell: Cell) -> str:
    """Return a cell as written to CSV; text that starts like a formula (``= + - @``) is escaped."""
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        return ""
    if not isinstance(cell, str):
        return str(cell)
    return f"'{cell}" if _FORMULA.match(cell) else cell


def escape_data(cell: Cell) -> str:
    """Return a cell as written to CSV that is imported again, with `ESCAPE` before a formula."""
    if isinstance(cell, str):
        return f"{ESCAPE}{cell}" if _ESCAPED.match(cell) else cell
    return escape_formula(cell)


def unescape_data(cell: str) -> str:
    """Return the text of a cell that `escape_data` returned; a cell of another origin stays as it is."""
    rest = cell.removeprefix(ESCAPE)
    return rest if rest != cell and _ESCAPED.match(rest) else cell


def to_markdown(table: Table) -> str:
    """Return a pipe table with right-aligned numbers."""
    head = _markdown_row([markdown_text(column.full_title) for column in table.columns])
    rule = _markdown_row(["---:" if column.is_number else "---" for column in table.columns])
    rows = [
        [
            f"**{markdown_text(text)}**" if (at, place) in table.bold else markdown_text(text)
            for place, text in enumerate(row)
        ]
        for at, row in enumerate(table.texts())
    ]
    lines = [head, rule, *map(_markdown_row, rows)]
    note = ["", *map(markdown_text, _paragraph(table.note))] if table.note else []
    return "\n".join([*lines, *note]) + "\n"


def _paragraph(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def to_latex(table: Table) -> str:
    r"""Return a booktabs table with right-aligned numbers; it needs ``\\usepackage{booktabs}``."""
    sides = "".join("r" if column.is_number else "l" for column in table.columns)
    head = _latex_row([latex_text(column.full_title) for column in table.columns])
    body = [
        _latex_row(
            rf"\textbf{{{latex_text(text)}}}" if (at, place) in table.bold else latex_text(text)
            for place, text in enumerate(row)
        )
        for at, row in enumerate(table.texts())
    ]
    lines = [
        f"\\begin{{tabular}}{{{sides}}}",
        "\\toprule",
        head,
        "\\midrule",
        *body,
        "\\bottomrule",
        *_latex_note(table),
        "\\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _latex_note(table: Table) -> list[str]:
    """Return the note below the last rule, as wide as the text."""
    if not table.note:
        return []
    text = latex_text(table.note)
    return [f"\\multicolumn{{{len(table.columns)}}}{{p{{\\linewidth}}}}{{\\footnotesize {text}}} \\\\"]


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


_MARKDOWN = re.compile(r"[\\`*\[\]|~$]|(?<!\w)_|_(?!\w)|<(?=[A-Za-z/!?])|&(?=#?\w+;)|^[#>+-]|^\d+(?=[.)])")


def markdown_text(text: str) -> str:
    """Return a text on one line that Markdown displays as it is."""
    return _MARKDOWN.sub(_with_backslash, " ".join(text.split()))


_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        **{
            sign: f"$\\{name}$"
            for sign, name in (
                *zip(
                    "αβγδεκλρσταχω",
                    (
                        "alpha",
                        "beta",
                        "gamma",
                        "delta",
                        "varepsilon",
                        "kappa",
                        "lambda",
                        "rho",
                        "sigma",
                        "tau",
                        "alpha",
                        "chi",
                        "omega",
                    ),
                    strict=True,
                ),
                *zip("≤≥≠±×→Δ", ("leq", "geq", "neq", "pm", "times", "rightarrow", "Delta"), strict=True),
            )
        },
        "²": "$^2$",
        "…": r"\dots{}",
        "\N{MIDDLE DOT}": r"$\cdot$",
        "\N{MINUS SIGN}": "$-$",
        "\N{EN DASH}": "--",
        MARK: r"$^{\dagger}$",
        LOWER.strip(): r"$\downarrow$",
        **{sign: "\\" + sign for sign in "&%$#_{}"},
    }
)


BEYOND_PDFLATEX = re.compile(
    "[^\x00-\u0125\u0128-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u0165\u0168-\u017e‘’‚“”„†‡•…‰‹›€™]"
)
"""Characters that pdfLaTeX does not know: none of ``t1enc.dfu`` and ``ts1enc.dfu``."""


_LIGATURE = re.compile("(?<=-)(?=-)|(?<=')(?=')|(?<=[`?!])(?=`)|(?<=,)(?=,)")
"""Between signs that LaTeX joins to another one."""


def latex_text(text: str) -> str:
    """Return a text in LaTeX, on one line, which can begin a row, an item or a paragraph.

    LuaLaTeX and XeLaTeX set every character that their font has. Others, and in pdfLaTeX all beyond its own
    fonts, appear as their numbers, such as ``U+6458``.
    """
    plain = "{}".join(part.translate(_LATEX) for part in _LIGATURE.split(text))
    shown = BEYOND_PDFLATEX.sub(_by_engine, " ".join(plain.split()))
    return f"{{{shown[0]}}}{shown[1:]}" if shown.startswith(("[", "*")) else shown  # else options of \\


def _by_engine(found: re.Match[str]) -> str:
    number = f"U+{ord(found[0]):04X}"
    known = rf"\iffontchar\font {ord(found[0])} {found[0]}\else {number}\fi"
    return rf"\ifdefined\Umathchar{known}\else {number}\fi{{}}"


def _with_backslash(found: re.Match[str]) -> str:
    return f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}"


def _latex_row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"
