"""Reader of sacrerouge JSONL (Deutsch & Roth 2020): texts and nested metrics, one summary per line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.domain.import_batch import ImportContent, NewRating, NewScore
from core.domain.study import SystemKind
from core.progress import JobSteps
from storage.formats.format_types import Format, without_study
from storage.formats.readers.draft import ImportDraft, flatten, read_rows, usual_scale
from storage.formats.readers.fields import Row, list_field, name_field, new_text, number_field, text_field
from storage.formats.readers.recognition import by_names
from storage.formats.readers.tables.csv_records import JSONL

KINDS = {"peer": SystemKind.AUTOMATIC, "reference": SystemKind.HUMAN}
ANNOTATORS = "annotators"
"""Field of a line with the group and the names of the annotators of each list of numbers.

Only exports of this program have it.
"""

RATER = "rater"


def is_header(keys: set[str]) -> bool:
    """Return whether a line of these keys is of this format."""
    return {"instance_id", "summarizer_id"} <= keys or {"instance_id", "documents"} <= keys


def read(path: Path, options: Mapping[str, str]) -> JobSteps[ImportContent]:
    """Read texts, metrics or both. Raises BadImport with every problem."""
    content = yield from read_rows(path, options, _read_row)
    return replace(
        content, dimensions={name: usual_scale(*ends) for name, ends in content.dimensions.items()}
    )


def _read_row(row: Row, draft: ImportDraft) -> None:
    problems = draft.problems
    topic = name_field(row, "instance_id", problems)
    if "summarizer_id" not in row and "documents" in row:  # documents.jsonl of a data set
        if topic:
            _read_texts(row, topic, draft)
        return
    system = name_field(row, "summarizer_id", problems)
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
    if row.get("document") is not None and (text := new_text(row["document"], "document", problems)):
        draft.document(topic, _named(row["document"], ("filename", "name"), "document-01"), text)


def _read_metrics(row: Row, topic: str, system: str, draft: ImportDraft) -> None:
    """Read numbers as scores, and lists of numbers as ratings."""
    metrics = row.get("metrics", {})
    if not isinstance(metrics, Mapping):
        draft.problems.add("metrics", "Not an object.", 'Write {"rouge-1": {"recall": 0.4}}.')
        return
    people = row.get(ANNOTATORS)
    flat = flatten(metrics, draft.problems)
    for measure, value in flat.items():
        if isinstance(value, list):
            _read_ratings(topic, system, measure, value, people, draft)
        elif (number := number_field(flat, measure, draft.problems)) is not None:
            draft.score(NewScore(topic, system, measure, number))


def _read_ratings(
    topic: str, system: str, measure: str, values: Sequence[Any], people: Any, draft: ImportDraft
) -> None:
    """Read a list of numbers, one per annotator: ``expert.coherence`` is a rating by experts.

    people: by measure, else the annotators are numbered.
    """
    problems = draft.problems
    group, _, dimension = measure.rpartition(".")
    names: Any = [f"{group or RATER}-{position}" for position in range(1, len(values) + 1)]
    if isinstance(people, Mapping) and isinstance(people.get(measure), Mapping):
        group = text_field(people[measure], "group", problems, required=False)
        dimension = measure.removeprefix(f"{group}.") if group else measure
        names = people[measure].get("names")
    is_list = isinstance(names, list) and all(isinstance(name, str) for name in names)
    if not is_list or len(names) != len(values):
        what = f"The annotators of {measure} are not a list of {len(values)} names."
        problems.add(ANNOTATORS, what, "Write a name for each number, or leave the field out.")
        return
    for position, name in enumerate(names):
        place = f"{measure}[{position}]"
        number = number_field({place: values[position]}, place, problems)
        if number is not None:
            rating = NewRating(topic, system, dimension, name, number)
            draft.rating(rating, group, (number, number))


def _named(value: Any, keys: tuple[str, ...], otherwise: str) -> str:
    """Return the name of a text from its object, else one from its position."""
    if isinstance(value, Mapping):
        for key in keys:
            if isinstance(value.get(key), str) and value[key]:
                return str(value[key])
    return otherwise


FORMAT = Format(
    "sacrerouge",
    "sacrerouge (JSONL)",
    "One summary per line with its references and documents, or its scores and ratings.",
    without_study(read),
    by_names(is_header, JSONL),
    JSONL,
    has_rows=True,
)
