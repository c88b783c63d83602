"""The answers of the Compare page: each question is answered once, likely ones before they are asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QObject, Signal, Slot

from core.progress import Steps
from gui.jobs import Job, Jobs, Lane
from gui.presenters.compare_numbers import EVERYTHING, Answer, Numbers, Question, Scope, answering


class Answers(QObject):
    """Keeps what was computed from one reading of the study.

    Signals:
        answered: more is known now.
    """

    answered = Signal()

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._numbers: dict[Scope, Numbers] = {}
        self._known: dict[Question, Answer] = {}
        self._reading = 0
        self._job: Job | None = None
        self._ahead: Job | None = None
        self._next: list[Sequence[Question]] = []

    def start_over(self, numbers: Numbers) -> None:
        """Forget everything: the study was read again."""
        self._reading += 1
        self._numbers = {EVERYTHING: numbers}
        self._known.clear()
        self._next.clear()
        for job in (self._job, self._ahead):
            if job is not None:
                job.cancel()

    def numbers(self, scope: Scope) -> Numbers:
        """The numbers of a scope."""
        if scope not in self._numbers:
            self._numbers[scope] = self._numbers[EVERYTHING].within(scope)
        return self._numbers[scope]

    def find(self, question: Question) -> Answer | None:
        """What is known, None = not yet."""
        return self._known.get(question)

    def ask(self, questions: Sequence[Question]) -> None:
        """Answer these, all of one scope, before anything else."""
        unknown = [question for question in questions if question not in self._known]
        if self._job is not None:
            self._job.cancel()
        if not unknown:
            return
        work = answering(self.numbers(unknown[0].scope), unknown)
        self._job = self._start(work, "Comparing", Lane.COMPARING)
        self._job.ended.connect(self._end)

    def look_ahead(self, groups: Iterable[Sequence[Question]]) -> None:
        """Answer these while nobody asks, group by group, each of one scope."""
        self._next = list(groups)
        if self._ahead is None:
            self._go_ahead()

    def _go_ahead(self) -> None:
        while self._next and self._ahead is None:
            unknown = [question for question in self._next.pop(0) if question not in self._known]
            if unknown:
                work = answering(self.numbers(unknown[0].scope), unknown)
                self._ahead = self._start(work, "Comparing ahead", Lane.AHEAD)
                self._ahead.ended.connect(self._end)

    def _start(self, work: Steps[list[Answer]], title: str, lane: Lane) -> Job:
        job = self._jobs.start(title, _of_reading(self._reading, work), lane)
        job.finished.connect(self._take)
        return job

    @Slot(object)
    def _take(self, found: tuple[int, Sequence[Answer]]) -> None:
        reading, answers = found
        if reading == self._reading:
            self._known |= {answer.question: answer for answer in answers}
            self.answered.emit()

    @Slot(object)
    def _end(self, job: Job) -> None:
        if job is self._job:
            self._job = None
        if job is self._ahead:
            self._ahead = None
            self._go_ahead()


def _of_reading(reading: int, work: Steps[list[Answer]]) -> Steps[tuple[int, list[Answer]]]:
    """The answers with the number of the reading that they are from."""
    answers = yield from work
    return reading, answers
