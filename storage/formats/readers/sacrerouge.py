"""Reader of sacrerouge JSONL (Deutsch & Roth 2020): texts and nested metrics, one summary per line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.domain.study import SystemKind
from core.ports import ImportContent, NewScore
from core.progress import JobSteps
from storage.formats.readers.draft import ImportDraft, flatten, read_rows
from storage.formats.readers.fields import Row, list_field, name_field, new_text, number_field, text_field

KINDS = {"peer": SystemKind.AUTOMATIC, "reference": SystemKind.HUMAN}


def read(path: Path, options: Mapping[str, str]) -> JobSteps[ImportContent]:
    """Read texts, metrics or both. Raises BadImport with every problem."""
    return read_rows(path, options, _read_row)


def _read_row(row: Row, draft: ImportDraft) -> None:
    problems = draft.problems
    topic, system = name_field(row, "instance_id", problems), name_field(row, "summarizer_id", problems)
    kind = KINDS.get(text_field(row, "summarizer_type", problems))
    if kind is None and row.get("summarizer_type"):
        problems.add("summarizer_type", "Must be peer or reference.", "Correct the value.")
    if not topic or not system or kind is None:
        return
    if "summary" not in row and "metrics" not in row:
        problems.add("", "The line has neither a summary nor metrics.", "Add one of them.")
    if "summary" in row and (text := new_text(row["summary"], "summary.text", problems)):
        draft.summary(topic, system, text, kind)
    _read_texts(row, topic, draft)
    _read_metrics(row, topic, system, draft)


def _read_texts(row: Row, topic: str, draft: ImportDraft) -> None:
    problems = draft.problems
    for position, value in enumerate(list_field(row, "references", problems)):
        author = _named(value, ("summarizer_id", "author"), f"ref-{position:02}")
        if text := new_text(value, f"references[{position}]", problems):
            draft.reference(topic, author, text)
    for position, value in enumerate(list_field(row, "documents", problems), start=1):
        name = _named(value, ("filename", "name"), f"document-{position:02}")
        if text := new_text(value, f"documents[{position - 1}]", problems):
            draft.document(topic, name, text)


def _read_metrics(row: Row, topic: str, system: str, draft: ImportDraft) -> None:
    metrics = row.get("metrics", {})
    if not isinstance(metrics, Mapping):
        draft.problems.add("metrics", "Not an object.", 'Write {"rouge-1": {"recall": 0.4}}.')
        return
    flat = flatten(metrics, draft.problems)
    for measure in flat:
        value = number_field(flat, measure, draft.problems)
        if value is not None:
            draft.score(NewScore(topic, system, measure, value))


def _named(value: Any, keys: tuple[str, ...], otherwise: str) -> str:
    """Return the name of a text from its object, else one from its position."""
    if isinstance(value, Mapping):
        for key in keys:
            if isinstance(value.get(key), str) and value[key]:
                return str(value[key])
    return otherwise
