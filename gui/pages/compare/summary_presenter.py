"""Presenter of the summary window."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Slot

from core.comparison.explain_score import explain
from core.comparison.explained_judgement import explain_judgement
from core.comparison.explained_parts import ScorePart, compare_parts, parts
from core.comparison.measures import MeasureRef, find_measure
from core.domain.study import Text, TopicTexts
from core.errors import PyramidionError
from core.formatting.numbers import format_score
from core.matrix import ScoreMatrix
from core.metrics.base import Evidence, Explanation
from core.metrics.base.needs import MODELS
from core.ports import ChangeKind, ChangeSet, Study
from core.progress import JobSteps, Progress
from core.scoring.engine_tools import StudyResources
from core.scoring.jackknife import as_system
from core.scoring.plan import config_from_stored
from core.stats.row_coefficients import average_ranks
from gui.background.jobs import JobQueue
from gui.pages.compare.study_data import ComparisonData
from gui.pages.compare.summary_values import (
    Highlight,
    NumberRow,
    PartRow,
    ReadText,
    SummaryTexts,
    Why,
    WhyNode,
)
from gui.session.context import Context
from gui.session.devices import available_device

if TYPE_CHECKING:
    from gui.pages.compare.summary_view import SummaryView

_WAYS = {
    "value": "",
    "sum": "sum",
    "mean": "mean",
    "max": "largest",
    "min": "smallest",
    "ratio": "first ÷ second",
    "product": "product",
    "harmonic": "harmonic mean",
    "power": "to the power of",
    "geometric": "geometric mean",
    "rounded": "rounded",
}


class SummaryPresenter(QObject):
    """Displays summaries in one window, which is created for the first one."""

    def __init__(self, make_view: Callable[[], SummaryView], context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._make_view, self._context = make_view, context
        self._view: SummaryView | None = None
        self._numbers: ComparisonData | None = None
        self._topic: TopicTexts | None = None
        self._system, self._measure = "", ""
        self._against = ""  # the system that is compared with
        self._tools: StudyResources | None = None
        self._prepared: set[str] = set()  # signatures of metrics that were explained ahead
        context.changes.changed.connect(self._on_changed)

    @property
    def view(self) -> SummaryView:
        """The window."""
        if self._view is None:
            self._view = self._make_view()
            self._view.measure_chosen.connect(self._explain)
            self._view.system_chosen.connect(self._compare_with)
            self._view.texts_page_requested.connect(lambda: self._context.show_page("texts"))
        return self._view

    def open(self, numbers: ComparisonData, topic_id: str, system: str, measure: str) -> None:
        """Show a system's summary of a topic with the explanation of a measure."""
        self._numbers, self._system, self._measure = numbers, system, measure
        work = _reading(self._context.study, topic_id)
        job = self._context.jobs.start("Reading texts", work, JobQueue.READING)
        job.finished.connect(self._take_topic)

    @Slot(object, str, str, str)
    def prepare(self, numbers: ComparisonData, topic_id: str, system: str, measure: str) -> None:
        """Explain a score that the user may ask for next, so that compiled code and texts are loaded by then.

        Metrics with a model are left out: a model is loaded when its explanation is requested.
        """
        ref = numbers.ref(measure)
        if ref is None or ref.signature in self._prepared or ref.config.is_imported:
            return
        self._prepared.add(ref.signature)
        if not config_from_stored(ref.config).metric.needs & MODELS:
            explained = partial(_explain_measure, self._context.study, ref, topic_id, self._engine())
            work = _explaining(measure, explained, system, "")
            self._context.jobs.start("Getting ready to explain", work, JobQueue.AHEAD)

    @Slot(object)
    def _take_topic(self, topic: TopicTexts) -> None:
        if self._numbers is None:
            return
        summary = _text_of(topic, self._system)
        if summary is None:
            self._context.show_message(f"{self._system} has no summary of {topic.name}.")
            return
        self._topic = topic
        summary_id = summary.id if summary in topic.summaries else None
        self._context.selection.select(topic_id=topic.id, summary_id=summary_id, system=self._system)
        self.view.show_texts(texts_of(topic, summary))
        systems = [text.name for text in topic.summaries if text.name != self._system]
        if self._against not in systems:
            self._against = ""
        self.view.show_systems(systems, self._against)
        self.view.show_numbers(numbers_of(self._numbers, topic.name, self._system), self._measure)
        self.view.show()
        self.view.raise_()
        self._explain(self._measure)

    @Slot(str)
    def _compare_with(self, system: str) -> None:
        """Compare the score part by part with that of another system; empty = with none."""
        self._against = system
        self._explain(self._measure)

    @Slot(str)
    def _explain(self, measure: str) -> None:
        """Request the explanation of a score on a worker thread, as it may load a model."""
        if self._numbers is None or self._topic is None:
            return
        self._measure = measure
        against = self._against if self._against != self._system else ""
        if measure in self._numbers.comparison.judgements:
            explained = partial(explain_judgement, self._context.study, measure, self._topic.id)
        else:
            ref = find_measure(self._numbers.comparison.refs, measure)
            explained = partial(_explain_measure, self._context.study, ref, self._topic.id, self._engine())
        work = _explaining(measure, explained, self._system, against)
        self.view.show_why(Why(measure, "Computing the explanation …"))
        job = self._context.jobs.start(f"Explaining {measure}", work, JobQueue.READING)
        job.finished.connect(self._take_why)

    @Slot(object)
    def _take_why(self, why: Why) -> None:
        if why.measure == self._measure:
            self.view.show_why(why)

    @Slot(object)
    def _on_changed(self, changes: ChangeSet) -> None:
        if (
            self._tools is not None and ChangeKind.TEXTS in changes.kinds
        ):  # an index of documents may be another
            self._tools = self._tools.with_fresh_caches()

    def _engine(self) -> StudyResources:
        """The resources for scoring, created once so that an encoder is loaded once."""
        if self._tools is None:
            self._tools = StudyResources(
                self._context.study, available_device(self._context.settings.now.device)
            )
        return self._tools


def texts_of(topic: TopicTexts, summary: Text) -> SummaryTexts:
    """Return a summary, or a reference as a system, with the other references and the documents."""
    others = (text for text in topic.references if text.id != summary.id)
    references = [_read("reference", "Reference", text) for text in others]
    documents = [_read("document", "Document", text) for text in topic.documents]
    fact = " ".join(part for part in (topic.name, topic.title) if part)
    return SummaryTexts(summary.name, fact, _read("summary", "Summary", summary), (*references, *documents))


def _text_of(topic: TopicTexts, system: str) -> Text | None:
    """Return a system's summary, or the reference of that name; None = there is none."""
    texts = (*topic.summaries, *map(as_system, topic.references))
    return next((text for text in texts if text.name == system), None)


def numbers_of(numbers: ComparisonData, topic: str, system: str) -> list[NumberRow]:
    """Return every judgement and measure of a summary, with its rank among the topic's systems."""
    comparison = numbers.comparison
    better = {ref.label: ref.config.higher_is_better for ref in comparison.refs}
    judged = (_number(name, matrix, topic, system, True) for name, matrix in comparison.judgements.items())
    measured = (_number(m.label, m, topic, system, better[m.label]) for m in comparison.scores)
    return [row for row in (*judged, *measured) if row is not None]


def why_of(name: str, tree: Explanation, against: str = "", other: Explanation | None = None) -> Why:
    """Return an explanation as the window displays it.

    against, other: the system that is compared with, and the explanation of its score; none = empty, None.
    """
    strongest = _strongest(tree)
    return Why(name, "", _node(tree, strongest), _part_rows(tree, other, strongest), against)


def _part_rows(tree: Explanation, other: Explanation | None, strongest: float) -> tuple[PartRow, ...]:
    if other is None:
        return tuple(_part_row(part, strongest) for part in parts(tree))
    rows = []
    for pair in compare_parts(tree, other):
        there = math.nan if pair.second is None else pair.second.contribution
        if pair.first is not None:
            rows.append(replace(_part_row(pair.first, strongest), other=there))
        else:
            rows.append(PartRow(pair.name, math.nan, math.nan, 0.0, (), there))
    return tuple(rows)


def _part_row(part: ScorePart, strongest: float) -> PartRow:
    return PartRow(
        part.name, part.value, part.without, part.contribution, _highlights(part.evidence, strongest)
    )


def _highlights(evidence: Sequence[Evidence], strongest: float) -> tuple[Highlight, ...]:
    return tuple(
        Highlight(f"{e.role}:{e.name}", e.span, abs(e.weight) / strongest if strongest else 0.0)
        for e in evidence
    )


def _reading(study: Study, topic_id: str) -> JobSteps[TopicTexts]:
    yield Progress(0, 0)
    return study.texts.topic(topic_id)


def _explain_measure(
    study: Study, ref: MeasureRef, topic_id: str, tools: StudyResources, system: str
) -> Explanation:
    return explain(study, ref, topic_id, system, tools)


def _explaining(
    name: str, explained: Callable[[str], Explanation], system: str, against: str
) -> JobSteps[Why]:
    """Explain the scores of a system and of the one that it is compared with, empty = none."""
    yield Progress(0, 0, f"{name} of {system}")
    try:
        return why_of(name, explained(system), against, explained(against) if against else None)
    except PyramidionError as error:
        return Why(name, str(error))


def _read(role: str, title: str, text: Text) -> ReadText:
    return ReadText(f"{role}:{text.name}", f"{title} {text.name}", text.content)


def _number(name: str, matrix: ScoreMatrix, topic: str, system: str, is_better: bool) -> NumberRow | None:
    if topic not in matrix.topics or system not in matrix.systems:
        return None
    column = matrix.values[:, matrix.topics.index(topic)]
    row = matrix.systems.index(system)
    if not np.isfinite(column[row]):
        return None
    ranks = average_ranks((-column if is_better else column)[None])[0]
    systems = int(np.isfinite(column).sum())
    return NumberRow(name, float(column[row]), f"{ranks[row]:g} of {systems}", systems)


def _way(tree: Explanation) -> str:
    way = _WAYS[tree.operator]
    return f"{way} {tree.value:.4g}" if tree.operator == "power" else way


def _strongest(tree: Explanation) -> float:
    own = max((abs(e.weight) for e in tree.evidence), default=0.0)
    return max((own, *(_strongest(child) for child in tree.children)))


def _node(tree: Explanation, strongest: float, *, counts: bool = True) -> WhyNode:
    largest = tree.evaluate() if tree.operator == "max" else math.nan
    is_choice = tree.operator == "max"
    return WhyNode(
        label=tree.label,
        how=_way(tree),
        value=format_score(tree.evaluate(), 4),
        highlights=_highlights(tree.evidence, strongest),
        children=tuple(
            _node(child, strongest, counts=not is_choice or child.evaluate() == largest)
            for child in tree.children
        ),
        counts=counts,
    )
