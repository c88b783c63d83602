"""The command `agree`."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cli.console import print_csv, print_json, print_message, print_table
from cli.opening import open_sound
from cli.options import OutputOptions, Study, expand_option_groups, output_option
from core.errors import InputError
from core.files.atomic_write import STANDARD_OUTPUT, atomic_open, check_writable
from core.formatting.numbers import UNDEFINED, format_correlation, pluralize
from core.formatting.tables import csv_rows
from core.operations.options import AgreeRequest
from core.progress import run_with_progress

if TYPE_CHECKING:
    from core.agreement.table import AgreementRow, AgreementTable, Grouping


SCHEMA_VERSION = 1
"""Version of the JSON document; raised when a key changes its meaning."""

COLUMNS = (
    *("what", "grouping", "group", "coefficient", "value", "low", "high", "items", "annotators"),
    *("reason", "no_interval", "note"),
)


@expand_option_groups
def agree(
    path: Study,
    request: AgreeRequest,
    output: Annotated[
        Path | None, output_option("FILE", "CSV or JSON file to write instead; - for standard output.")
    ] = None,
    *,
    form: OutputOptions,
) -> None:
    """Measure the agreement of annotators.

    Of ratings, matches and pyramids, with intervals over topics and the effect on the ranking of systems.
    """
    from core.agreement.result import method_notes
    from core.operations import agree as operation

    if output is not None and output != STANDARD_OUTPUT:
        if output.suffix.lower() not in ("", ".csv", ".json"):
            raise InputError(
                f"-o {output}: agreement cannot be written as {output.suffix.lower()}. Use .csv or .json, or "
                "- for standard output."
            )
        check_writable(output)
    with open_sound(path) as study:
        table = run_with_progress(operation.agree(study, request), "Agreement", "No result was saved.")
    if output is not None:
        _write(table, output, as_json=form.as_json or output.suffix.lower() == ".json")
    elif form.as_json:
        print_json(to_document(table))
    elif form.as_csv:
        print_csv([_cells(row) for row in table.rows], COLUMNS)
    else:
        _print(table)
    for sentence in (*table.notes, *method_notes(table)):
        print_message(sentence)


def to_document(table: AgreementTable) -> dict[str, Any]:
    """Return a table as a JSON document; undefined numbers are null."""
    return {
        "schema_version": SCHEMA_VERSION,
        "bootstrap": {"draws": table.draws, "seed": table.seed, "confidence": table.confidence},
        "rows": [
            {
                **{name: _number(getattr(row, name)) for name in COLUMNS},
                "grouping": row.grouping.value,
                "annotators": list(row.annotators),
            }
            for row in table.rows
        ],
        "notes": list(table.notes),
    }


def _number(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _cells(row: AgreementRow) -> dict[str, Any]:
    values = {name: getattr(row, name) for name in COLUMNS}
    numbers = {name: "" if _number(value) is None else value for name, value in values.items()}
    return {**numbers, "grouping": row.grouping.value, "annotators": ", ".join(row.annotators)}


def _write(table: AgreementTable, output: Path, *, as_json: bool) -> None:
    text = io.StringIO()
    if as_json:
        text.write(json.dumps(to_document(table), ensure_ascii=False, indent=1) + "\n")
    else:
        write_row = csv_rows(text)
        write_row(COLUMNS)
        for row in table.rows:
            cells = _cells(row)
            write_row([cells[name] for name in COLUMNS])
    with atomic_open(output) as file:
        file.write(text.getvalue())


def _print(table: AgreementTable) -> None:
    """Print the verdicts, one table per grouping, and one of all items for each kind of annotation."""
    from core.agreement.table import Grouping
    from core.agreement.verdicts import verdict_lines, verdict_table

    if (verdicts := verdict_table(verdict_lines(table))) is not None:
        heads = {column.key: column.title for column in verdicts.columns}
        texts = [dict(zip(heads, texts, strict=True)) for texts in verdicts.texts()]
        print_table(texts, heads, title=verdicts.title, right=("alpha", "low", "high", "items", "annotators"))
        print_message(f"{verdicts.note}\n")
    for what in dict.fromkeys(row.what for row in table.rows):
        for grouping in Grouping:
            rows = table.select(what, grouping)
            if rows:
                _print_rows(rows, what, grouping, has_intervals=bool(table.draws))


def _print_rows(rows: Sequence[AgreementRow], what: str, grouping: Grouping, *, has_intervals: bool) -> None:
    from core.agreement.table import Grouping
    from core.agreement.titles import agreement_title

    heads = {} if grouping is Grouping.ALL else {"group": grouping.value.capitalize()}
    heads |= {"coefficient": "Coefficient", "value": "Value"}
    if has_intervals and any(math.isfinite(row.low) for row in rows):
        heads["interval"] = "95% interval"
    heads["items"] = "Items"
    if any(_remark(row) for row in rows):
        heads["remark"] = "Remark"
    people = rows[0].annotators
    title = f"{what}: agreement of {pluralize(len(people), 'annotator')}"
    if grouping is not Grouping.ALL:
        title = f"{what} by {grouping.value}"
    cells = [
        {
            "group": row.group,
            "coefficient": agreement_title(row.coefficient),
            "value": format_correlation(row.value, 3),
            "interval": _interval(row),
            "items": f"{row.items:,}",
            "remark": _remark(row),
        }
        for row in rows
    ]
    print_table(cells, heads, title=title, right=("value", "items"))


def _interval(row: AgreementRow) -> str:
    if not math.isfinite(row.low):
        return UNDEFINED
    return f"[{format_correlation(row.low, 3)}, {format_correlation(row.high, 3)}]"


def _remark(row: AgreementRow) -> str:
    return row.reason or row.note
