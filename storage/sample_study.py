"""Sample study: one import of its texts and annotations, then single edits, as annotators make them.

Texts and annotations are in ``resources/sample``. They were written for this program, with the differences of
two annotators in mind; nobody annotated them in an experiment, and they are no research data.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from importlib import resources
from pathlib import Path
from typing import Any

from core.domain import pyramid
from core.domain.citations import CitedSpan
from core.domain.import_batch import (
    ImportContent,
    NewCitance,
    NewCitanceAnnotation,
    NewContributor,
    NewMatch,
    NewMatches,
    NewPart,
    NewPyramid,
    NewRating,
    NewScu,
    NewText,
    NewTopic,
)
from core.domain.preferences import ComparisonItem, ComparisonKind, ComparisonPlan
from core.domain.pyramid import Edit, UnitKind, new_id
from core.domain.study import Span, SystemKind, Text, TopicTexts
from core.files.study_address import StudyAddress
from core.json_text import parse_json
from core.ports import EditReceipt, Study
from core.progress import JobSteps, Progress
from storage.study_file import StudyFile, new_study

ANNOTATOR, SECOND = "Annotator A", "Annotator B"
NAME = "Sample study"
BASELINES = ("lead", "lead-each", "tail")
SCALE = (1.0, 5.0)
PAIRS, QUESTION = "Better summary", "Which summary tells you more of what the topic asks for?"

TopicRecord = Mapping[str, Any]
"""The file of one topic or a part of it: texts, SCUs, matches, nuggets, hits, ratings, pairs, citing papers.

``second``: the annotations of the second annotator, whose SCUs are a pyramid of her own.
"""


def create_sample(path: StudyAddress, *, overwrite: bool = False) -> JobSteps[StudyFile]:
    """Create the sample study and return it open; if interrupted, no file is left, but a server's database.

    Raises InputError where a file already exists at the path, or where the database is not empty.
    """
    records = sample_records()
    steps = len(records) + 1
    yield Progress(0, steps, "importing texts and annotations")
    study = new_study(path, name=NAME, overwrite=overwrite)
    try:
        study.import_data(_content(records))
        plan = _add_pairs(study, records)
        for done, record in enumerate(records, 1):
            yield Progress(done, steps, f"annotating {record['title']}")
            _annotate(study, record, plan)
    except BaseException:
        study.close()
        if isinstance(path, Path):
            path.unlink(missing_ok=True)
        raise
    return study


def sample_records() -> Sequence[TopicRecord]:
    """Load the files of all topics, in the order of the study."""
    folder = resources.files("resources").joinpath("sample", "topics")
    files = (file for file in folder.iterdir() if file.name.endswith(".json"))
    records = [parse_json(file.read_text(encoding="utf-8")) for file in files]
    return sorted(records, key=lambda record: (record["set"], record["name"]))


def span_of(content: str, part: TopicRecord) -> Span:
    """Return the span of a part's text in a text; ``nth`` selects among several occurrences."""
    start = -1
    for _ in range(part.get("nth", 1)):
        start = content.index(part["text"], start + 1)
    return start, start + len(part["text"])


def _content(records: Sequence[TopicRecord]) -> ImportContent:
    """Return all that is imported; the second annotator's pyramid and the answers to pairs are edits."""
    names = {summary["system"] for record in records for summary in record["summaries"]}
    kinds = {n: SystemKind.BASELINE if n in BASELINES else SystemKind.AUTOMATIC for n in sorted(names)}
    guidelines = resources.files("resources").joinpath("sample", "guidelines.md")
    return ImportContent(
        source="sample",
        topics=[_topic(record) for record in records],
        systems=kinds,
        annotators={ANNOTATOR: "", SECOND: ""},
        dimensions={rating["dimension"]: SCALE for record in records for rating in record["ratings"]},
        ratings=[each for record in records for each in _ratings(record)],
        pyramids=[each for record in records for each in _pyramids(record)],
        matches=[each for record in records for each in _matches(record)],
        citances=tuple(each for record in records for each in _citances(record)),
        settings={"guidelines": guidelines.read_text(encoding="utf-8")},
    )


def _topic(record: TopicRecord) -> NewTopic:
    return NewTopic(
        record["name"],
        record["title"],
        record["query"],
        record["set"],
        _by("name", record["documents"]),
        _by("author", record["references"]),
        _by("system", record["summaries"]),
        _by("paper", record.get("citing", ())),
    )


def _by(key: str, texts: Sequence[TopicRecord]) -> dict[str, NewText]:
    return {text[key]: NewText(text["text"]) for text in texts}


def _work(record: TopicRecord) -> Iterator[tuple[str, TopicRecord]]:
    """Yield the annotations of each annotator."""
    yield ANNOTATOR, record
    yield SECOND, record.get("second", {})


def _ratings(record: TopicRecord) -> Iterator[NewRating]:
    for annotator, work in _work(record):
        for one in work.get("ratings", ()):
            whose = record["name"], one["system"], one["dimension"], annotator
            yield NewRating(*whose, float(one["value"]), one.get("note", ""), one.get("flag", False))


def _pyramids(record: TopicRecord) -> Iterator[NewPyramid]:
    references = _by("author", record["references"])
    for key, kind in (("scus", UnitKind.SCU), ("nuggets", UnitKind.NUGGET)):
        if key in record:
            units = tuple(_scu(unit, references) for unit in record[key])
            yield NewPyramid(record["name"], ANNOTATOR, units, kind=kind)


def _scu(unit: TopicRecord, references: Mapping[str, NewText]) -> NewScu:
    contributors = tuple(
        NewContributor(one["reference"], _parts(references[one["reference"]], one["parts"]))
        for one in unit["contributors"]
    )
    comment, importance = unit.get("comment", ""), unit.get("importance", "")
    return NewScu(unit["label"], unit["label"], contributors, comment, importance=importance)


def _parts(text: NewText, parts: Sequence[TopicRecord]) -> tuple[NewPart, ...]:
    return tuple(NewPart(*span_of(text.content, part)) for part in parts)


def _matches(record: TopicRecord) -> Iterator[NewMatches]:
    """Yield matches and hits in each summary, against the first annotator's pyramid; hits are not done."""
    summaries = _by("system", record["summaries"])
    for annotator, work in _work(record):
        for key, kind in (("matches", UnitKind.SCU), ("hits", UnitKind.NUGGET)):
            for one in work.get(key, ()):
                units = tuple(_match(unit, summaries[one["system"]]) for unit in one["units"])
                place = record["name"], one["system"], ANNOTATOR, annotator
                yield NewMatches(*place, units, kind=kind, is_done=kind is UnitKind.SCU)


def _match(unit: TopicRecord, summary: NewText) -> NewMatch:
    return NewMatch(
        unit["scu"],
        _parts(summary, unit["parts"]),
        is_confirmed=not unit.get("automatic", False),
        is_partial=unit.get("partial", False),
    )


def _citances(record: TopicRecord) -> Iterator[NewCitance]:
    documents = _by("name", record["documents"])
    for paper in record.get("citing", ()):
        document, marker = documents[paper["document"]], paper["marker"]
        for number, one in enumerate(paper["citances"], 1):
            start, end = span_of(paper["text"], one)
            at = paper["text"].index(marker, start)
            readings = [(ANNOTATOR, one), *([(SECOND, one["second"])] if "second" in one else [])]
            annotations = tuple(
                NewCitanceAnnotation(
                    annotator,
                    one["text"],
                    ((start, end),),
                    tuple(CitedSpan(span_of(document.content, p), p["text"]) for p in reading["cited"]),
                    tuple(reading["facets"]),
                )
                for annotator, reading in readings
            )
            place = record["name"], paper["paper"], str(number), paper["document"], marker
            yield NewCitance(*place, (at, at + len(marker)), annotations)


def _add_pairs(study: Study, records: Sequence[TopicRecord]) -> ComparisonPlan:
    """Add the plan of all pairs; both annotators judge each."""
    topics = {topic.name: topic for topic in study.texts.load()}
    items = [
        ComparisonItem(
            new_id(),
            topics[record["name"]].id,
            tuple(_named(topics[record["name"]].summaries, system).id for system in pair["systems"]),
        )
        for record in records
        for pair in record["pairs"]
    ]
    plan = ComparisonPlan(new_id(), PAIRS, ComparisonKind.PAIRWISE, QUESTION)
    study.comparisons.add_plan(plan, items, study.annotators.get_or_create(ANNOTATOR).id).result()
    return plan


def _annotate(study: Study, record: TopicRecord, plan: ComparisonPlan) -> None:
    """Make the edits of one topic, the first annotator's last, and wait until they are stored."""
    head = next(t for t in study.texts.topics() if t.name == record["name"])
    topic = study.texts.topic(head.id)
    first, second = (study.annotators.get_or_create(name).id for name in (ANNOTATOR, SECOND))
    waiting: list[Future[EditReceipt]] = []
    state = study.pyramids.annotation(topic.id, second)
    for verb, edit in _edits(topic, record.get("second", {}).get("scus", ())):
        changed = edit(state)
        waiting.append(study.pyramids.commit(state, changed, verb, second))
        state = changed
    items = [item for item in study.comparisons.items(plan.id) if item.topic_id == topic.id]
    for place, annotator in ((1, second), (0, first)):
        for item, pair in zip(items, record["pairs"], strict=True):
            better = pair["answers"][place]
            best = _named(topic.summaries, better).id if better else None
            worst = next((one for one in item.summary_ids if one != best), None) if better else None
            waiting.append(study.comparisons.answer(item.id, annotator, best, worst))
    for future in waiting:
        future.result()


def _edits(topic: TopicTexts, scus: Sequence[TopicRecord]) -> Iterator[tuple[str, Edit]]:
    for scu in scus:
        yield from _scu_edits(topic, scu, new_id())
    if scus:
        yield "mark pyramid done", lambda a: pyramid.mark_pyramid_done(a, True)


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


def _named(texts: Sequence[Text], name: str) -> Text:
    return next(text for text in texts if text.name == name)
