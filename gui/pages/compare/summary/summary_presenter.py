"""Presenter of the summary window."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.comparison.explanations.explain_score import explain, explain_best_reference
from core.comparison.explanations.explained_judgement import explain_judgement
from core.comparison.explanations.explained_parts import NO_PARTS, ScorePart, compare_parts, parts
from core.comparison.measures import MeasureRef
from core.domain.study import Text, TopicTexts
from core.errors import PyramidionError
from core.formatting.legible_text import printable_text
from core.formatting.numbers import format_score
from core.matrix import ScoreMatrix
from core.metrics.base import Evidence, Explanation
from core.metrics.base.needs import MODELS
from core.models.runtime.devices import available_device
from core.operations.correlate import CorrelationData
from core.ports import ChangeKind, ChangeSet, Study
from core.progress import JobSteps, Progress
from core.scoring.config import config_from_stored
from core.scoring.jackknife import as_system
from core.scoring.study_resources import StudyResources
from core.stats.row_coefficients import descending_ranks
from gui.background.jobs import Job, JobQueue, one_step
from gui.pages.compare.summary.summary_view import (
    Highlight,
    NumberRow,
    PartRow,
    ReadText,
    SummaryTexts,
    SummaryView,
    Why,
    WhyNode,
    all_highlights,
)
from gui.session.context import Context
from gui.style.language import tr


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
        if self._view is None:
            self._view = self._make_view()
            self._view.measure_chosen.connect(self._explain)
            self._view.system_box.chosen.connect(self._compare_with)
            self._view.page_button.clicked.connect(lambda: self._context.show_page("texts"))
        return self._view

    def open(self, data: CorrelationData, topic_id: str, system: str, measure: str) -> None:
        """Show a system's summary of a topic with the explanation of a measure."""
        self._opened = opened = _Opened(data, system, measure)
        study = self._context.study
        work = one_step(lambda: (opened, study.texts.topic(topic_id)))
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

    @Slot(object)
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
        values = [row.value for row in self.view.numbers_table.rows.rows() if row.name == request.measure]
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


_MOST_KNOWN = 24
"""Explanations that are kept; one with a thousand parts takes a few MB."""

_SETTLE_MS = 60
"""Time that a dot or topic is selected before its explanation is computed ahead."""

_UNCONCERNED = frozenset({ChangeKind.COMMENTS, ChangeKind.EXPERIMENTS, ChangeKind.SETTINGS})


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """A score to explain.

    measure: label of a measure, or a human judgement. ref: of the measure; None = a judgement.
    against: the system that is compared with, part by part; empty = none.
    """

    topic_id: str
    system: str
    measure: str
    signature: str = ""
    against: str = ""
    ref: MeasureRef | None = field(default=None, compare=False)

    @property
    def has_model(self) -> bool:
        """Whether the measure's metric reads a model. Raises PyramidionError for an unknown metric."""
        if self.ref is None or self.ref.config.is_imported:
            return False
        return bool(config_from_stored(self.ref.config).metric.needs & MODELS)


class ScoreExplainer(QObject):
    """Explains one score at a time; of several requests only the last one counts.

    Jobs share encoders and caches, which belong to one thread, so they run in one queue.

    Signals:
        explained: a ScoreRequest and its Why.
    """

    explained = Signal(object, object)

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._tools: StudyResources | None = None
        self._known: OrderedDict[ScoreRequest, Why] = OrderedDict()
        self._used: set[str] = set()  # signatures of metrics with a model that is loaded
        self._asked: ScoreRequest | None = None
        self._near: ScoreRequest | None = None
        self._job: Job | None = None
        self._running: ScoreRequest | None = None
        self._first: Why | None = None  # of the running request, with the best reference only
        self._is_outdated = False
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self._start_near)
        context.changes.changed.connect(self._on_changed)

    def explain(self, request: ScoreRequest) -> None:
        """Explain a score: at once if it is known, else by a job, in place of any other."""
        self._settle.stop()
        self._asked = request
        if (why := self._known.get(request)) is not None:
            self._known.move_to_end(request)
            self._asked = None
            self.explained.emit(request, why)
        elif self._running != request or self._is_outdated:
            self._start(request, tr("Explaining {measure}", measure=request.measure))
        elif self._first is not None:
            self.explained.emit(request, self._first)

    def prepare(self, request: ScoreRequest) -> None:
        """Explain a score that the user may ask for next, unless another is asked for meanwhile."""
        self._near = request
        self._settle.start()

    def is_first(self, request: ScoreRequest) -> bool:
        """Return whether a model is to be loaded for this explanation."""
        try:
            return request.has_model and request.signature not in self._used
        except PyramidionError:  # the explanation reports it
            return False

    @Slot()
    def _start_near(self) -> None:
        request = self._near
        if request is None or self._asked is not None or request in self._known or self._running == request:
            return
        if request.ref is not None and not request.ref.config.is_imported:
            self._start(request, tr("Getting ready to explain"))

    def _start(self, request: ScoreRequest, title: str) -> None:
        if self._job is not None:
            self._job.cancel()
        if self._tools is None:
            device = available_device(self._context.settings.now.device)
            self._tools = StudyResources(self._context.study, device)
        self._running, self._is_outdated, self._first = request, False, None
        steps = _explaining_best if _may_be_slow(request) else _explaining
        self._run(title, steps(self._context.study, request, self._tools))

    def _run(self, title: str, work: JobSteps[_Explained]) -> None:
        self._job = self._context.jobs.start(title, work, JobQueue.EXPLAINING)
        self._job.finished.connect(self._finish)
        self._job.ended.connect(self._end)

    @Slot(object)
    def _finish(self, result: _Explained) -> None:
        request, why, is_whole = result
        if not is_whole:
            self._go_on(request, why)
            return
        if why.root is not None:
            self._used.add(request.signature)
            if not self._is_outdated:
                self._known[request] = why
                while len(self._known) > _MOST_KNOWN:
                    self._known.popitem(last=False)
        if request == self._asked:
            self._asked = None
            self.explained.emit(request, why)

    def _go_on(self, request: ScoreRequest, why: Why) -> None:
        """Show the parts of the best reference, if they are known, and explain the rest."""
        if request != self._running or self._tools is None:
            return  # another one has replaced it
        if why.root is not None:
            self._first = why
            if request == self._asked:
                self.explained.emit(request, why)
        work = _explaining(self._context.study, request, self._tools)
        self._run(tr("Explaining {measure}", measure=request.measure), work)

    @Slot(object)
    def _end(self, job: Job) -> None:
        if job is not self._job:
            return  # another one has replaced it
        self._job, self._running = None, None
        if (request := self._asked) is not None:  # it failed or was cancelled
            self._asked = None
            failed = tr("The explanation failed. Choose the score to try again.")
            cancelled = tr("The explanation was cancelled. Choose the score to try again.")
            self.explained.emit(request, Why(request.measure, failed if job.error is not None else cancelled))

    @Slot(object)
    def _on_changed(self, changes: ChangeSet) -> None:
        if changes.kinds <= _UNCONCERNED:
            return
        self._known.clear()
        self._is_outdated = True
        if self._tools is not None and ChangeKind.TEXTS in changes.kinds:
            self._tools = self._tools.with_fresh_caches()  # an index of documents may be another


_Explained = tuple[ScoreRequest, Why, bool]
"""A request, its explanation, and whether it is the whole one."""


def _may_be_slow(request: ScoreRequest) -> bool:
    try:
        return request.has_model and not request.against
    except PyramidionError:  # the explanation reports it
        return False


def _explaining_best(study: Study, request: ScoreRequest, resources: StudyResources) -> JobSteps[_Explained]:
    """Explain the score by the reference that matched best, where the others' values are stored."""
    yield Progress(0, 0, tr("{measure} of {system}", measure=request.measure, system=request.system))
    tree = None
    if request.ref is not None:
        with suppress(PyramidionError):  # the whole explanation reports it
            tree = explain_best_reference(study, request.ref, request.topic_id, request.system, resources)
    why = Why(request.measure, "") if tree is None else why_of(request.measure, tree)
    return request, why, False


def _explaining(study: Study, request: ScoreRequest, resources: StudyResources) -> JobSteps[_Explained]:
    """Explain the scores of a system and of the one that it is compared with."""
    yield Progress(0, 0, tr("{measure} of {system}", measure=request.measure, system=request.system))
    try:
        tree = _tree(study, request, request.system, resources)
        yield Progress(0, 0, tr("{measure} of {system}", measure=request.measure, system=request.system))
        other = _tree(study, request, request.against, resources) if request.against else None
        return request, why_of(request.measure, tree, request.against, other), True
    except PyramidionError as error:
        return request, Why(request.measure, str(error)), True


def _tree(study: Study, request: ScoreRequest, system: str, resources: StudyResources) -> Explanation:
    if request.ref is None:
        return explain_judgement(study, request.measure, request.topic_id, system)
    return explain(study, request.ref, request.topic_id, system, resources)


def why_of(name: str, tree: Explanation, against: str = "", other: Explanation | None = None) -> Why:
    """Return an explanation as the window displays it.

    against, other: the system that is compared with, and the explanation of its score; none = empty, None.
    """
    strongest = _strongest(tree)
    root, _ = _node(tree, strongest)
    rows = _part_rows(tree, other, strongest)
    sentence = "" if rows else NO_PARTS
    return Why(name, sentence, root, rows, against, highlights=all_highlights(root))


def _part_rows(tree: Explanation, other: Explanation | None, strongest: float) -> tuple[PartRow, ...]:
    if other is None:
        return tuple(_part_row(part, strongest) for part in parts(tree))
    rows = []
    for pair in compare_parts(tree, other):
        there = math.nan if pair.second is None else pair.second.contribution
        if pair.first is not None:
            rows.append(replace(_part_row(pair.first, strongest), other=there))
        else:
            rows.append(PartRow(printable_text(pair.name), math.nan, math.nan, 0.0, (), there))
    return tuple(rows)


def _part_row(part: ScorePart, strongest: float) -> PartRow:
    return PartRow(
        printable_text(part.name),
        part.value,
        part.without,
        part.contribution,
        _highlights(part.evidence, strongest),
    )


def _highlights(evidence: Sequence[Evidence], strongest: float) -> tuple[Highlight, ...]:
    return tuple(
        Highlight(f"{e.role}:{e.name}", e.span, abs(e.weight) / strongest if strongest else 0.0)
        for e in evidence
    )


def _strongest(tree: Explanation) -> float:
    own = max((abs(e.weight) for e in tree.evidence), default=0.0)
    return max((own, *(_strongest(child) for child in tree.children)))


def _node(tree: Explanation, strongest: float) -> tuple[WhyNode, float]:
    """Return a node as displayed, and its value."""
    below = [_node(child, strongest) for child in tree.children]
    value = tree.combine([one for _, one in below])
    children = tuple(node for node, _ in below)
    if tree.operator == "max":  # only the largest counts
        children = tuple(replace(node, counts=one == value) for node, one in below)
    highlights = _highlights(tree.evidence, strongest)
    return WhyNode(
        printable_text(tree.label), tree.operation, format_score(value, 4), highlights, children
    ), value
