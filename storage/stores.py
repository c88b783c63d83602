"""Stores of an open study, which implement the protocols of `core.ports`.

Each method is one transaction on the functions of `storage.repositories`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace

from sqlalchemy import Connection

from core.domain.citations import TopicCitations
from core.domain.comments import Comment, CommentSubject
from core.domain.decisions import Decision
from core.domain.preferences import ComparisonItem, ComparisonPlan, Preference
from core.domain.pyramid import TopicAnnotation, UnitKind
from core.domain.ratings import Dimension, MarkedSpan, Rating, RatingCube, RatingNote
from core.domain.study import Annotator, System, Text, TopicHeader, TopicTexts
from core.ports import Array, EditReceipt, EditRecord, ExperimentRecord, MetricConfig, ScoreBlock
from core.ports.adjudication import AdjudicationEdit
from storage.database import read_only
from storage.database.transactions import Transactions
from storage.database.writer import Priority, WriteResult
from storage.repositories import (
    citations,
    comments,
    comparisons,
    decisions,
    experiments,
    pyramids,
    ratings,
    scores,
    texts,
)
from storage.repositories.edits import edit_log, history
from storage.repositories.edits.edit_log import EditHeader

_TOPICS_AT_ONCE = 50


class _Store:
    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions


class Texts(_Store):
    """Topics with their texts, and systems."""

    def topics(self) -> Sequence[TopicHeader]:
        with self._transactions.reading() as connection:
            return texts.heads(connection)

    def topic(self, topic_id: str) -> TopicTexts:
        with self._transactions.reading() as connection:
            return texts.topic(connection, topic_id)

    def load(self, topic_ids: Sequence[str] | None = None) -> Iterator[TopicTexts]:
        with self._transactions.reading() as connection:
            ids = texts.topic_ids(connection, topic_ids)
        for at in range(0, len(ids), _TOPICS_AT_ONCE):
            with (
                self._transactions.reading() as connection
            ):  # an open snapshot between batches would keep the log from being checkpointed
                batch = texts.topics(connection, ids[at : at + _TOPICS_AT_ONCE])
            yield from batch

    def move_to_set(
        self, topic_ids: Sequence[str], name: str, annotator_id: str | None = None
    ) -> Future[EditReceipt]:
        return self._transactions.submit(lambda c: texts.move_to_set(c, topic_ids, name, annotator_id))

    def systems(self) -> Sequence[System]:
        with self._transactions.reading() as connection:
            return texts.systems(connection)

    def reference_authors(self) -> Sequence[str]:
        with self._transactions.reading() as connection:
            return texts.reference_authors(connection)

    def reference_sets(self) -> Sequence[Sequence[Text]]:
        with self._transactions.reading() as connection:
            return texts.reference_sets(connection)


class Citations(_Store):
    """Citing papers and citances of topics."""

    def counts(self) -> Mapping[str, int]:
        with self._transactions.reading() as connection:
            return citations.counts(connection)

    def of_topic(self, topic_id: str) -> TopicCitations:
        with self._transactions.reading() as connection:
            return citations.of_topic(connection, topic_id)


class Annotators(_Store):
    """People who annotate or rate."""

    def all(self) -> Sequence[Annotator]:
        with self._transactions.reading() as connection:
            return texts.annotators(connection)

    def with_work(self) -> frozenset[str]:
        with self._transactions.reading() as connection:
            return texts.annotators_with_work(connection)

    def get_or_create(self, name: str, group: str = "") -> Annotator:
        if self._transactions.reading_only is not None:
            known = next((person for person in self.all() if person.name == name), None)
            return read_only.transient_annotator(known, name, group)
        return self._transactions.write(lambda c: texts.annotator(c, name, group))


class Pyramids(_Store):
    """Pyramids and the matches against them, of one kind of content unit."""

    def __init__(self, transactions: Transactions, kind: UnitKind = UnitKind.SCU) -> None:
        super().__init__(transactions)
        self._kind = kind

    def annotation(self, topic_id: str, annotator_id: str) -> TopicAnnotation:
        with self._transactions.reading() as connection:
            return pyramids.annotation(connection, topic_id, annotator_id, self._kind)

    def annotations(self, topic_ids: Sequence[str] | None = None) -> Iterator[TopicAnnotation]:
        with self._transactions.reading() as connection:
            of_topics = pyramids.of_topics(connection, topic_ids, self._kind)
            begun = [a for a in of_topics if not pyramids.is_blank(a)]
            order = {topic_id: at for at, topic_id in enumerate(texts.topic_ids(connection, topic_ids))}
        yield from sorted(begun, key=lambda a: (order[a.pyramid.topic_id], a.pyramid.annotator_id))

    def commit(
        self,
        before: TopicAnnotation,
        after: TopicAnnotation,
        verb: str,
        annotator_id: str,
        active_seconds: float = 0.0,
        details: str = "",
    ) -> Future[EditReceipt]:
        heading = EditHeader(verb, annotator_id, before.pyramid.topic_id, active_seconds, details)
        return self._transactions.submit(lambda c: pyramids.commit(c, before, after, heading))

    def annotation_at(self, topic_id: str, annotator_id: str, edit_id: str) -> TopicAnnotation:
        with self._transactions.reading() as connection:
            return history.annotation_at(connection, topic_id, annotator_id, edit_id, self._kind)


class Edits(_Store):
    """History of a study's edits."""

    def record_event(self, topic_id: str, annotator_id: str, verb: str, details: str) -> Future[EditReceipt]:
        heading = EditHeader(verb, annotator_id, topic_id, details=details)
        return self._transactions.submit(lambda c: edit_log.record_event(c, heading))

    def events(self, topic_id: str, annotator_id: str, verb: str) -> Sequence[str]:
        with self._transactions.reading() as connection:
            return edit_log.events(connection, topic_id, annotator_id, verb)

    def undo(self, annotator_id: str) -> Future[EditReceipt]:
        return self._transactions.submit(lambda c: _described(c, edit_log.undo(c, annotator_id)))

    def redo(self, annotator_id: str) -> Future[EditReceipt]:
        return self._transactions.submit(lambda c: _described(c, edit_log.redo(c, annotator_id)))

    def undo_labels(self, annotator_id: str) -> tuple[str, str]:
        with self._transactions.reading() as connection:
            return edit_log.verbs_to_undo(connection, annotator_id)

    def seconds_worked(self, annotator_id: str, verbs: Collection[str] | None = None) -> Mapping[str, float]:
        with self._transactions.reading() as connection:
            return history.seconds_worked(connection, annotator_id, verbs)

    def history(
        self,
        topic_id: str | None = None,
        limit: int = 200,
        *,
        pyramid_id: str = "",
        scu_id: str = "",
        before: str = "",
        moves: bool = False,
    ) -> Sequence[EditRecord]:
        about = {"pyramid_id": pyramid_id, "scu_id": scu_id, "before": before}
        with self._transactions.reading() as connection:
            return history.history(connection, topic_id, limit, **about, moves=moves)


def _described(connection: Connection, written: WriteResult[EditReceipt]) -> WriteResult[EditReceipt]:
    receipt = replace(written.answer, what=history.description(connection, written.answer.edit_id))
    return replace(written, answer=receipt)


class Ratings(_Store):
    """Rating scales, and ratings of summaries."""

    def dimensions(self) -> Sequence[Dimension]:
        with self._transactions.reading() as connection:
            return ratings.dimensions(connection)

    def add_dimension(
        self, name: str, low: float = 1.0, high: float = 5.0, annotator_id: str | None = None
    ) -> Dimension:
        return self._transactions.write(lambda c: ratings.add_dimension(c, name, low, high, annotator_id))

    def edit_dimensions(
        self, before: Sequence[Dimension], after: Sequence[Dimension], annotator_id: str | None
    ) -> Future[EditReceipt]:
        return self._transactions.submit(lambda c: ratings.edit_dimensions(c, before, after, annotator_id))

    def counts(self) -> Mapping[str, Mapping[float, int]]:
        with self._transactions.reading() as connection:
            return ratings.counts(connection)

    def rate(
        self,
        summary_id: str,
        dimension_id: str,
        annotator_id: str,
        value: float | None,
        active_seconds: float = 0.0,
        note: str | None = None,
        is_flagged: bool | None = None,
        spans: Sequence[MarkedSpan] | None = None,
        details: str = "",
    ) -> Future[EditReceipt]:
        names = summary_id, dimension_id, annotator_id
        return self._transactions.submit(
            lambda c: ratings.rate(c, *names, value, active_seconds, note, is_flagged, spans, details)
        )

    def notes(self) -> Sequence[RatingNote]:
        with self._transactions.reading() as connection:
            return ratings.notes(connection)

    def of_topic(self, topic_id: str) -> Sequence[Rating]:
        with self._transactions.reading() as connection:
            return ratings.of_topic(connection, topic_id)

    def cube(self, dimension: str) -> RatingCube:
        with self._transactions.reading() as connection:
            return ratings.cube(connection, dimension)


class Comments(_Store):
    """Comments of annotators on items of the study."""

    def all(self) -> Sequence[Comment]:
        with self._transactions.reading() as connection:
            return comments.all_comments(connection)

    def add(
        self, subject: CommentSubject, annotator_id: str, text: str, *, resolves: bool = False
    ) -> Future[EditReceipt]:
        return self._transactions.submit(
            lambda c: comments.add(c, subject, annotator_id, text, resolves=resolves)
        )

    def remove(self, comment_id: str, annotator_id: str) -> Future[EditReceipt]:
        return self._transactions.submit(lambda c: comments.remove(c, comment_id, annotator_id))


class Comparisons(_Store):
    """Plans of comparisons, and the annotators' answers."""

    def plans(self) -> Sequence[ComparisonPlan]:
        with self._transactions.reading() as connection:
            return comparisons.plans(connection)

    def items(self, plan_id: str) -> Sequence[ComparisonItem]:
        with self._transactions.reading() as connection:
            return comparisons.items(connection, plan_id)

    def preferences(self, plan_id: str) -> Sequence[Preference]:
        with self._transactions.reading() as connection:
            return comparisons.preferences(connection, plan_id)

    def add_plan(
        self, plan: ComparisonPlan, items: Sequence[ComparisonItem], annotator_id: str | None
    ) -> Future[EditReceipt]:
        return self._transactions.submit(lambda c: comparisons.add_plan(c, plan, items, annotator_id))

    def remove_plan(self, plan_id: str, annotator_id: str | None) -> Future[EditReceipt]:
        return self._transactions.submit(lambda c: comparisons.remove_plan(c, plan_id, annotator_id))

    def answer(
        self,
        item_id: str,
        annotator_id: str,
        best: str | None,
        worst: str | None,
        active_seconds: float = 0.0,
    ) -> Future[EditReceipt]:
        names = item_id, annotator_id
        return self._transactions.submit(lambda c: comparisons.answer(c, *names, best, worst, active_seconds))

    def clear(self, item_id: str, annotator_id: str, active_seconds: float = 0.0) -> Future[EditReceipt]:
        return self._transactions.submit(
            lambda c: comparisons.clear(c, item_id, annotator_id, active_seconds)
        )


class Adjudication(_Store):
    """Decisions of adjudicators."""

    def decisions(self, topic_id: str) -> Sequence[Decision]:
        with self._transactions.reading() as connection:
            return decisions.of_topic(connection, topic_id)

    def commit(
        self, edit: AdjudicationEdit, annotator_id: str, active_seconds: float = 0.0
    ) -> Future[EditReceipt]:
        return self._transactions.submit(lambda c: decisions.commit(c, edit, annotator_id, active_seconds))


class Scores(_Store):
    """Scores of metrics."""

    def configs(self) -> Sequence[MetricConfig]:
        with self._transactions.reading() as connection:
            return scores.configs(connection)

    def input_hashes(self, signature: str) -> Mapping[str, str]:
        with self._transactions.reading() as connection:
            return scores.input_hashes(connection, signature)

    def save(self, config: MetricConfig, block: ScoreBlock) -> Future[EditReceipt]:
        return self._transactions.submit(lambda c: scores.save(c, config, block), Priority.SCORES)

    def blocks(self, signature: str) -> Sequence[ScoreBlock]:
        with self._transactions.reading() as connection:
            return scores.blocks(connection, signature)

    def remove(self, signature: str) -> Future[EditReceipt]:
        return self._transactions.submit(lambda c: scores.remove(c, signature), Priority.SCORES)


class Experiments(_Store):
    """Experiments and partial results."""

    def all(self) -> Sequence[ExperimentRecord]:
        with self._transactions.reading() as connection:
            return experiments.records(connection)

    def get(self, experiment_id: str) -> ExperimentRecord | None:
        with self._transactions.reading() as connection:
            return experiments.record(connection, experiment_id)

    def save(self, record: ExperimentRecord) -> Future[EditReceipt]:
        return self._transactions.submit(lambda c: experiments.save(c, record), Priority.SCORES)

    def parts(self, experiment_id: str) -> Mapping[str, Array]:
        with self._transactions.reading() as connection:
            return experiments.parts(connection, experiment_id)

    def save_part(self, experiment_id: str, key: str, values: Array) -> Future[EditReceipt]:
        return self._transactions.submit(
            lambda c: experiments.save_part(c, experiment_id, key, values), Priority.SCORES
        )

    def remove(self, experiment_id: str) -> Future[EditReceipt]:
        return self._transactions.submit(lambda c: experiments.remove(c, experiment_id), Priority.SCORES)


class Settings(_Store):
    """Texts stored by key."""

    def get(self, key: str, default: str = "") -> str:
        with self._transactions.reading() as connection:
            return texts.setting(connection, key, default)

    def keys(self, prefix: str) -> Sequence[str]:
        with self._transactions.reading() as connection:
            return texts.setting_keys(connection, prefix)

    def save(
        self, key: str, value: str, annotator_id: str | None = None, details: str = ""
    ) -> Future[EditReceipt]:
        return self._transactions.submit(lambda c: texts.save_setting(c, key, value, annotator_id, details))
