"""`pyramidion correlate`."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence, Set
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from cli.console import put_csv, put_json, put_table, say
from core.comparison import CorrelationRow, Systems, correlation_table, judgements_for
from core.errors import InputError
from core.judgements import judgements
from core.measures import MeasureRef
from core.measures import measures as stored_measures
from core.ports import Study
from core.pyramid_judgements import choose_references
from core.report.numbers import UNDEFINED, correlation_text, p_text
from core.stand_ins import stand_ins_among
from core.stats.correlation import Coefficient, Level, Undefined
from storage.study_file import open_study

Choice = TypeVar("Choice", bound=StrEnum)
COLUMNS = ("measure", "signature", "human", "level", "coefficient", "value", "p", "n", "dropped", "stand_in")


def correlate_study(
    path: Path,
    humans: Sequence[str],
    *,
    references: Sequence[str],
    level: str,
    coefficient: str,
    measures: Sequence[str],
    annotators: Sequence[str],
    systems: str,
    undefined: str,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Print how well every measure follows the judgements. Raises InputError on unknown names.

    references: authors whose references pyramid scores count, empty = as the judgements' names say.
    """
    taking_part = choice(Systems, systems, "--systems")
    with open_study(path) as study:
        policies = _policies(study, _wanted(study, humans, references, annotators, taking_part), annotators)
        found = correlation_table(
            study,
            list(policies),
            choice(Level, level, "--level"),
            choice(Coefficient, coefficient, "--coefficient"),
            measures=measures or None,
            systems=taking_part,
            undefined=choice(Undefined, undefined, "--undefined"),
            annotators=annotators,
        )
        warnings = _warnings(study, {row.measure for row in found})
    if not found:
        raise InputError(_unscored(taking_part))
    _put(found, as_json=as_json, as_csv=as_csv)
    for sentence in (*(f"{name}: {policy}" for name, policy in policies.items()), *warnings, *_dashes(found)):
        say(sentence)


def _wanted(
    study: Study,
    humans: Sequence[str],
    references: Sequence[str],
    annotators: Sequence[str],
    systems: Systems,
) -> list[str]:
    """Names of the judgements that count, all where none is named, by the references and systems chosen."""
    names = list(dict.fromkeys(humans)) or [ref.name for ref in judgements(study, annotators)]
    if not names:
        raise InputError(
            "This study has no judgements yet. Import ratings, or rate or match summaries first."
        )
    return judgements_for(systems, choose_references(names, references) if references else names)


def _policies(study: Study, names: Sequence[str], annotators: Sequence[str]) -> dict[str, str]:
    """Whose opinion each judgement is, and what counts."""
    found = zip(names, judgements(study, annotators, names), strict=True)
    return {name: ref.policy if ref.cells else _NOBODY for name, ref in found}


_NOBODY = "nobody who counts has judged a summary yet."


def _unscored(systems: Systems) -> str:
    if systems is Systems.WITH_HUMANS:
        return "No measure of this study scored references as systems. Run `pyramidion score --humans` first."
    return "This study has no scores yet. Run `pyramidion score` first."


def _put(found: Sequence[CorrelationRow], *, as_json: bool, as_csv: bool) -> None:
    rows = [_row(row) for row in found]
    if as_json:
        put_json({"rows": rows})
    elif as_csv:
        put_csv(rows, COLUMNS)
    else:
        _show(found)


def _dashes(rows: Sequence[CorrelationRow]) -> list[str]:
    if all(math.isfinite(row.value) for row in rows):
        return []
    return [f"{UNDEFINED}: undefined, for one side is constant or there are fewer than three pairs."]


def _warnings(study: Study, shown: Set[str]) -> list[str]:
    """What a reader of the numbers must know: topics without a score, and texts changed since."""
    by_signature: dict[str, list[MeasureRef]] = defaultdict(list)
    for ref in stored_measures(study):
        if ref.label in shown:
            by_signature[ref.signature].append(ref)
    topics = len(study.topics())
    found = list(stand_ins_among(ref for refs in by_signature.values() for ref in refs))
    for refs in by_signature.values():
        labels = ", ".join(ref.label for ref in refs)
        if refs[0].topics_scored < topics:
            found.append(f"{labels}: scored in {refs[0].topics_scored} of {topics} topics.")
        if refs[0].is_stale:
            found.append(f"{labels}: texts or annotations have changed since the scoring; score again.")
    return found


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


def _show(rows: Sequence[CorrelationRow]) -> None:
    ordered = sorted(rows, key=lambda row: (row.human, -row.value if row.value == row.value else 2.0))
    shown = [
        {
            "human": row.human,
            "measure": row.measure,
            "value": correlation_text(row.value, 3),
            "p": p_text(row.p),
            "n": row.n,
            "dropped": row.dropped,
            "stand_in": row.stand_in.removeprefix("stand-in: "),
        }
        for row in ordered
    ]
    title = f"{rows[0].coefficient} at {rows[0].level} level"
    heads = {"human": "Judgement", "measure": "Measure", "value": "Correlation", "p": "p", "n": "n"}
    heads["dropped"] = "dropped"
    if any(row.stand_in for row in rows):
        heads["stand_in"] = "Stand-in"
    put_table(shown, heads, title=title, right=("value", "p", "n", "dropped"))
