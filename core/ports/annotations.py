"""Protocols for the work of annotators: pyramids, ratings, comparisons, comments, adjudication, history."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from core.domain.citations import TopicCitations
from core.domain.comments import Comment, CommentSubject
from core.domain.decisions import Decision
from core.domain.preferences import ComparisonItem, ComparisonPlan, Preference
from core.domain.pyramid import TopicAnnotation
from core.domain.ratings import Dimension, MarkedSpan, Rating, RatingCube, RatingNote
from core.domain.study import Annotator
from core.ports.changes import EditReceipt
from core.ports.scoring_inputs import AnnotationSource, AnnotatorSource, SettingSource, TextSource


class TextStore(TextSource, Protocol):
    """Topics with their texts, and systems."""

    def move_to_set(
        self, topic_ids: Sequence[str], name: str, annotator_id: str | None = None
    ) -> Future[EditReceipt]:
        """Move topics to a set such as ``update``, empty = to none, as one edit.

        The Future raises InputError for an invalid name, or if a topic is gone.
        """
        ...


class AnnotatorStore(AnnotatorSource, Protocol):
    """People who annotate or rate."""

    def with_work(self) -> frozenset[str]:
        """Return the ids of those who own annotations, ratings, answers, comments or comparisons."""
        ...

    def get_or_create(self, name: str, group: str = "") -> Annotator:
        """Return the annotator of that name, created if new."""
        ...


class CitationStore(Protocol):
    """Citing papers and citances of topics; they are imported, not edited."""

    def counts(self) -> Mapping[str, int]:
        """Return the number of citances by id of topic; topics without any are left out."""
        ...

    def of_topic(self, topic_id: str) -> TopicCitations:
        """Return the citing papers and citances of a topic, in the order of import."""
        ...


class PyramidStore(AnnotationSource, Protocol):
    """Pyramids and the matches against them, of one kind of content unit."""

    def annotation(self, topic_id: str, annotator_id: str) -> TopicAnnotation:
        """Return an annotator's pyramid of a topic with all matches against it, empty if none is begun."""
        ...

    def annotation_at(self, topic_id: str, annotator_id: str, edit_id: str) -> TopicAnnotation:
        """Return an annotator's pyramid with all matches as they were directly after an edit.

        The edit may be undone since. Raises InputError if it is not in the study.
        """
        ...

    def is_any_summary_done(self) -> bool:
        """Return whether the matching of any summary is marked done, not counting machine annotators."""
        ...

    def commit(
        self,
        before: TopicAnnotation,
        after: TopicAnnotation,
        verb: str,
        annotator_id: str,
        active_seconds: float = 0.0,
        details: str = "",
    ) -> Future[EditReceipt]:
        """Write the difference of two values as one edit.

        details: JSON stored with it, e.g. the accepted suggestion.
        The Future raises EditConflict if a row that the edit changes is no longer as in `before`.
        """
        ...


class SettingStore(SettingSource, Protocol):
    """Texts stored in a study by key, such as its annotation guidelines."""

    def save(
        self, key: str, value: str, annotator_id: str | None = None, details: str = ""
    ) -> Future[EditReceipt]:
        """Store a text as one edit. An edit with an annotator can be undone. details: JSON stored with it."""
        ...

    def save_all(self, values: Mapping[str, str], annotator_id: str | None = None) -> Future[EditReceipt]:
        """Store several texts by key as one edit, described by the first one that changes."""
        ...


class RatingStore(Protocol):
    """Rating scales, and ratings of summaries."""

    def dimensions(self) -> Sequence[Dimension]:
        """Return every scale, in the study's order."""
        ...

    def add_dimension(
        self, name: str, low: float = 1.0, high: float = 5.0, annotator_id: str | None = None
    ) -> Dimension:
        """Return the scale of that name, created if new as an edit of the annotator."""
        ...

    def edit_dimensions(
        self, before: Sequence[Dimension], after: Sequence[Dimension], annotator_id: str | None
    ) -> Future[EditReceipt]:
        """Write the difference of two lists of all scales, including their order, as one edit.

        A removed scale is removed with its ratings. The Future raises InputError if a scale is not valid or
        ratings would be outside its range, EditConflict if a scale is no longer as in `before`.
        """
        ...

    def counts(self) -> Mapping[str, Mapping[float, int]]:
        """Return the number of ratings per value, by scale id; scales without ratings are left out."""
        ...

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
        """Set a rating as one edit. value: None = not rated. note, is_flagged, spans: None = as before.

        details: JSON stored with the edit.

        A rating without value, note and flag is removed. On a scale that asks for words the note is the
        answer, and the value follows from it; on one that asks for spans it follows from them.
        """
        ...

    def rate_all(
        self,
        topic_id: str,
        annotator_id: str,
        values: Mapping[tuple[str, str], float | None],
        verb: str,
        details: str = "",
    ) -> Future[EditReceipt]:
        """Set ratings of a topic by id of summary and scale, as one edit. None = not rated.

        The Future raises InputError for a value that is not on its scale.
        """
        ...

    def notes(self) -> Sequence[RatingNote]:
        """Return all ratings with a note, a flag or marked spans."""
        ...

    def of_topic(self, topic_id: str) -> Sequence[Rating]:
        """Return all ratings of a topic's summaries."""
        ...

    def cube(self, dimension: str) -> RatingCube:
        """Return all ratings on one dimension."""
        ...


class ComparisonStore(Protocol):
    """Plans of comparisons, and the annotators' answers."""

    def plans(self) -> Sequence[ComparisonPlan]:
        """Return every plan, in the order of creation."""
        ...

    def items(self, plan_id: str, topic_id: str = "") -> Sequence[ComparisonItem]:
        """Return the comparisons of a plan, in order. topic_id: empty = of all topics."""
        ...

    def preferences(self, plan_id: str, topic_id: str = "") -> Sequence[Preference]:
        """Return all answers to the comparisons of a plan. topic_id: empty = of all topics."""
        ...

    def add_plan(
        self, plan: ComparisonPlan, items: Sequence[ComparisonItem], annotator_id: str | None
    ) -> Future[EditReceipt]:
        """Store a new plan with its comparisons as one edit.

        The Future raises InputError if the plan is not valid or its name is used.
        """
        ...

    def remove_plan(self, plan_id: str, annotator_id: str | None) -> Future[EditReceipt]:
        """Remove a plan with its comparisons as one edit. The Future raises InputError if it has answers."""
        ...

    def answer(
        self,
        item_id: str,
        annotator_id: str,
        best: str | None,
        worst: str | None,
        active_seconds: float = 0.0,
    ) -> Future[EditReceipt]:
        """Set an answer as one edit. best, worst: ids of summaries, both None = a tie.

        The Future raises InputError if the comparison does not allow the answer.
        """
        ...

    def clear(self, item_id: str, annotator_id: str, active_seconds: float = 0.0) -> Future[EditReceipt]:
        """Remove an answer as one edit."""
        ...


class CommentStore(Protocol):
    """Comments of annotators on items of the study."""

    def all(self) -> Sequence[Comment]:
        """Return every comment, in the order of time."""
        ...

    def add(
        self, subject: CommentSubject, annotator_id: str, text: str, *, resolves: bool = False
    ) -> Future[EditReceipt]:
        """Add a comment as one edit. The Future raises InputError for an empty text that resolves nothing."""
        ...

    def remove(self, comment_id: str, annotator_id: str) -> Future[EditReceipt]:
        """Remove an annotator's own comment as one edit. The Future raises InputError for another's."""
        ...


@dataclass(frozen=True, slots=True)
class NewRatingValue:
    """A rating to store; value: None = it is removed. spans: of a scale that asks for them."""

    summary_id: str
    dimension_id: str
    value: float | None
    spans: tuple[MarkedSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class NewPreference:
    """An answer to store. chosen: ids of the best and worst summary, both None = a tie; None = removed."""

    item_id: str
    chosen: tuple[str | None, str | None] | None


@dataclass(frozen=True, slots=True)
class AdjudicationEdit:
    """What one step of an adjudication changes in a topic.

    annotator_id: whose annotation the result is.
    annotations: values before and after, of one or several pyramids.
    decisions: new ones, which replace earlier ones on the same items.
    """

    topic_id: str
    annotator_id: str
    verb: str
    ratings: tuple[NewRatingValue, ...] = ()
    annotations: tuple[tuple[TopicAnnotation, TopicAnnotation], ...] = ()
    decisions: tuple[Decision, ...] = ()
    preferences: tuple[NewPreference, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Return whether it changes nothing."""
        return not (self.ratings or self.annotations or self.decisions or self.preferences)


class AdjudicationStore(Protocol):
    """Decisions of adjudicators."""

    def decisions(self, topic_id: str) -> Sequence[Decision]:
        """Return the decisions on a topic, in the order of time."""
        ...

    def commit(
        self, edit: AdjudicationEdit, annotator_id: str, active_seconds: float = 0.0
    ) -> Future[EditReceipt]:
        """Write a step as one edit of the adjudicator, who can undo it.

        annotator_id: the adjudicator's. The Future raises EditConflict if a pyramid is no longer as it was.
        """
        ...


@dataclass(frozen=True, slots=True)
class EditRecord:
    """One entry of the history.

    active_seconds: active time since the previous edit, without idle time.
    what: description of the change.
    """

    edit_id: str
    verb: str
    annotator: str
    at: datetime
    topic_id: str | None
    active_seconds: float
    is_undone: bool
    what: str = ""


class EditStore(Protocol):
    """History of a study's edits."""

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
        """Return edits, newest first.

        pyramid_id, scu_id: only edits of these.
        before: only edits older than this one.
        moves: include undo and redo as entries.
        Raises InputError if `before` is not in the study.
        """
        ...

    def undo(self, annotator_id: str | None) -> Future[EditReceipt]:
        """Undo an annotator's last edit that is not undone, from any page; None = one without an annotator.

        Raises EditConflict if somebody changed its rows since, or builds on what an import added;
        InputError if nothing is left to undo.
        """
        ...

    def redo(self, annotator_id: str | None) -> Future[EditReceipt]:
        """Redo the annotator's last undone edit, unless a newer edit followed."""
        ...

    def undo_labels(self, annotator_id: str) -> tuple[str, str]:
        """Return the verbs of the edits that undo and redo would affect, empty = none."""
        ...

    def record_event(self, topic_id: str, annotator_id: str, verb: str, details: str) -> Future[EditReceipt]:
        """Add an entry that changes no row, e.g. an ignored finding. Undo and redo skip it."""
        ...

    def record_decision(
        self, topic_id: str, annotator_id: str, verb: str, details: str
    ) -> Future[EditReceipt]:
        """Add an edit that changes no row but can be undone, e.g. a dismissed suggestion."""
        ...

    def events(self, topic_id: str, annotator_id: str, verb: str) -> Sequence[str]:
        """Return the details of an annotator's entries of a verb on a topic that are not undone, in order."""
        ...

    def seconds_worked(self, annotator_id: str, verbs: Collection[str] | None = None) -> Mapping[str, float]:
        """Return the active time of an annotator's edits of these verbs, None = all, by topic id.

        Undone edits are included.
        """
        ...

    def seconds_by_day(self, annotator_id: str) -> Mapping[date, float]:
        """Return the active time of an annotator's edits of topics, by local date; imports have none."""
        ...
