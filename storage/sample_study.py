"""Sample study, created like an annotator would: every SCU, match and rating is one edit.

Texts and annotations are in ``resources/sample/topics``. The project's authors wrote and annotated them by
hand for demonstration; they are no research data.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from importlib import resources
from pathlib import Path
from typing import Any

from core.domain import pyramid
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.pyramid import Edit, TopicAnnotation
from core.domain.study import Span, SystemKind, Text, TopicTexts
from core.files.study_address import StudyAddress
from core.ports import EditReceipt, Study
from core.progress import JobSteps, Progress
from storage.study_file import StudyFile, new_study

ANNOTATOR = "authors"
NAME = "Sample study"
BASELINES = ("lead", "lead-each", "tail")
SCALE = (1.0, 5.0)

TopicRecord = Mapping[str, Any]
"""The file of one topic or a part of it: texts, SCUs, matches, ratings."""


def create_sample(path: StudyAddress, *, overwrite: bool = False) -> JobSteps[StudyFile]:
    """Create the sample study and return it open; if interrupted, no file is left, but a server's database.

    Raises InputError where a file already exists at the path, or where the database is not empty.
    """
    records = sample_records()
    study = new_study(path, name=NAME, overwrite=overwrite)
    try:
        study.import_data(_texts(records))
        for done, record in enumerate(records):
            yield Progress(done, len(records), f"annotating {record['title']}")
            _annotate(study, record)
    except BaseException:
        study.close()
        if isinstance(path, Path):
            path.unlink(missing_ok=True)
        raise
    return study


def sample_records() -> Sequence[TopicRecord]:
    """Load the files of all topics, sorted by name."""
    folder = resources.files("resources").joinpath("sample", "topics")
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".json")), key=lambda f: f.name)
    return [json.loads(file.read_text(encoding="utf-8")) for file in files]


def span_of(content: str, part: TopicRecord) -> Span:
    """Return the span of a part's text in a text; ``nth`` selects among several occurrences."""
    start = -1
    for _ in range(part.get("nth", 1)):
        start = content.index(part["text"], start + 1)
    return start, start + len(part["text"])


def _texts(records: Sequence[TopicRecord]) -> ImportContent:
    names = {summary["system"] for record in records for summary in record["summaries"]}
    kinds = {n: SystemKind.BASELINE if n in BASELINES else SystemKind.AUTOMATIC for n in sorted(names)}
    dimensions = {rating["dimension"]: SCALE for record in records for rating in record["ratings"]}
    return ImportContent(
        source="sample",
        topics=[_topic(record) for record in records],
        systems=kinds,
        annotators={ANNOTATOR: ""},
        dimensions=dimensions,
    )


def _topic(record: TopicRecord) -> NewTopic:
    def by(key: str, texts: Sequence[TopicRecord]) -> dict[str, NewText]:
        return {t[key]: NewText(t["text"]) for t in texts}

    return NewTopic(
        record["name"],
        record["title"],
        record["query"],
        record["set"],
        by("name", record["documents"]),
        by("author", record["references"]),
        by("system", record["summaries"]),
    )


def _annotate(study: Study, record: TopicRecord) -> None:
    """Make all edits of one topic and wait until the last one is stored."""
    head = next(t for t in study.texts.topics() if t.name == record["name"])
    topic, annotator = study.texts.topic(head.id), study.annotators.get_or_create(ANNOTATOR).id
    waiting: list[Future[EditReceipt]] = []
    state = study.pyramids.annotation(topic.id, annotator)
    for verb, edit in _edits(topic, record, annotator):
        changed = edit(state)
        waiting.append(study.pyramids.commit(state, changed, verb, annotator))
        state = changed
    waiting += _ratings(study, topic, record, annotator)
    for future in waiting:
        future.result()


def _edits(topic: TopicTexts, record: TopicRecord, annotator: str) -> Iterator[tuple[str, Edit]]:
    ids = {scu["label"]: pyramid.new_id() for scu in record["scus"]}
    for scu in record["scus"]:
        yield from _scu_edits(topic, scu, ids[scu["label"]])
    yield "mark pyramid done", lambda a: pyramid.mark_pyramid_done(a, True)
    for matched in record["matches"]:
        summary = _named(topic.summaries, matched["system"])
        yield from _match_edits(summary, matched["units"], ids, annotator)


def _scu_edits(topic: TopicTexts, scu: TopicRecord, scu_id: str) -> Iterator[tuple[str, Edit]]:
    first, *others = scu["contributors"]
    yield "new SCU", lambda a: pyramid.add_scu(a, scu["label"], *_placed(topic, first), scu_id)
    for contributor in others:
        yield "add contributor", _contributing(topic, contributor, scu_id)
    if scu.get("comment"):
        yield "comment", lambda a: pyramid.set_comment(a, scu_id, scu["comment"])


def _contributing(topic: TopicTexts, contributor: TopicRecord, scu_id: str) -> Edit:
    return lambda a: pyramid.add_contributor(a, scu_id, *_placed(topic, contributor))


def _placed(topic: TopicTexts, contributor: TopicRecord) -> tuple[str, list[Span]]:
    reference = _named(topic.references, contributor["reference"])
    return reference.id, [span_of(reference.content, part) for part in contributor["parts"]]


def _match_edits(
    summary: Text, units: Sequence[TopicRecord], ids: Mapping[str, str], annotator: str
) -> Iterator[tuple[str, Edit]]:
    seen: set[str] = set()
    for unit in units:
        yield (
            "match" if unit["scu"] else "add unit",
            _matching(summary, unit, ids, annotator, unit["scu"] in seen),
        )
        seen.add(unit["scu"])
    yield "mark summary done", lambda a: pyramid.set_summary_state(a, summary.id, annotator, is_done=True)


def _matching(
    summary: Text, unit: TopicRecord, ids: Mapping[str, str], annotator: str, repeats: bool
) -> Edit:
    scu = ids[unit["scu"]] if unit["scu"] else None
    spans = [span_of(summary.content, part) for part in unit["parts"]]

    def match(a: TopicAnnotation) -> TopicAnnotation:
        return pyramid.add_match(a, summary.id, annotator, scu, spans, repeats=repeats)

    return match


def _ratings(
    study: Study, topic: TopicTexts, record: TopicRecord, annotator: str
) -> list[Future[EditReceipt]]:
    scales = {d.name: d.id for d in study.ratings.dimensions()}
    return [
        study.ratings.rate(
            _named(topic.summaries, rating["system"]).id,
            scales[rating["dimension"]],
            annotator,
            float(rating["value"]),
        )
        for rating in record["ratings"]
    ]


def _named(texts: Sequence[Text], name: str) -> Text:
    return next(text for text in texts if text.name == name)
