"""`pyramidion correlate`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from cli.console import put_csv, put_json, put_table, say
from core.comparison import CorrelationRow, Systems, correlation_table
from core.errors import InputError
from core.judgements import judgements
from core.report.numbers import UNDEFINED, correlation_text, p_text
from core.stats.correlation import Coefficient, Level, Undefined
from storage.study_file import open_study

Choice = TypeVar("Choice", bound=StrEnum)
COLUMNS = ("measure", "signature", "human", "level", "coefficient", "value", "p", "n", "dropped")


def correlate_study(
    path: Path,
    humans: Sequence[str],
    *,
    level: str,
    coefficient: str,
    measures: Sequence[str],
    annotators: Sequence[str],
    systems: str,
    undefined: str,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Print how well every measure follows the judgements. Raises InputError on unknown names."""
    with open_study(path) as study:
        known = judgements(study, annotators)
        names = list(humans) or [ref.name for ref in known]
        if not names:
            raise InputError(
                "This study has no judgements yet. Import ratings, or rate or match summaries first."
            )
        found = correlation_table(
            study,
            names,
            choice(Level, level, "--level"),
            choice(Coefficient, coefficient, "--coefficient"),
            measures=measures or None,
            systems=choice(Systems, systems, "--systems"),
            undefined=choice(Undefined, undefined, "--undefined"),
            annotators=annotators,
        )
    if not found:
        raise InputError("This study has no scores yet. Run `pyramidion score` first.")
    rows = [_row(row) for row in found]
    policies = {ref.name: ref.policy for ref in known}
    if as_json:
        put_json({"rows": rows})
    elif as_csv:
        put_csv(rows, COLUMNS)
    else:
        _show(
            found, {name: policies.get(name, "nobody who counts has judged a summary yet.") for name in names}
        )


def choice(kind: type[Choice], value: str, option: str) -> Choice:
    """A choice by its name. Raises InputError that lists the choices."""
    try:
        return kind(value)
    except ValueError:
        raise InputError(f"{option} {value}: choose one of {', '.join(kind)}.") from None


def _row(row: CorrelationRow) -> dict[str, Any]:
    return {column: _plain(getattr(row, column)) for column in COLUMNS}


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, StrEnum) else value


def _show(rows: Sequence[CorrelationRow], policies: Mapping[str, str]) -> None:
    ordered = sorted(rows, key=lambda row: (row.human, -row.value if row.value == row.value else 2.0))
    shown = [
        {
            "human": row.human,
            "measure": row.measure,
            "value": correlation_text(row.value, 3),
            "p": p_text(row.p),
            "n": row.n,
            "dropped": row.dropped,
        }
        for row in ordered
    ]
    title = f"{rows[0].coefficient} at {rows[0].level} level"
    heads = {"human": "Judgement", "measure": "Measure", "value": "Correlation", "p": "p", "n": "n"}
    put_table(shown, {**heads, "dropped": "dropped"}, title=title, right=("value", "p", "n", "dropped"))
    for name, policy in policies.items():
        say(f"{name}: {policy}")
    if not all(math.isfinite(row.value) for row in rows):
        say(f"{UNDEFINED}: undefined, for one side is constant or there are fewer than three pairs.")
