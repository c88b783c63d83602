"""Intervals and tests of the Compare page, which follow the values as jobs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from core.comparing import (
    Adjustment,
    Chance,
    DifferenceTest,
    IntervalKind,
    Sample,
    adjusted,
    differences,
    intervals,
    sample_of,
)
from core.matrix import Array
from core.progress import Steps
from core.report.numbers import count_text
from core.stats.correlation import Coefficient
from gui.jobs import Job, Jobs, Lane
from gui.presenters.compare_numbers import Numbers
from gui.presenters.compare_questions import Answer, Question, best_of, signs_of

MOST_SWAPPED = 30
"""Measures beyond which all their pairs are tested by Williams' test: permutations would take minutes."""

Kind = IntervalKind | DifferenceTest
Task = tuple[Question, Kind]
"""What is asked about a column: intervals or tests, by their kind."""

_OVER = {"both": "systems and topics", "systems": "systems", "topics": "topics"}
_ADJUSTED = {
    Adjustment.HOLM: "Holm",
    Adjustment.BENJAMINI_HOCHBERG: "Benj.–Hochberg",
    Adjustment.NONE: "not adjusted",
}


@dataclass(frozen=True, slots=True)
class Method:
    """How intervals and tests are made. test: None = there are none."""

    interval: IntervalKind = IntervalKind.BOOTSTRAP_BOTH
    test: DifferenceTest | None = DifferenceTest.WILLIAMS
    adjustment: Adjustment = Adjustment.HOLM

    def test_for(self, coefficient: Coefficient, measures: int = 0) -> DifferenceTest | None:
        """The test that can answer: Williams' is for correlations, and alone fast for very many pairs."""
        if coefficient is Coefficient.ACCURACY and self.test is DifferenceTest.WILLIAMS:
            return DifferenceTest.PERMUTATION_BOTH
        is_slow = measures > MOST_SWAPPED and coefficient is not Coefficient.ACCURACY
        return DifferenceTest.WILLIAMS if is_slow and self.test is not None else self.test

    @property
    def interval_words(self) -> str:
        """As ``bootstrap over systems and topics, 1,000 draws, seed 0``; empty = none."""
        if self.interval is IntervalKind.NONE:
            return ""
        if self.interval is IntervalKind.FISHER:
            return "intervals by Fisher's transformation"
        over = _OVER[self.interval.removeprefix("bootstrap-")]
        return f"bootstrap over {over}, {_drawn()}"

    def words_for(self, coefficient: Coefficient) -> str:
        """How intervals and tests of a coefficient are made."""
        test = test_words(self.test_for(coefficient))
        return " · ".join(words for words in (self.interval_words, test) if words)

    @property
    def adjusted_words(self) -> str:
        """How p-values are adjusted, as a heading; empty where there are none."""
        return "" if self.test is None else _ADJUSTED[self.adjustment]


def test_words(test: DifferenceTest | None) -> str:
    """As ``permutation of systems, 1,000 draws, seed 0``; empty = none."""
    if test is None:
        return ""
    if test is DifferenceTest.WILLIAMS:
        return "Williams' test, two-sided"
    return f"permutation of {_OVER[test.removeprefix('permutation-')]}, {_drawn()}"


@dataclass(frozen=True, slots=True, eq=False)
class Inference:
    """What is known beyond the values. low, high, p: shape (measures,), NaN = none.

    p: of the difference from the best, adjusted.
    """

    low: Array
    high: Array
    p: Array

    @property
    def has_intervals(self) -> bool:
        return bool(np.isfinite(self.low).any())

    @property
    def has_tests(self) -> bool:
        return bool(np.isfinite(self.p).any())


class Inferences(QObject):
    """Works through what is asked, one task at a time, and keeps what it found.

    Signals:
        inferred: more is known now.
    """

    inferred = Signal()

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._known: dict[Task, Array] = {}
        self._tasks: list[tuple[Task, Numbers, Answer]] = []
        self._job: Job | None = None
        self._reading = 0

    def start_over(self) -> None:
        """Forget everything: the study was read again."""
        self._reading += 1
        self._known.clear()
        self._tasks.clear()
        self._stop()

    def ask(self, numbers: Numbers, answers: Sequence[Answer], method: Method) -> None:
        """Find intervals and tests of these columns, the first column's first; nothing else any more."""
        wanted = [
            ((answer.question, kind), numbers, answer)
            for answer in answers
            for kind in _kinds(method, answer.question.coefficient)
            if (answer.question, kind) not in self._known and not answer.refusal
        ]
        self._tasks = wanted
        self._stop()
        self._go_on()

    def pause(self) -> None:
        """Leave the processors to what was asked for; `ask` goes on."""
        self._tasks = []
        self._stop()

    def find(self, answer: Answer, method: Method) -> Inference | None:
        """What is known of a column, None = nothing yet."""
        nothing = np.full(len(answer.rows), np.nan)
        ends = self._known.get((answer.question, method.interval))
        test = method.test_for(answer.question.coefficient)
        p = self._known.get((answer.question, test)) if test is not None else None
        if ends is None and p is None:
            return None
        low, high = (nothing, nothing) if ends is None else (ends[0], ends[1])
        return Inference(low, high, nothing if p is None else adjusted(p, method.adjustment))

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def _go_on(self) -> None:
        if self._tasks and self._job is None:
            task, numbers, answer = self._tasks.pop(0)
            work = _of_task(self._reading, task, _finding(task, numbers, answer))
            what = "Drawing intervals" if isinstance(task[1], IntervalKind) else "Testing differences"
            self._job = self._jobs.start(what, work, Lane.DRAWING)
            self._job.finished.connect(self._take)
            self._job.ended.connect(self._end)

    @Slot(object)
    def _take(self, found: tuple[int, Task, Array]) -> None:
        reading, task, values = found
        if reading == self._reading:
            self._known[task] = values
            self.inferred.emit()

    @Slot(object)
    def _end(self, job: Job) -> None:
        if job is self._job:
            self._job = None
            self._go_on()


def testing_pairs(
    numbers: Numbers, answer: Answer, labels: Sequence[str], test: DifferenceTest
) -> Steps[Array]:
    """p of the difference between any two of some measures, signed: above 0 where the row is the better one.

    Shape (labels, labels), NaN on the diagonal. Not adjusted.
    """
    at = {ref.label: i for i, ref in enumerate(numbers.comparison.refs)}
    chosen = [at[label] for label in labels]
    rows, columns = np.triu_indices(len(chosen), 1)
    pairs = [(chosen[i], chosen[j]) for i, j in zip(rows, columns, strict=True)]
    p = yield from differences(_turned(numbers, answer.question), pairs, Chance(test=test))
    values = signs_of(numbers.comparison.refs, answer.question.coefficient)
    values = values * np.array([row.value for row in answer.rows])
    is_better = np.array([values[i] >= values[j] for i, j in pairs], dtype=bool)
    signed = np.full((len(chosen), len(chosen)), np.nan)
    signed[rows, columns] = np.where(is_better, p, -p)
    signed[columns, rows] = np.where(is_better, -p, p)
    return signed


def _kinds(method: Method, coefficient: Coefficient) -> list[Kind]:
    test = method.test_for(coefficient)
    kinds: list[Kind] = [] if method.interval is IntervalKind.NONE else [method.interval]
    return kinds if test is None else [*kinds, test]


def _finding(task: Task, numbers: Numbers, answer: Answer) -> Steps[Array]:
    """Low and high, shape (2, measures); or p against the best, shape (measures,)."""
    question, kind = task
    if isinstance(kind, IntervalKind):
        sample = sample_of(
            numbers.comparison, question.human, question.level, question.coefficient, question.undefined
        )
        return np.array((yield from intervals(sample, Chance(interval=kind))))
    best = best_of(answer, numbers.comparison)
    p = np.full(len(answer.rows), np.nan)
    others = [i for i in numbers.comparison.ranked(question.human) if i not in best]
    if best and others:
        pairs = [(best[0], i) for i in others]
        p[others] = yield from differences(_turned(numbers, question), pairs, Chance(test=kind))
    return p


def _turned(numbers: Numbers, question: Question) -> Sample:
    """The numbers, of measures of errors the negative, so that more is better everywhere."""
    sample = sample_of(
        numbers.comparison, question.human, question.level, question.coefficient, question.undefined
    )
    signs = signs_of(numbers.comparison.refs, question.coefficient)
    return replace(sample, x=sample.x * signs[:, None, None])


def _of_task(reading: int, task: Task, work: Steps[Array]) -> Steps[tuple[int, Task, Array]]:
    values = yield from work
    return reading, task, values


def _drawn() -> str:
    return f"{count_text(Chance().draws)} draws, seed {Chance().seed}"
