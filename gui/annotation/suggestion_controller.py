"""Suggesting beside a page: off until asked for, locked in a blind study, computed off the GUI thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Slot

from core.domain.study import Span, Text
from core.errors import PyramidionError
from core.progress import JobSteps, Progress
from core.scoring.engine_tools import StudyResources
from core.suggestions.encoding import EncodedTexts, TextEncoderCache
from core.suggestions.suggestion import DismissedSuggestions, Suggestion, suggestion_json
from gui.annotation.blind_mode import blind_mode_of
from gui.annotation.suggestion_panel import SuggestionPanel
from gui.annotation.suggestion_rows import SuggestionSection, suggestion_key
from gui.annotation.suggestion_values import SuggestionGroup, SuggestionNote, SuggestionRow
from gui.background.jobs import Job, JobQueue
from gui.session.annotation_session import annotation_session
from gui.session.context import Context

DISMISS = "dismiss suggestion"
WAIT_MS = 30
WAITING = "Suggestions come when the scoring under way has ended"


@dataclass(frozen=True, slots=True)
class SuggestionQuery:
    """What a page wants suggestions for. texts: what must be read first. answer: finds them, without Qt."""

    texts: tuple[Text, ...]
    answer: Callable[[EncodedTexts], tuple[SuggestionSection, ...]]


@dataclass(frozen=True, slots=True)
class _Answer:
    """What was found, and for which asking: a later one makes it void."""

    asked: int
    found: tuple[SuggestionSection, ...]


class Steppable(Protocol):
    """A list to move through."""

    def step(self, by: int) -> None: ...


class SuggestionHost(Protocol):
    """A page as suggesting sees it."""

    off: SuggestionNote

    def is_in_front(self) -> bool:
        """Whether there is something to suggest for."""
        ...

    def lock(self) -> SuggestionNote | None:
        """Why suggestions are locked now, None = they are not."""
        ...

    def question(self, dismissed: DismissedSuggestions) -> SuggestionQuery:
        """What to find now."""
        ...

    def line(self, suggestion: Suggestion) -> SuggestionRow:
        """A suggestion as it reads."""
        ...

    def words(self, suggestion: Suggestion) -> Sequence[str]:
        """The words of a suggestion's places."""
        ...

    def take(self, suggestion: Suggestion, details: str) -> bool:
        """Do what is suggested; whether something changed."""
        ...

    def show_proposed(self, spans: Mapping[str, Sequence[Span]]) -> None:
        """Light up words by their text's id."""
        ...


class SuggestionController(QObject):
    """Fills one page's panel of suggestions.

    What was dismissed is kept in the history of the topic, and does not come back.
    """

    def __init__(self, panel: SuggestionPanel, context: Context, subject: SuggestionHost) -> None:
        super().__init__(panel)
        self._panel, self._context, self._subject = panel, context, subject
        self._front, self._blindness = annotation_session(context), blind_mode_of(context)
        self._reader = _reader_of(context)
        self._is_on = self._is_stopping = False
        self._found: tuple[SuggestionSection, ...] = ()
        self._model = ""
        self._job: Job | None = None
        self._asked = 0
        self._dismissed: dict[str, list[str]] = {}
        self._soon = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._soon.timeout.connect(self._look)
        self._connect()

    @Slot()
    def ask(self) -> None:
        """Suggest from now on, and put the keyboard into the list."""
        self._is_on = True
        self._look()
        self._panel.focus_default()

    @Slot()
    def stop(self) -> None:
        """Suggest nothing until asked again."""
        self._is_on = False
        if self._job is not None:
            self._is_stopping = True
            self._job.cancel()
        self._look()

    @Slot()
    def refresh(self) -> None:
        """Look again in a moment: what is suggested for has changed."""
        if not self._soon.isActive():
            self._soon.start()

    def step_or(self, other: Steppable, by: int) -> None:
        """Move in the list if it has the keyboard, else in another one."""
        (self._panel.list if self._panel.list.hasFocus() else other).step(by)

    def _connect(self) -> None:
        panel = self._panel
        panel.came_in_sight.connect(self._look)
        panel.asked.connect(self.ask)
        panel.stopped.connect(self.stop)
        panel.cancelled.connect(self.stop)
        panel.lit.connect(self._light)
        panel.taken.connect(self._take)
        panel.dismissed.connect(self._dismiss)
        selection = self._context.selection
        for text in (self._front.opened, selection.topic_changed, selection.summary_changed):
            text.connect(self._forget)
        for sign in (self._front.changed, self._blindness.changed, selection.scu_changed):
            sign.connect(self.refresh)
        panel.show_note(self._subject.off)

    @Slot()
    def _forget(self) -> None:
        """Another text is in front: nothing that is listed is of it."""
        self._asked += 1
        self._found = ()
        self._panel.list.show_groups(())
        self.refresh()

    @Slot()
    def _look(self) -> None:
        """Bring the panel to where things stand."""
        self._asked += 1
        if not self._panel.isVisible() or not self._subject.is_in_front():
            return
        lock = self._subject.lock()
        if lock is not None or not self._is_on:
            self._found = ()
            self._panel.show_note(lock or self._subject.off)
        elif self._job is None:
            self._find()

    def _find(self) -> None:
        question = self._subject.question(DismissedSuggestions(self._dismissals()))
        readings = self._reader.known(question.texts)
        if readings is None:
            self._read(question.texts)
            return
        self._model = readings.model
        work = _answering(self._asked, question, readings)
        job = self._context.jobs.start("Ranking suggestions", work)
        job.finished.connect(self._show)
        job.failed.connect(self._fail)

    def _read(self, texts: tuple[Text, ...]) -> None:
        """Read what is not read yet, where models run; then look again."""
        if not self._found:  # else what is listed stays while a new label is read
            is_busy = self._context.jobs.current(JobQueue.SCORING) is not None
            self._panel.show_progress(Progress(0, 0), WAITING if is_busy else "Preparing to read the texts")
        self._job = self._context.jobs.start(
            "Reading for suggestions", self._reader.reading(texts), JobQueue.SCORING
        )
        self._job.progressed.connect(self._progress)
        self._job.failed.connect(self._fail)
        self._job.cancelled.connect(self._cancelled)
        self._job.ended.connect(self._ended)

    @Slot(object)
    def _progress(self, progress: Progress) -> None:
        if not self._found and self._is_on and self._may_act():
            self._panel.show_progress(progress)

    @Slot()
    def _cancelled(self) -> None:
        """Cancelled elsewhere, as in the status line, suggesting is off; if here, it may be wanted again."""
        if not self._is_stopping:
            self._is_on = False
        self._is_stopping = False

    @Slot(object)
    def _ended(self, job: Job) -> None:
        self._job = None
        if job.error is None:
            self._look()

    def _fail(self, error: Exception) -> None:
        """Say what is missing; a bug is told by the window."""
        self._is_on = False
        sentence = str(error) if isinstance(error, PyramidionError) else "Something went wrong."
        self._panel.show_note(SuggestionNote("warning", "No suggestions", sentence, "Try again"))

    @Slot(object)
    def _show(self, answer: _Answer) -> None:
        if answer.asked == self._asked and self._is_on and self._may_act():
            self._found = answer.found
            self._panel.show_groups(self._groups())

    def _groups(self) -> list[SuggestionGroup]:
        return [s.group([self._subject.line(one) for one in s.suggestions]) for s in self._found]

    @Slot(str)
    def _light(self, key: str) -> None:
        suggestion = self._of(key)[1]
        spans: dict[str, list[Span]] = {}
        for place in suggestion.places if suggestion is not None else ():
            spans.setdefault(place.text_id, []).append(place.span)
        self._subject.show_proposed(spans)

    @Slot(str)
    def _take(self, key: str) -> None:
        group, suggestion = self._of(key)
        if group is None or suggestion is None or not self._may_act():
            return
        details = self._details(group, suggestion)
        self._drop(suggestion)
        if not self._subject.take(suggestion, details):
            self.refresh()

    @Slot(str)
    def _dismiss(self, key: str) -> None:
        group, suggestion = self._of(key)
        if group is None or suggestion is None or not self._may_act():
            return
        details = self._details(group, suggestion)
        self._dismissals().append(details)
        self._front.record_event(DISMISS, details)
        self._drop(suggestion)
        self.refresh()

    def _may_act(self) -> bool:
        return self._subject.is_in_front() and self._subject.lock() is None

    def _drop(self, gone: Suggestion) -> None:
        """Take a suggestion off the list at once, so that nobody takes it twice."""
        self._found = tuple(group.without(gone) for group in self._found)
        self._panel.show_groups(self._groups())

    def _of(self, key: str) -> tuple[SuggestionSection | None, Suggestion | None]:
        pairs = ((group, one) for group in self._found for one in group.suggestions)
        return next((pair for pair in pairs if suggestion_key(pair[1]) == key), (None, None))

    def _details(self, group: SuggestionSection, suggestion: Suggestion) -> str:
        rank = group.suggestions.index(suggestion) + 1
        words = self._subject.words(suggestion)
        return suggestion_json(
            suggestion, rank=rank, of=len(group.suggestions), words=words, model=self._model
        )

    def _dismissals(self) -> list[str]:
        """What the annotator dismissed on the topic, with what is on its way to the disk."""
        topic_id, annotator_id = self._front.topic_id, self._context.annotator.id
        if topic_id not in self._dismissed:
            self._dismissed[topic_id] = list(
                self._context.study.edits.events(topic_id, annotator_id, DISMISS)
            )
        return self._dismissed[topic_id]


class _SharedReader(QObject):
    """One reader for all pages of a study: what one page has read the other one has."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.history)
        self.reader = TextEncoderCache(StudyResources(wanted_device=context.settings.now.device))


def _reader_of(context: Context) -> TextEncoderCache:
    shared = context.history.findChild(_SharedReader) or _SharedReader(context)
    return shared.reader


def _answering(asked: int, question: SuggestionQuery, readings: EncodedTexts) -> JobSteps[_Answer]:
    yield Progress(0, 0)
    return _Answer(asked, question.answer(readings))
