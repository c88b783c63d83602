"""Reader of answers to comparisons: CSV, TSV or JSONL of this program, or with two systems and a winner."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from core.domain.import_batch import ImportContent, NewPreference
from core.domain.preferences import MOST_IN_TUPLE, ComparisonKind
from core.files.paths import printable_path
from core.progress import JobSteps, Progress
from storage.formats.format_types import Format, without_study
from storage.formats.readers.fields import (
    Problems,
    Row,
    is_name,
    json_rows,
    lines_to_skip,
    name_field,
    text_field,
)
from storage.formats.readers.recognition import by_names
from storage.formats.readers.tables.csv_records import JSONL, encoding_of, is_json
from storage.formats.readers.tables.table_cells import SUFFIXES as TABLES
from storage.formats.readers.tables.table_cells import records_of

DEFAULT_PLAN = "imported comparisons"
DEFAULT_ANNOTATOR = "imported"
TIES = frozenset({"tie", "both", "neither", "none"})
"""Winners of a pair that are none."""

_FIRST, _SECOND = ("system_a", "model_a"), ("system_b", "model_b")
_ROWS_AT_ONCE = 500


def is_header(names: set[str]) -> bool:
    """Return whether columns or keys are those of answers to comparisons."""
    has_systems = "systems" in names or any({a, b} <= names for a, b in zip(_FIRST, _SECOND, strict=True))
    return "topic" in names and has_systems and ("best" in names or "winner" in names)


def read(path: Path, options: Mapping[str, str]) -> JobSteps[ImportContent]:
    """Read answers, one per row. Raises BadImport with every problem.

    Columns: ``topic``; ``systems`` (a JSON list) or ``system_a`` and ``system_b``; ``best`` and ``worst``
    (both empty for a tie), or ``winner`` (a system, a, b or tie); optional ``plan``, ``kind``, ``annotator``,
    ``group``.
    """
    problems = Problems(path.name, skipped=lines_to_skip(options))
    found: list[NewPreference] = []
    groups: dict[str, str] = {}

    def take(row: Row) -> None:
        answer = _preference(row, problems)
        if answer is not None:
            found.append(answer)
            group = text_field(row, "group", problems, required=False)
            if not group or is_name(group, "group", problems):
                groups[answer.annotator] = groups.get(answer.annotator) or group

    if is_json(path):
        yield from json_rows(path, problems, take, encoding_of(path, options))
    else:
        for number, _, cells in records_of(path, problems, options):
            take(cells)
            if number % _ROWS_AT_ONCE == 0:
                yield Progress(0, 0, f"reading {printable_path(path.name)}, line {number}")
    if not found and not problems.found:
        problems.place = ""
        problems.add("", "There is nothing to import.", "Check the file and the selected format.")
    problems.stop_if_any()
    return ImportContent(printable_path(path.name), annotators=groups, preferences=tuple(found))


def _preference(row: Row, problems: Problems) -> NewPreference | None:
    """Return the answer of a row, None = it has a problem."""
    before = len(problems.found)
    topic = name_field(row, "topic", problems)
    plan = text_field(row, "plan", problems, required=False) or DEFAULT_PLAN
    annotator = text_field(row, "annotator", problems, required=False) or DEFAULT_ANNOTATOR
    is_name(plan, "plan", problems)
    is_name(annotator, "annotator", problems)
    systems = _systems(row, problems)
    kind = text_field(row, "kind", problems, required=False)
    if not kind:
        kind = ComparisonKind.PAIRWISE if len(systems) == 2 else ComparisonKind.BEST_WORST
    elif kind not in tuple(ComparisonKind):
        remedy = f"Write {' or '.join(ComparisonKind)}."
        problems.add("kind", f"{kind[:40]!r} is unknown.", remedy)
    if len(problems.found) > before:
        return None
    best, worst = _answer(row, systems, problems)
    if len(problems.found) > before:
        return None
    return NewPreference(plan, ComparisonKind(kind), topic, systems, annotator, best, worst)


def _systems(row: Row, problems: Problems) -> tuple[str, ...]:
    """Return the compared systems in the order of display."""
    given = row.get("systems")
    if given not in (None, ""):
        try:
            listed = json.loads(given) if isinstance(given, str) else given
        except (ValueError, RecursionError):
            listed = None
        if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
            problems.add("systems", "This is not a list of systems.", 'Write ["first", "second"].')
            return ()
    else:
        columns = [next((one for one in pair if row.get(one)), pair[0]) for pair in (_FIRST, _SECOND)]
        listed = [text_field(row, column, problems) for column in columns]
        if not all(listed):
            return ()
    if not 2 <= len(set(listed)) == len(listed) <= MOST_IN_TUPLE:
        what = f"A comparison has 2 to {MOST_IN_TUPLE} different systems; this row has {len(listed)}."
        problems.add("systems", what, "Name each system once.")
        return ()
    return tuple(listed) if all(is_name(one, "systems", problems) for one in listed) else ()


def _answer(row: Row, systems: tuple[str, ...], problems: Problems) -> tuple[str, str]:
    """Return the best and the worst system, both empty = a tie."""
    if "best" in row:
        best = text_field(row, "best", problems, required=False)
        worst = text_field(row, "worst", problems, required=False)
    else:
        best, worst = _winner(text_field(row, "winner", problems), systems), ""
    if best and not worst and len(systems) == 2:
        worst = next((one for one in systems if one != best), "")
    for name, chosen in (("best" if "best" in row else "winner", best), ("worst", worst)):
        if chosen and chosen not in systems:
            problems.add(
                name, f"{chosen[:60]!r} is not one of the systems.", "Name one of the row's systems."
            )
    return best, worst


def _winner(text: str, systems: tuple[str, ...]) -> str:
    """Return the system that won a pair, empty = a tie."""
    if text in systems:
        return text
    word = text.strip().lower()
    for place, names in enumerate((("a", *_FIRST), ("b", *_SECOND))):
        if word in names and len(systems) == 2:
            return systems[place]
    return "" if word in TIES or word.startswith("tie ") else text


FORMAT = Format(
    "preferences",
    "Comparisons (CSV, TSV, JSONL)",
    "Answers to comparisons of summaries: pairs with a winner, or the best and the worst of several.",
    without_study(read),
    by_names(is_header, (*TABLES, *JSONL)),
    (*TABLES, *JSONL),
    has_rows=True,
    is_table=True,
)
