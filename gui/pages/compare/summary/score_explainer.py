"""Explanations of scores, computed by one job at a time and ahead of the click that shows them."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.comparison.explanations.explain_score import explain, explain_best_reference
from core.comparison.explanations.explained_judgement import explain_judgement
from core.comparison.explanations.explained_parts import NO_PARTS, ScorePart, compare_parts, parts
from core.comparison.measures import MeasureRef
from core.errors import PyramidionError
from core.formatting.legible_text import printable_text
from core.formatting.numbers import format_score
from core.metrics.base import Evidence, Explanation
from core.metrics.base.needs import MODELS
from core.ports import ChangeKind, ChangeSet, Study
from core.progress import JobSteps, Progress
from core.scoring.config import config_from_stored
from core.scoring.study_resources import StudyResources
from gui.background.jobs import Job, JobQueue
from gui.pages.compare.summary.summary_values import Highlight, PartRow, Why, WhyNode, all_highlights
from gui.session.context import Context
from gui.session.devices import available_device
from gui.style.language import tr

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
