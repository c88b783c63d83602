"""Presenter of the summary window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Slot

from core.domain.study import Text, TopicTexts
from core.formatting.numbers import format_score
from core.matrix import ScoreMatrix
from core.operations.correlate import CorrelationData
from core.ports import Study
from core.progress import JobSteps, Progress
from core.scoring.jackknife import as_system
from core.stats.row_coefficients import descending_ranks
from gui.background.jobs import JobQueue
from gui.pages.compare.summary.score_explainer import ScoreExplainer, ScoreRequest
from gui.pages.compare.summary.summary_values import NumberRow, ReadText, SummaryTexts, Why
from gui.session.context import Context
from gui.style.language import tr

if TYPE_CHECKING:
    from gui.pages.compare.summary.summary_view import SummaryView


class SummaryPresenter(QObject):
    """Displays summaries in one window, which is created for the first one."""

    def __init__(self, make_view: Callable[[], SummaryView], context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._make_view, self._context = make_view, context
        self._view: SummaryView | None = None
        self._opened: _Opened | None = None  # the last request; its texts may not be read yet
        self._topic: TopicTexts | None = None
        self._against = ""  # the system that is compared with
        self._explainer = ScoreExplainer(context, self)
        self._explainer.explained.connect(self._take_why)

    @property
    def view(self) -> SummaryView:
        """The window."""
        if self._view is None:
            self._view = self._make_view()
            self._view.measure_chosen.connect(self._explain)
            self._view.system_chosen.connect(self._compare_with)
            self._view.page_button.clicked.connect(lambda: self._context.show_page("texts"))
        return self._view

    def open(self, data: CorrelationData, topic_id: str, system: str, measure: str) -> None:
        """Show a system's summary of a topic with the explanation of a measure."""
        self._opened = _Opened(data, system, measure)
        work = _reading(self._context.study, topic_id, self._opened)
        job = self._context.jobs.start(tr("Reading texts"), work, JobQueue.READING)
        job.finished.connect(self._take_topic)

    @Slot(object, str, str, str, bool)
    def prepare(
        self, data: CorrelationData, topic_id: str, system: str, measure: str, is_chosen: bool
    ) -> None:
        """Explain a score that the user may ask for next.

        is_chosen: whether the user has chosen the dot; only then is a model loaded.
        """
        request = _request(data, topic_id, system, measure)
        if request is not None and (is_chosen or not self._explainer.is_first(request)):
            self._explainer.prepare(request)

    @Slot(object)
    def _take_topic(self, read: tuple[_Opened, TopicTexts]) -> None:
        opened, topic = read
        if opened is not self._opened:
            return  # another summary was opened meanwhile
        summary = _text_of(topic, opened.system)
        if summary is None:
            self._context.show_message(
                tr("{system} has no summary of {name}.", system=opened.system, name=topic.name)
            )
            return
        self._topic = topic
        summary_id = summary.id if summary in topic.summaries else None
        self._context.selection.select(topic_id=topic.id, summary_id=summary_id, system=opened.system)
        self.view.show_texts(texts_of(topic, summary))
        systems = [text.name for text in topic.summaries if text.name != opened.system]
        if self._against not in systems:
            self._against = ""
        self.view.show_systems(systems, self._against)
        self.view.show_numbers(numbers_of(opened.data, topic.name, opened.system), opened.measure)
        self._explain(opened.measure)
        self.view.show()
        self.view.raise_()

    @Slot(str)
    def _compare_with(self, system: str) -> None:
        """Compare the score part by part with that of another system; empty = with none."""
        self._against = system
        if self._opened is not None:
            self._explain(self._opened.measure)

    @Slot(str)
    def _explain(self, measure: str) -> None:
        """Request the explanation of a score of the open summary; show the score until it is there."""
        if self._opened is None or self._topic is None:
            return
        opened = self._opened = replace(self._opened, measure=measure)
        request = _request(opened.data, self._topic.id, opened.system, measure, self._against)
        if request is None:
            return
        self.view.show_why(Why(measure, self._waiting_text(request), is_pending=True))
        self._explainer.explain(request)

    def _waiting_text(self, request: ScoreRequest) -> str:
        """Return what is known of a score before its parts are."""
        values = [row.value for row in self.view.numbers.rows() if row.name == request.measure]
        score = tr("The score is {values}. ", values=format_score(values[0], 4)) if values else ""
        if self._explainer.is_first(request):
            return tr("{score}Loading the model that finds its parts …", score=score)
        return tr("{score}Finding its parts …", score=score)

    @Slot(object, object)
    def _take_why(self, request: ScoreRequest, why: Why) -> None:
        opened, topic = self._opened, self._topic
        if opened is None or topic is None:
            return
        if request == _request(opened.data, topic.id, opened.system, opened.measure, self._against):
            self.view.show_why(why)


@dataclass(frozen=True, slots=True, eq=False)
class _Opened:
    """The summary that the user has opened, and the measure that is explained."""

    data: CorrelationData
    system: str
    measure: str


def _request(
    data: CorrelationData, topic_id: str, system: str, measure: str, against: str = ""
) -> ScoreRequest | None:
    """Return the request to explain a score; None = its measure is not in the data any more."""
    against = against if against != system else ""
    if measure in data.comparison.judgements:
        return ScoreRequest(topic_id, system, measure, against=against)
    ref = data.ref(measure)
    return None if ref is None else ScoreRequest(topic_id, system, measure, ref.signature, against, ref)


def texts_of(topic: TopicTexts, summary: Text) -> SummaryTexts:
    """Return a summary, or a reference as a system, with the other references and the documents."""
    others = (text for text in topic.references if text.id != summary.id)
    references = [_read("reference", tr("Reference"), text) for text in others]
    documents = [_read("document", tr("Document"), text) for text in topic.documents]
    fact = " ".join(part for part in (topic.name, topic.title) if part)
    return SummaryTexts(
        summary.name, fact, _read("summary", tr("Summary"), summary), (*references, *documents)
    )


def _text_of(topic: TopicTexts, system: str) -> Text | None:
    """Return a system's summary, or the reference of that name; None = there is none."""
    texts = (*topic.summaries, *map(as_system, topic.references))
    return next((text for text in texts if text.name == system), None)


def numbers_of(data: CorrelationData, topic: str, system: str) -> list[NumberRow]:
    """Return every judgement and measure of a summary, with its rank among the topic's systems."""
    comparison = data.comparison
    better = {ref.label: ref.higher_is_better for ref in comparison.refs}
    judged = (_number(name, matrix, topic, system, True) for name, matrix in comparison.judgements.items())
    measured = (_number(m.label, m, topic, system, better[m.label]) for m in comparison.scores)
    return [row for row in (*judged, *measured) if row is not None]


def _reading(study: Study, topic_id: str, opened: _Opened) -> JobSteps[tuple[_Opened, TopicTexts]]:
    yield Progress(0, 0)
    return opened, study.texts.topic(topic_id)


def _read(role: str, title: str, text: Text) -> ReadText:
    return ReadText(f"{role}:{text.name}", f"{title} {text.name}", text.content)


def _number(name: str, matrix: ScoreMatrix, topic: str, system: str, is_better: bool) -> NumberRow | None:
    if topic not in matrix.topics or system not in matrix.systems:
        return None
    column = matrix.values[:, matrix.topics.index(topic)]
    row = matrix.systems.index(system)
    if not np.isfinite(column[row]):
        return None
    ranks = descending_ranks(column if is_better else -column, matrix.values)
    systems = int(np.isfinite(column).sum())
    return NumberRow(
        name, float(column[row]), tr("{ranks:g} of {systems}", ranks=ranks[row], systems=systems), systems
    )
