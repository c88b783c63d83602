"""SummEval's JSONL (Fabbri et al. 2021): one summary per line with its article, references and ratings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.ports import Incoming, NewRating
from core.progress import Steps
from storage.exchange.building import Draft, built_of_rows
from storage.exchange.reading import (
    Problems,
    Row,
    list_field,
    name_field,
    new_text,
    number_field,
)

DIMENSIONS = ("coherence", "consistency", "fluency", "relevance")
GROUPS = {"expert_annotations": "expert", "turker_annotations": "crowd"}
SCALE = (1.0, 5.0)


def read(path: Path, options: Mapping[str, str]) -> Steps[Incoming]:
    """Read a SummEval file. Raises BadImport with every problem."""
    return built_of_rows(path, _read_row)


def _read_row(row: Row, draft: Draft) -> None:
    problems = draft.problems
    topic, system = name_field(row, "id", problems), name_field(row, "model_id", problems)
    if not topic or not system:
        return
    if summary := new_text(row.get("decoded"), "decoded", problems):
        draft.summary(topic, system, summary)
    if row.get("text") is not None and (article := new_text(row["text"], "text", problems)):
        draft.document(topic, "article", article)
    for position, value in enumerate(_references(row, problems)):
        if reference := new_text(value, f"references[{position}]", problems):
            draft.reference(topic, f"ref-{position:02}", reference)
    for name, group in GROUPS.items():
        for position, given in enumerate(list_field(row, name, problems), start=1):
            _read_annotation(given, f"{name}[{position - 1}]", topic, system, f"{group}-{position}", draft)


def _references(row: Row, problems: Problems) -> list[Any]:
    """Every reference; the older layout has only the original one."""
    several = list_field(row, "references", problems)
    if several:
        return list(several)
    if row.get("reference") is not None:
        return [row["reference"]]
    problems.add("references", "The field is missing or empty.", "Give `references` or `reference`.")
    return []


def _read_annotation(given: Any, place: str, topic: str, system: str, annotator: str, draft: Draft) -> None:
    if not isinstance(given, Mapping):
        draft.problems.add(place, "Not an object with four ratings.", 'Write {"coherence": 1-5, ...}.')
        return
    for dimension in DIMENSIONS:
        if dimension not in given:
            draft.problems.add(f"{place}.{dimension}", "The rating is missing.", "Give a number from 1 to 5.")
            continue
        low, high = SCALE
        here = f"{place}.{dimension}"
        value = number_field(given, dimension, draft.problems, low=low, high=high, place=here)
        if value is not None:
            group = annotator.partition("-")[0]
            draft.rating(NewRating(topic, system, dimension, annotator, value), group, SCALE)
