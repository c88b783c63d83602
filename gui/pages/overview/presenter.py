"""What the overview shows: counted on a worker thread, anew when something changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from core.domain.pyramid import TopicAnnotation
from core.domain.study import TopicHeader
from core.ports import ChangeKind, ChangeSet, EditRecord, MetricConfig, Study, language_of, set_language
from core.progress import JobSteps, Progress
from core.text.languages import LANGUAGE_NAMES
from gui.annotation.blind_mode import blindness
from gui.pages.overview.values import RecentEdit, ScoredMetric, WorkflowStep
from gui.session.context import Context

if TYPE_CHECKING:
    from gui.pages.overview.view import OverviewView

KEY = "overview"
NOT_SET = "Not set (read as English)"
_DEEDS, _EDITS = 9, 120
"""How many lines tell of the latest edits, and how many edits are read for them."""
_MANY = {"rate": "ratings", "match": "matches"}
"""What edits of many kinds in a row are counted as, by their verb's first word."""


def build(context: Context) -> tuple[OverviewView, OverviewPresenter]:
    """The overview page of a study."""
    from gui.pages.overview.view import OverviewView

    view = OverviewView()
    return view, OverviewPresenter(view, context)


@dataclass(frozen=True, slots=True)
class StudyCounts:
    """What there is in a study and how much of it is done.

    rated: ratings given and ratings possible, per dimension. configs: with the topics that each has scored.
    names: what each configuration's measures are called before and after their last dot, by signature.
    """

    topics: Sequence[TopicHeader]
    systems: int
    authors: int
    people: int
    pyramids_done: int
    pyramids_begun: int
    matches_done: int
    rated: Mapping[str, tuple[int, int]]
    configs: Sequence[tuple[MetricConfig, int]]
    names: Mapping[str, tuple[str, str]]
    latest: Sequence[EditRecord]

    @property
    def summaries(self) -> int:
        return sum(topic.summaries for topic in self.topics)

    @property
    def references(self) -> int:
        return sum(topic.references for topic in self.topics)

    @property
    def documents(self) -> int:
        return sum(topic.documents for topic in self.topics)


def count_study(study: Study) -> JobSteps[StudyCounts]:
    """Count everything that the overview shows."""
    topics = study.texts.topics()
    yield Progress(1, 4, "texts")
    pyramids_done, begun, matches_done = _annotated(list(study.pyramids.annotations()))
    yield Progress(2, 4, "annotations")
    rated = {}
    for dimension in study.ratings.dimensions():
        values = study.ratings.cube(dimension.name).values
        given = int(np.isfinite(values).any(axis=0).sum()) if values.size else 0
        rated[dimension.name] = (given, sum(topic.summaries for topic in topics))
        yield Progress(3, 4, "ratings")
    configs = [
        (config, len(study.scores.input_hashes(config.signature))) for config in study.scores.configs()
    ]
    return StudyCounts(
        topics=topics,
        systems=len(study.texts.systems()),
        authors=len(study.texts.reference_authors()),
        people=len(study.annotators.all()),
        pyramids_done=pyramids_done,
        pyramids_begun=begun,
        matches_done=matches_done,
        rated=rated,
        configs=configs,
        names=_names(study) if configs else {},
        latest=study.edits.history(limit=_EDITS),
    )


def _names(study: Study) -> dict[str, tuple[str, str]]:
    """A configuration's name and its measures as Compare has them: ``rouge-2[stem:no]``, ``recall, f``."""
    from core.comparison.measures import (  # reads every metric's settings: not before the window
        measures,
    )
    from core.metrics.registry import split_label

    labels: dict[str, list[str]] = {}
    for ref in measures(study, check_stale=False):
        labels.setdefault(ref.signature, []).append(ref.label)
    named = {}
    for signature, each in labels.items():
        pairs = [split_label(label) for label in each]
        name = pairs[0][0]
        is_one = bool(name) and all(prefix == name for prefix, _ in pairs)
        named[signature] = (name, ", ".join(last for _, last in pairs)) if is_one else ("", ", ".join(each))
    return named


def _annotated(annotations: Sequence[TopicAnnotation]) -> tuple[int, int, int]:
    """Topics with a finished pyramid, topics with a begun one, summaries that somebody marked done."""
    done = {a.pyramid.topic_id for a in annotations if a.pyramid.is_done}
    begun = {a.pyramid.topic_id for a in annotations if a.pyramid.scus}
    matched = {state.summary_id for a in annotations for state in a.states if state.is_done}
    return len(done), len(begun), len(matched)


class OverviewPresenter(QObject):
    """Counts when the page is shown and when something changes meanwhile.

    Signals:
        counted: the Counts, after the page shows them.
    """

    counted = Signal(object)

    def __init__(self, view: OverviewView, context: Context) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self._is_counting = False
        self._is_stale = True
        view.shown.connect(self._refresh)
        view.page_requested.connect(context.show_page)
        view.import_requested.connect(context.commands.action("study.import").trigger)
        context.changes.changed.connect(self._changed)
        blind = blindness(context)
        view.blind_requested.connect(blind.switch)
        blind.switched.connect(view.show_blind)
        view.show_blind(blind.is_on)
        view.language_requested.connect(self._set_language)
        self._show_language()

    @Slot(str)
    def _set_language(self, code: str) -> None:
        if code != language_of(self._context.study):
            self._context.writes.track(
                set_language(self._context.study, code), lambda _: self._show_language()
            )

    def _show_language(self) -> None:
        names = sorted(LANGUAGE_NAMES.items(), key=lambda pair: pair[1])
        self._view.show_language(language_of(self._context.study), [("", NOT_SET), *names])

    @Slot(object)
    def _changed(self, changes: ChangeSet) -> None:
        self._is_stale = True
        if changes.kinds & {ChangeKind.TEXTS, ChangeKind.SETTINGS} or changes.is_external:
            self._show_language()
        if self._view.isVisible():
            self._refresh()

    @Slot()
    def _refresh(self) -> None:
        if self._is_stale and not self._is_counting:
            self._is_stale, self._is_counting = False, True
            job = self._context.jobs.start("Counting", count_study(self._context.study))
            job.finished.connect(self._show)
            job.ended.connect(self._counted)

    @Slot()
    def _counted(self) -> None:
        self._is_counting = False
        if self._is_stale and self._view.isVisible():
            self._refresh()

    @Slot(object)
    def _show(self, counts: StudyCounts) -> None:
        study = self._context.study
        self._view.show_study(study.name, study_facts(counts))
        self._view.show_stations(workflow_steps(counts))
        self._view.show_next(*next_step(counts))
        self._view.show_scored([_scored(config, topics, counts) for config, topics in counts.configs])
        self._view.show_deeds(recent_edits(counts))
        self.counted.emit(counts)


def study_facts(counts: StudyCounts) -> list[tuple[str, str]]:
    """What the study holds, in words."""
    return [
        ("Topics", f"{len(counts.topics):,}"),
        ("Documents", f"{counts.documents:,}"),
        ("References", f"{counts.references:,} by {_several(counts.authors, 'author')}"),
        ("Summaries", f"{counts.summaries:,} by {_several(counts.systems, 'system')}"),
        ("Annotators", f"{counts.people:,}"),
        ("Dimensions", ", ".join(counts.rated) or "none"),
    ]


def workflow_steps(counts: StudyCounts) -> list[WorkflowStep]:
    """The parts of the work, in their order."""
    topics, summaries = len(counts.topics), counts.summaries
    begun = counts.pyramids_begun - counts.pyramids_done
    rated = sum(given for given, _ in counts.rated.values())
    ratable = sum(possible for _, possible in counts.rated.values())
    scored = sum(topics for _, topics in counts.configs)
    return [
        WorkflowStep("texts", "Texts", f"{_several(topics, 'topic')} with texts", topics, topics, "Read"),
        WorkflowStep(
            "pyramids",
            "Pyramids",
            f"{begun} begun and not marked done" if begun > 0 else "one per topic, marked done",
            counts.pyramids_done,
            topics,
            "Annotate",
        ),
        WorkflowStep("matches", "Matches", "summaries marked done", counts.matches_done, summaries, "Match"),
        WorkflowStep("ratings", "Ratings", _several(len(counts.rated), "dimension"), rated, ratable, "Rate"),
        WorkflowStep(
            "score",
            "Scores",
            f"{_several(len(counts.configs), 'metric')} on {_several(topics, 'topic')}",
            scored,
            len(counts.configs) * topics,
            "Score",
        ),
    ]


def next_step(counts: StudyCounts) -> tuple[str, str]:
    """What to do next: the verb on the button and the page it leads to (empty = the import)."""
    if not counts.topics:
        return "Import texts…", ""
    if not counts.configs:
        return "Score the summaries", "score"
    is_judged = bool(counts.pyramids_begun) or any(given for given, _ in counts.rated.values())
    return ("Compare with judgements", "compare") if is_judged else ("Annotate a pyramid", "pyramids")


def _scored(config: MetricConfig, topics: int, counts: StudyCounts) -> ScoredMetric:
    by = f" · references by {', '.join(config.references)}" if config.references else ""
    name, measures = counts.names.get(config.signature, ("", ", ".join(config.measures)))
    return ScoredMetric((name or config.metric) + by, measures, topics, len(counts.topics), config.signature)


def recent_edits(counts: StudyCounts) -> list[RecentEdit]:
    """The latest edits, newest first; those alike that came one after another stand on one line."""
    topics = {topic.id: topic.name for topic in counts.topics}
    lines = []
    for (who, topic_id, _), run in groupby(counts.latest, _run_of):
        records = list(run)
        where = f"{topics[topic_id]}: " if topic_id in topics else ""
        lines.append(RecentEdit(who, where + _told(records), _when(records[0].at)))
    return lines[:_DEEDS]


def _run_of(record: EditRecord) -> tuple[str, str, str]:
    """Annotator, topic and what is done: edits alike in these stand on one line."""
    return record.annotator, record.topic_id or "", _many(record) or _what(record)


def _many(record: EditRecord) -> str:
    return "" if record.is_undone else _MANY.get(record.verb.partition(" ")[0], "")


def _told(records: Sequence[EditRecord]) -> str:
    """What a run of edits alike did, as ``24 ratings``."""
    count, what = len(records), _what(records[0])
    if count == 1:
        return what
    many = _many(records[0])
    return f"{count} {many}" if many else f"{count} × {what[:1].lower()}{what[1:]}"


def _what(record: EditRecord) -> str:
    words = record.what or record.verb
    return words[:1].upper() + words[1:] + (" (undone)" if record.is_undone else "")


def _when(at: datetime) -> str:
    here, today = at.astimezone(), datetime.now().astimezone()
    return f"{here:%H:%M}" if here.date() == today.date() else f"{here:%d %b %H:%M}"


def _several(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
