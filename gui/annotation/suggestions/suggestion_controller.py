"""Controller of a page's suggestions, which are computed in background jobs.

They are off until requested, and locked in a blind study.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Slot

from core.domain.study import Span, Text
from core.errors import PyramidionError
from core.progress import JobSteps, Progress
from core.scoring.study_resources import StudyResources
from core.suggestions.encoding import EncodedTexts, TextEncoderCache
from core.suggestions.suggestion import DismissedSuggestions, Suggestion, suggestion_json
from gui.annotation.blind_mode import blind_mode_of
from gui.annotation.suggestions.suggestion_panel import SuggestionPanel
from gui.annotation.suggestions.suggestion_rows import (
    SuggestionGroup,
    SuggestionNote,
    SuggestionRow,
    SuggestionSection,
    suggestion_key,
)
from gui.background.jobs import Job, JobQueue
from gui.session.annotation_session import annotation_session
from gui.session.context import Context
from gui.style.language import tr

DISMISS = "dismiss suggestion"
WAIT_MS = 30
WAITING = tr("Waiting for scoring to finish")


@dataclass(frozen=True, slots=True)
class SuggestionQuery:
    """A request for suggestions.

    texts: the texts to encode first.
    answer: computes the suggestions, without Qt.
    """

    texts: tuple[Text, ...]
    answer: Callable[[EncodedTexts], tuple[SuggestionSection, ...]]


@dataclass(frozen=True, slots=True)
class _Answer:
    """Suggestions for one request; a later request makes them obsolete."""

    request_number: int
    sections: tuple[SuggestionSection, ...]


class Steppable(Protocol):
    """A list with a current item."""

    def step(self, by: int) -> None: ...


class SuggestionHost(Protocol):
    """Interface of a page to its suggestions."""

    off: SuggestionNote

    def is_in_front(self) -> bool:
        """Return whether there is something to suggest for."""
        ...

    def lock(self) -> SuggestionNote | None:
        """Return why suggestions are locked; None = they are not."""
        ...

    def query(self, dismissed: DismissedSuggestions) -> SuggestionQuery:
        """Return the current request."""
        ...

    def line(self, suggestion: Suggestion) -> SuggestionRow:
        """Return the row of a suggestion."""
        ...

    def words(self, suggestion: Suggestion) -> Sequence[str]:
        """Return the text of each of a suggestion's spans."""
        ...

    def accept(self, suggestion: Suggestion, details: str) -> bool:
        """Apply a suggestion. Return whether the annotation changed."""
        ...

    def show_proposed(self, spans: Mapping[str, Sequence[Span]]) -> None:
        """Highlight spans by text id."""
        ...


class SuggestionController(QObject):
    """Fills the suggestion panel of one page.

    Dismissed suggestions are stored in the topic's history and not shown again.
    """

    def __init__(self, panel: SuggestionPanel, context: Context, host: SuggestionHost) -> None:
        super().__init__(panel)
        self._panel, self._context, self._host = panel, context, host
        self._session, self._blind_mode = annotation_session(context), blind_mode_of(context)
        self._encoder = _encoder_cache(context)
        self._is_on = self._is_stopping = False
        self._sections: tuple[SuggestionSection, ...] = ()
        self._model = ""
        self.job: Job | None = None  # encoding job; None = no job
        self._request_number = 0
        self._dismissed: dict[str, list[str]] = {}
        self._refresh_timer = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._refresh_timer.timeout.connect(self._update)
        self._connect()

    @Slot()
    def ask(self) -> None:
        """Turn suggestions on and focus the list."""
        self._is_on = True
        self._update()
        self._panel.focus_default()

    @Slot()
    def stop(self) -> None:
        """Turn suggestions off."""
        self._is_on = False
        if self.job is not None:
            self._is_stopping = True
            self.job.cancel()
        self._update()

    @property
    def is_refresh_pending(self) -> bool:
        """Whether an update is scheduled."""
        return self._refresh_timer.isActive()

    @Slot()
    def refresh(self) -> None:
        """Schedule an update after a change of the annotation or selection."""
        if not self._refresh_timer.isActive():
            self._refresh_timer.start()

    def step_or(self, other: Steppable, by: int) -> None:
        """Move in the suggestion list if it has the focus, else in another list."""
        (self._panel.list if self._panel.list.hasFocus() else other).step(by)

    def _connect(self) -> None:
        panel = self._panel
        panel.became_visible.connect(self._update)
        panel.ask_button.clicked.connect(self.ask)
        panel.off_button.clicked.connect(self.stop)
        panel.cancel_button.clicked.connect(self.stop)
        panel.highlighted.connect(self._highlight)
        panel.list.accepted.connect(self._accept)
        panel.list.dismissed.connect(self._dismiss)
        selection = self._context.selection
        for signal in (self._session.opened, selection.topic_changed, selection.summary_changed):
            signal.connect(self._clear)
        for signal in (self._session.changed, self._blind_mode.changed, selection.scu_changed):
            signal.connect(self.refresh)
        panel.show_note(self._host.off)

    @Slot()
    def _clear(self) -> None:
        """Clear the list when another text is opened."""
        self._request_number += 1
        self._sections = ()
        self._panel.list.show_groups(())
        self.refresh()

    @Slot()
    def _update(self) -> None:
        """Update the panel."""
        self._request_number += 1
        if not self._panel.isVisible() or not self._host.is_in_front():
            return
        lock = self._host.lock()
        if lock is not None or not self._is_on:
            self._sections = ()
            self._panel.show_note(lock or self._host.off)
        elif self.job is None:
            self._request()

    def _request(self) -> None:
        query = self._host.query(DismissedSuggestions(self._dismissals()))
        encoded = self._encoder.known(query.texts)
        if encoded is None:
            self._encode(query.texts)
            return
        self._model = encoded.model
        work = _answer_steps(self._request_number, query, encoded)
        job = self._context.jobs.start(tr("Ranking suggestions"), work)
        job.finished.connect(self._show)
        job.failed.connect(self._fail)

    def _encode(self, texts: tuple[Text, ...]) -> None:
        """Encode new texts in the model queue, then update the panel."""
        if not self._sections:  # otherwise the list stays while a new label is encoded
            is_busy = self._context.jobs.current(JobQueue.SCORING) is not None
            self._panel.show_progress(
                Progress(0, 0), WAITING if is_busy else tr("Preparing to encode the texts")
            )
        self.job = self._context.jobs.start(
            tr("Encoding texts for suggestions"), self._encoder.reading(texts), JobQueue.SCORING
        )
        self.job.progressed.connect(self._progress)
        self.job.failed.connect(self._fail)
        self.job.cancelled.connect(self._cancelled)
        self.job.ended.connect(self._ended)

    @Slot(object)
    def _progress(self, progress: Progress) -> None:
        if not self._sections and self._is_on and self._can_suggest():
            self._panel.show_progress(progress)

    @Slot()
    def _cancelled(self) -> None:
        """Turn suggestions off if the job was cancelled in the status line.

        A cancel from here may already be followed by a new request.
        """
        if not self._is_stopping:
            self._is_on = False
        self._is_stopping = False

    @Slot(object)
    def _ended(self, job: Job) -> None:
        self.job = None
        if job.error is None:
            self._update()

    def _fail(self, error: Exception) -> None:
        """Show an error; bugs are reported by the window."""
        self._is_on = False
        sentence = str(error) if isinstance(error, PyramidionError) else tr("An unexpected error occurred.")
        self._panel.show_note(SuggestionNote("warning", tr("No suggestions"), sentence, tr("Try again")))

    @Slot(object)
    def _show(self, answer: _Answer) -> None:
        if answer.request_number == self._request_number and self._is_on and self._can_suggest():
            self._sections = answer.sections
            self._panel.show_groups(self._groups())

    def _groups(self) -> list[SuggestionGroup]:
        return [s.group([self._host.line(one) for one in s.suggestions]) for s in self._sections]

    @Slot(str)
    def _highlight(self, key: str) -> None:
        suggestion = self._find(key)[1]
        spans: dict[str, list[Span]] = {}
        for place in suggestion.places if suggestion is not None else ():
            spans.setdefault(place.text_id, []).append(place.span)
        self._host.show_proposed(spans)

    @Slot(str)
    def _accept(self, key: str) -> None:
        group, suggestion = self._find(key)
        if group is None or suggestion is None or not self._can_suggest():
            return
        details = self._details(group, suggestion)
        self._remove(suggestion)
        if not self._host.accept(suggestion, details):
            self.refresh()

    @Slot(str)
    def _dismiss(self, key: str) -> None:
        group, suggestion = self._find(key)
        if group is None or suggestion is None or not self._can_suggest():
            return
        details = self._details(group, suggestion)
        self._dismissals().append(details)
        self._session.record_event(DISMISS, details)
        self._remove(suggestion)
        self.refresh()

    def _can_suggest(self) -> bool:
        return self._host.is_in_front() and self._host.lock() is None

    def _remove(self, removed: Suggestion) -> None:
        """Remove a suggestion from the list at once, so that it can't be accepted twice."""
        self._sections = tuple(group.without(removed) for group in self._sections)
        self._panel.show_groups(self._groups())

    def _find(self, key: str) -> tuple[SuggestionSection | None, Suggestion | None]:
        pairs = ((group, one) for group in self._sections for one in group.suggestions)
        return next((pair for pair in pairs if suggestion_key(pair[1]) == key), (None, None))

    def _details(self, group: SuggestionSection, suggestion: Suggestion) -> str:
        rank = group.suggestions.index(suggestion) + 1
        words = self._host.words(suggestion)
        return suggestion_json(
            suggestion, rank=rank, of=len(group.suggestions), words=words, model=self._model
        )

    def _dismissals(self) -> list[str]:
        """Return the annotator's dismissed suggestions of the topic, including unsaved ones."""
        topic_id, annotator_id = self._session.topic_id, self._context.annotator.id
        if topic_id not in self._dismissed:
            self._dismissed[topic_id] = list(
                self._context.study.edits.events(topic_id, annotator_id, DISMISS)
            )
        return self._dismissed[topic_id]


class _SharedEncoder(QObject):
    """Encoder cache shared by all pages of a study."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.history)
        self.cache = TextEncoderCache(StudyResources(requested_device=context.settings.now.device))


def _encoder_cache(context: Context) -> TextEncoderCache:
    shared = context.history.findChild(_SharedEncoder) or _SharedEncoder(context)
    return shared.cache


def _answer_steps(request_number: int, query: SuggestionQuery, encoded: EncodedTexts) -> JobSteps[_Answer]:
    yield Progress(0, 0)
    return _Answer(request_number, query.answer(encoded))
