"""Summarize the topics of a study; the summaries are those of a system like any other."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from core.domain.citations import TopicCitations
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.name_checks import name_problem
from core.domain.study import SystemKind, TopicHeader, TopicTexts, join_sentences
from core.domain.topic_sets import INITIAL, SET_LETTERS, UPDATE, subject_of
from core.errors import InputError
from core.json_text import stored_values
from core.ports import ScoringInputs, Study
from core.progress import JobSteps, Progress
from core.systems.base import Summarizer, Summary
from core.systems.source import (
    Analysis,
    CollectionCounts,
    Source,
    count_collection,
    read_citances,
    read_sentences,
    terms_of,
)

SETTING = "summarizers"
"""Setting with the signature of each system that was made here, by its name."""

_BATCH_SECONDS = 5.0
"""Summaries are stored after this time at the latest, so that an interrupted run goes on from there."""


@dataclass(frozen=True, slots=True)
class SystemRequest:
    """A summarizer and the name of the system that it makes."""

    name: str
    summarizer: Summarizer


@dataclass(frozen=True, slots=True)
class SystemReport:
    """What was done for a system.

    made, kept: number of topics with a new summary, and with an earlier one. without: topics of which there
    is none, as the summarizer found nothing. cut: number of new ones for which a model did not read the end
    of the documents. seconds: for the new ones.
    """

    name: str
    spec: str
    signature: str
    made: int
    kept: int
    without: tuple[str, ...]
    cut: int
    seconds: float


def signatures_of(study: ScoringInputs) -> dict[str, str]:
    """Return the signature of each system that was made here, by its name."""
    return stored_values(study.settings.get(SETTING), str)


def check_requests(study: Study, requests: Sequence[SystemRequest]) -> None:
    """Raise InputError for unusable names and summarizers, and for systems that are something else."""
    known, made = {system.name for system in study.texts.systems()}, signatures_of(study)
    seen: set[str] = set()
    for request in requests:
        if fault := name_problem(request.name):
            raise InputError(f"{request.name!r} is not a valid name of a system. {fault}")
        if request.name in seen:
            raise InputError(
                f"Two summarizers would make the system {request.name}. Name one: NAME=SUMMARIZER."
            )
        seen.add(request.name)
        if problem := request.summarizer.unavailable():
            raise InputError(f"{request.summarizer.name} cannot run here: {problem}")
        if request.summarizer.reads_citances and not study.citations.counts():
            raise InputError(
                f"{request.summarizer.name} reads citances, and the study has none. Import them, or choose a "
                "summarizer that reads the documents."
            )
        if request.name in known and made.get(request.name) != request.summarizer.signature:
            how = "with other settings" if request.name in made else "not made by a summarizer"
            raise InputError(
                f"The study has a system {request.name}, {how}. Choose another name: NAME=SUMMARIZER."
            )


def summarize_study(
    study: Study, requests: Sequence[SystemRequest], topics: Sequence[str] = (), device: str = "auto"
) -> JobSteps[list[SystemReport]]:
    """Summarize topics, without those that have a summary of the system already.

    topics: names, empty = all. device: of models. Summaries are stored as they are made, so that a run that
    was interrupted goes on where it stopped. Raises InputError as `check_requests` does.
    """
    check_requests(study, requests)
    heads = study.texts.topics()
    chosen = [head for head in heads if not topics or head.name in topics]
    collections: dict[Analysis, CollectionCounts] = {}
    reports = []
    for place, request in enumerate(requests):
        run = _Run(study, request, heads, collections, (place, len(requests)))
        reports.append((yield from run.steps(chosen, device)))
    return reports


@dataclass(slots=True)
class _Made:
    """Summaries that were made: how many, of cut documents, waiting to be stored, topics without one."""

    count: int = 0
    cut: int = 0
    waiting: dict[str, tuple[str, ...]] = field(default_factory=dict)
    without: list[str] = field(default_factory=list)
    stored_at: float = field(default_factory=time.monotonic)

    def add(self, topic: str, summary: Summary) -> None:
        self.count += 1
        self.cut += summary.is_cut
        if summary.sentences:
            self.waiting[topic] = summary.sentences
        else:
            self.without.append(topic)


class _Run:
    """Makes the summaries of one system."""

    def __init__(
        self,
        study: Study,
        request: SystemRequest,
        heads: Sequence[TopicHeader],
        collections: dict[Analysis, CollectionCounts],
        place: tuple[int, int],
    ) -> None:
        self._study, self._request, self._heads = study, request, heads
        self._collections, self._place = collections, place
        self._earlier = {head.id: earlier_topic(head, heads) for head in heads}

    def steps(self, heads: Sequence[TopicHeader], device: str) -> JobSteps[SystemReport]:
        """Summarize topics that have no summary of the system."""
        name, summarizer = self._request.name, self._request.summarizer
        yield self._progress(0, len(heads))
        todo = [head for head in heads if not self._has_summary(head)]
        made, began = _Made(), time.monotonic()
        if todo:
            self._remember()
            collection = yield from self._collection()
            began = time.monotonic()
            sources = (self._source(head, collection) for head in todo)
            try:
                for head, summary in zip(todo, summarizer.summarize_all(sources, device), strict=True):
                    made.add(head.name, summary)
                    if time.monotonic() - made.stored_at > _BATCH_SECONDS:
                        self._store(made)
                    yield self._progress(made.count, len(todo))
            finally:
                self._store(made)
        seconds = time.monotonic() - began
        signature, short = summarizer.signature, summarizer.spec
        return SystemReport(
            name,
            short,
            signature,
            made.count - len(made.without),
            len(heads) - len(todo),
            tuple(made.without),
            made.cut,
            seconds,
        )

    def _has_summary(self, head: TopicHeader) -> bool:
        topic = self._study.texts.topic(head.id)
        return any(text.name == self._request.name for text in topic.summaries)

    def _collection(self) -> JobSteps[CollectionCounts]:
        analysis = self._request.summarizer.analysis
        if analysis not in self._collections:
            yield Progress(0, 0, "counting words")
            documents = (text for topic in self._study.texts.load() for text in topic.documents)
            self._collections[analysis] = count_collection(documents, analysis)
        return self._collections[analysis]

    def _source(self, head: TopicHeader, collection: CollectionCounts) -> Source:
        topic = self._study.texts.topic(head.id)
        earlier_id = self._earlier[head.id] if self._request.summarizer.sees_earlier else ""
        earlier = self._study.texts.topic(earlier_id) if earlier_id else None
        citations = None
        if self._request.summarizer.reads_citances:
            citations = self._study.citations.of_topic(head.id)
        return replace(
            source_of(topic, self._request.summarizer, collection, earlier, citations),
            topics=lambda: (self._source(each, collection) for each in self._heads),
        )

    def _remember(self) -> None:
        """Store the signature first, so that a system never has summaries without one."""
        made = signatures_of(self._study)
        if self._request.name not in made:
            made[self._request.name] = self._request.summarizer.signature
            self._study.settings.save(SETTING, json.dumps(made, ensure_ascii=False, sort_keys=True)).result()

    def _store(self, made: _Made) -> None:
        name = self._request.name
        if made.waiting:
            topics = [
                NewTopic(topic, summaries={name: NewText(*join_sentences(sentences))})
                for topic, sentences in made.waiting.items()
            ]
            content = ImportContent(f"summarizer {name}", topics, {name: SystemKind.AUTOMATIC})
            self._study.import_data(content)
        made.waiting.clear()
        made.stored_at = time.monotonic()

    def _progress(self, done: int, total: int) -> Progress:
        place, count = self._place
        return Progress(place * total + done, count * total, self._request.name)


def source_of(
    topic: TopicTexts,
    summarizer: Summarizer,
    collection: CollectionCounts,
    earlier: TopicTexts | None = None,
    citations: TopicCitations | None = None,
) -> Source:
    """Return what a summarizer reads of a topic; references only if it is an oracle."""
    analysis = summarizer.analysis
    language = topic.documents[0].language if topic.documents else ""
    return Source(
        topic.name,
        read_sentences(topic.documents, analysis),
        topic.documents,
        topic.query,
        read_sentences(earlier.documents, analysis) if earlier is not None else (),
        topic.references if summarizer.is_oracle else (),
        terms_of(topic.query, analysis, language),
        collection,
        read_citances(citations, topic.documents, analysis) if citations is not None else (),
    )


def earlier_topic(head: TopicHeader, heads: Sequence[TopicHeader]) -> str:
    """Return the id of the initial topic of an update topic, empty = none.

    It is the topic of the set ``initial`` on the same subject (`subject_of`), else the one whose name differs
    in the last character only, as in TAC.
    """
    if head.set != UPDATE:
        return ""
    initial = [one for one in heads if one.set == INITIAL]
    subject = subject_of(head.name, UPDATE, SET_LETTERS[UPDATE])
    same = (one for one in initial if subject_of(one.name, INITIAL, SET_LETTERS[INITIAL]) == subject)
    named = (one for one in initial if one.name[:-1] == head.name[:-1])
    found = next(same, None) or next(named, None)
    return found.id if found is not None else ""
