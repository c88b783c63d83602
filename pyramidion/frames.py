"""Rows of a study as pandas DataFrames, whose columns Arrow can take without loss."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from core.annotation.annotators import annotators_of
from core.annotation.assignment import assigned_by_work
from core.annotation.team_progress import work_progress
from core.comparison.cautions import note_text
from core.comparison.judgements import judgement_matrices, judgements
from core.comparison.measures import MeasureRef, find_measure, measures, measures_for
from core.comparison.staleness_text import changes_text
from core.comparison.stand_ins import stand_in_of
from core.domain.pyramid import TopicAnnotation, UnitKind
from core.domain.study import Text
from core.errors import InputError
from core.metrics.registry import split_label
from core.ports import Study, annotations_of
from core.progress import run_to_completion
from core.scoring.staleness import UP_TO_DATE, check_scores
from core.scoring.study_resources import StudyResources

if TYPE_CHECKING:
    from pandas import DataFrame

    from core.experiments.analyses.length_control import ControlledJudgement

Row = Mapping[str, Any]
Columns = Mapping[str, type]
"""The columns of a table with their types: str, float, int or bool."""

TEXTS: Columns = {
    "topic": str, "set": str, "title": str, "query": str, "kind": str, "name": str, "system_kind": str,
    "text": str,
}  # fmt: skip
ANNOTATIONS: Columns = {
    "topic": str, "annotator": str, "unit": str, "weight": int, "importance": str, "role": str,
    "text_of": str, "start": int, "end": int, "part": str, "comment": str, "is_confirmed": bool,
}  # fmt: skip
SCORES: Columns = {
    "topic": str, "system": str, "measure": str, "value": float, "higher_is_better": bool, "stand_in": str,
    "notes": str, "is_stale": bool, "signature": str,
}  # fmt: skip
MEASURES: Columns = {
    "measure": str, "metric": str, "family": str, "higher_is_better": bool, "topics_scored": int,
    "is_stale": bool, "changed": str, "stand_in": str, "signature": str,
}  # fmt: skip
JUDGEMENTS: Columns = {"topic": str, "system": str, "judgement": str, "value": float}
RATINGS: Columns = {
    "topic": str, "system": str, "dimension": str, "annotator": str, "group": str, "value": float,
    "low": float, "high": float, "kind": str, "category": str, "note": str, "flagged": str, "spans": str,
}  # fmt: skip
CONTROLLED: Columns = {
    "judgement": str, "measure": str, "control": str, "correlation": float, "with_control": float,
    "given": float,
}  # fmt: skip
PROGRESS: Columns = {"annotator": str, "work": str, "done": int, "total": int, "is_begun": bool}

_DTYPES = {float: "float64", int: "int64", bool: "bool"}


def frame(rows: Iterable[Row], columns: Columns) -> DataFrame:
    """Return rows as a table; an empty text of a number is missing (NaN), a missing text is empty."""
    from pandas import DataFrame, Series

    listed = list(rows)
    return DataFrame(
        {
            name: Series(_values(listed, name, kind), dtype=_DTYPES.get(kind, str))
            for name, kind in columns.items()
        }
    )


def inferred_frame(rows: Iterable[Row], columns: Sequence[str]) -> DataFrame:
    """Return rows as a table, with the types of their values; a missing number is NaN."""
    from pandas import DataFrame

    return DataFrame([{name: row.get(name) for name in columns} for row in rows], columns=list(columns))


def _values(rows: Sequence[Row], name: str, kind: type) -> list[Any]:
    if kind is float:
        return [float("nan") if row.get(name) in (None, "") else float(row[name]) for row in rows]
    return [row.get(name, "") for row in rows]


def controlled_rows(judgements: Iterable[ControlledJudgement]) -> Iterator[Row]:
    """Yield the rows of `Study.partial_correlations`."""
    for judged in judgements:
        for one in judged.measures:
            head = {"judgement": judged.label, "measure": one.label, "correlation": one.plain}
            for control, other, given in zip(judged.controls, one.with_each, one.given, strict=True):
                yield {**head, "control": control, "with_control": other, "given": given}
            if len(judged.controls) > 1:
                yield {**head, "control": "all", "given": one.given_all}


def progress_rows(study: Study) -> Iterator[Row]:
    """Yield the progress of each annotator in each kind of work that somebody has begun, as the window."""
    progress = run_to_completion(work_progress(study))
    for person in annotators_of(study):
        assigned = assigned_by_work(study, progress, person.name)
        for work, one in progress.items():
            if one.names:
                own = one.of(person.name, assigned[work])
                row: Row = {"annotator": person.name, "work": str(work), "done": own.done, "total": own.total}
                yield {**row, "is_begun": own.is_begun}


def text_rows(study: Study) -> Iterator[Row]:
    """Yield each document, reference and summary."""
    kinds = {system.name: system.kind.value for system in study.texts.systems()}
    for topic in study.texts.load():
        head = {"topic": topic.name, "set": topic.set, "title": topic.title, "query": topic.query}
        groups = {"document": topic.documents, "reference": topic.references, "summary": topic.summaries}
        for kind, texts in groups.items():
            for text in texts:
                own = kinds.get(text.name, "") if kind == "summary" else ""
                yield {**head, "kind": kind, "name": text.name, "system_kind": own, "text": text.content}


def annotation_rows(study: Study, kind: UnitKind) -> Iterator[Row]:
    """Yield each part of each contributor and match of a study's pyramids or nuggets.

    A match without a part has one row, with the span 0 to 0.
    """
    people = {person.id: person.name for person in study.annotators.all()}
    names = {topic.id: topic.name for topic in study.texts.topics()}
    texts: dict[str, Text] = {}
    current = ""
    for annotation in annotations_of(study, kind).annotations():
        if annotation.pyramid.topic_id != current:
            current = annotation.pyramid.topic_id
            topic = study.texts.topic(current)
            texts = {text.id: text for text in (*topic.references, *topic.summaries)}
        for row in _rows_of(annotation, texts, people):
            yield {"topic": names[current], **row}


def _rows_of(
    annotation: TopicAnnotation, texts: Mapping[str, Text], people: Mapping[str, str]
) -> Iterator[Row]:
    units = {scu.id: scu for scu in annotation.pyramid.scus}
    for scu in units.values():
        head = {"unit": scu.label, "weight": scu.weight, "importance": scu.importance}
        head["annotator"] = people.get(annotation.pyramid.annotator_id, "")
        for one in scu.contributors:
            yield from _parts(one, {**head, "role": "contributor"}, texts.get(one.reference_id))
    for match in annotation.matches:
        unit = units.get(match.scu_id or "")
        head = {
            "unit": unit.label if unit else "",
            "weight": unit.weight if unit else 0,
            "importance": unit.importance if unit else "",
            "annotator": people.get(match.annotator_id, ""),
        }
        yield from _parts(match, {**head, "role": "match"}, texts.get(match.summary_id))


def _parts(one: Any, head: Row, text: Text | None) -> Iterator[Row]:
    """Yield the parts of a contributor or match."""
    if text is None:
        return
    spans = [part.span for part in one.parts] or [(0, 0)]
    for start, end in spans:
        yield {
            **head,
            "text_of": text.name,
            "start": start,
            "end": end,
            "part": text.content[start:end],
            "comment": one.comment,
            "is_confirmed": one.is_confirmed,
        }


def chosen_measures(study: Study, metric: str | None) -> list[MeasureRef]:
    """Return the measures of a metric.

    metric: its name or configuration, a measure's label or its part before the dot, or a signature; None =
        all.
    Raises InputError that lists the measures.
    """
    if metric is None:
        return measures(study)
    refs = measures_for(study, ())
    for key in (
        lambda ref: ref.label,
        lambda ref: ref.signature,
        lambda ref: split_label(ref.label)[0],
        lambda ref: ref.config.spec,
        lambda ref: ref.config.metric,
    ):
        if found := [ref for ref in refs if key(ref) == metric]:
            return found
    return [find_measure(refs, metric)]


def score_rows(study: Study, refs: Sequence[MeasureRef]) -> Iterator[Row]:
    """Yield each score of measures by measure, topic and system, with its marks."""
    names = {head.id: head.name for head in study.texts.topics()}
    configs = list({ref.signature: ref.config for ref in refs}.values())
    checks = check_scores(study, configs, StudyResources(study))
    blocks = {ref.signature: study.scores.blocks(ref.signature) for ref in refs}
    for ref in refs:
        column = ref.config.measures.index(ref.measure)
        head: dict[str, Any] = {"measure": ref.label, "signature": ref.signature}
        head["higher_is_better"] = ref.higher_is_better
        head["stand_in"] = stand_in_of(ref.config).removeprefix("stand-in: ")
        for block in blocks[ref.signature]:
            notes = "; ".join(note_text(note, count) for note, count in block.notes.items() if count)
            for system, values in zip(block.systems, block.values, strict=True):
                yield {
                    **head,
                    "topic": names.get(block.topic_id, ""),
                    "system": system,
                    "value": float(values[column]),
                    "notes": notes,
                    "is_stale": block.topic_id in checks.get(ref.signature, UP_TO_DATE).changes,
                }


def measure_rows(study: Study, refs: Iterable[MeasureRef]) -> Iterator[Row]:
    """Yield each measure."""
    for ref in refs:
        yield {
            "measure": ref.label,
            "metric": ref.config.spec or ref.config.metric,
            "family": ref.family,
            "higher_is_better": ref.higher_is_better,
            "topics_scored": ref.topics_scored,
            "is_stale": ref.is_stale,
            "changed": changes_text(study, [ref.staleness]),
            "stand_in": stand_in_of(ref.config).removeprefix("stand-in: "),
            "signature": ref.signature,
        }


def judgement_rows(study: Study, names: Sequence[str] | None, annotators: Sequence[str]) -> Iterator[Row]:
    """Yield each human value of a summary. Raises InputError for unknown names."""
    known = [ref.name for ref in judgements(study, annotators)] if names is None else list(names)
    if not known and names is not None:
        raise InputError("Name at least one judgement, or pass None for all.")
    for name, matrix in judgement_matrices(study, known, annotators).items():
        for t, topic in enumerate(matrix.topics):
            for s, system in enumerate(matrix.systems):
                value = float(matrix.values[s, t])
                if value == value:
                    yield {"topic": topic, "system": system, "judgement": name, "value": value}
