"""Controller of a page's suggestions, which are computed in background jobs.

They are off until requested, and locked in a blind study.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Slot

from core.annotation.occurrences import Method
from core.domain.pyramid import UnitKind
from core.domain.study import Span, Text
from core.errors import PyramidionError
from core.progress import JobSteps, Progress
from core.scoring.study_resources import StudyResources
from core.suggestions.encoding import EncodedTexts, TextEncoderCache
from core.suggestions.stored import StoredProposal, stored_proposals, without_proposed
from core.suggestions.suggestion import (
    Details,
    DismissedSuggestions,
    Suggestion,
    details_json,
    suggestion_details,
)
from gui.annotation.study_modes import blind_mode_of
from gui.annotation.suggestions.suggestion_panel import SuggestionPanel
from gui.annotation.suggestions.suggestion_rows import (
    SuggestionNote,
    SuggestionRow,
    SuggestionSection,
    proposal_sections,
    suggestion_key,
)
from gui.background.jobs import Job, JobQueue
from gui.session.annotation_session import annotation_session
from gui.session.context import Context
from gui.style.language import tr

DISMISS = "dismiss suggestion"
WAIT_MS = 30
WAITING = tr("Waiting for scoring to finish")
NO_PROPOSALS = tr("No proposals are listed. Annotate › Propose annotations… makes some.")
ARE_OFF = tr("Suggestions are turned off. Turn them on with {suggest.ask}.")


@dataclass(frozen=True, slots=True)
class SuggestionQuery:
    """A request for suggestions.

    texts: the texts to encode first.
    answer: computes the suggestions, without Qt.
    undecided: returns what is left to decide of a machine annotator's proposal, without Qt.
    """

    texts: tuple[Text, ...]
    answer: Callable[[EncodedTexts], tuple[SuggestionSection, ...]]
    undecided: Callable[[StoredProposal], tuple[Suggestion, ...]]


@dataclass(frozen=True, slots=True)
class _Answer:
    """Suggestions for one request; a later request makes them obsolete.

    proposed: sections of stored proposals. similar: None = the texts are not encoded yet.
    """

    request_number: int
    proposed: tuple[SuggestionSection, ...]
    similar: tuple[SuggestionSection, ...] | None


class Steppable(Protocol):
    """A list with a current item."""

    def step(self, by: int) -> None: ...


class SuggestionHost(Protocol):
    """Interface of a page to its suggestions.

    off: shown while they are off. are_off: why a command on them does nothing then.
    """

    off: SuggestionNote
    are_off: str

    def is_in_front(self) -> bool:
        """Return whether there is something to suggest for."""
        ...

    def lock(self) -> SuggestionNote | None:
        """Return why suggestions are locked; None = they are not."""
        ...

    def query(self, dismissed: DismissedSuggestions) -> SuggestionQuery: ...

    def line(self, suggestion: Suggestion) -> SuggestionRow: ...

    def words(self, suggestion: Suggestion) -> Sequence[str]:
        """Return the text of each of a suggestion's spans."""
        ...

    def accept(self, suggestions: Sequence[Suggestion], details: str) -> bool:
        """Apply suggestions as one edit. Return whether the annotation changed."""
        ...

    def begin_change(self, suggestion: Suggestion) -> None:
        """Begin to edit what accepting a suggestion has added."""
        ...

    def show_proposed(self, spans: Mapping[str, Sequence[Span]]) -> None:
        """Highlight spans by text id."""
        ...


class SuggestionController(QObject):
    """Fills the suggestion panel of one page.

    Dismissed suggestions are stored in the topic's history and not shown again.
    """

    def __init__(
        self, panel: SuggestionPanel, context: Context, host: SuggestionHost, kind: UnitKind = UnitKind.SCU
    ) -> None:
        super().__init__(panel)
        self._panel, self._context, self._host = panel, context, host
        self._session, self._blind_mode = annotation_session(context, kind), blind_mode_of(context)
        self._encoder = _encoder_cache(context)
        self._is_on = self._is_stopping = False
        self._sections: tuple[SuggestionSection, ...] = ()
        self._model = self._failure = ""  # failure: why the texts cannot be encoded
        self.job: Job | None = None  # encoding job; None = no job
        self._request_number = 0
        self._dismissed: dict[str, list[str]] = {}
        self.refresh_timer = QTimer(self, singleShot=True, interval=WAIT_MS)
        self.refresh_timer.timeout.connect(self._update)
        panel.became_visible.connect(self._update)
        panel.ask_button.clicked.connect(self.ask)
        panel.off_button.clicked.connect(self.stop)
        panel.cancel_button.clicked.connect(self.stop)
        panel.highlighted.connect(self._highlight)
        panel.list.accepted.connect(lambda key: self._take(key))
        panel.list.changed.connect(self._change)
        panel.list.dismissed.connect(self._dismiss)
        panel.accept_all_button.clicked.connect(self.accept_all)
        panel.dismiss_all_button.clicked.connect(self.dismiss_all)
        self._context.history.moved.connect(self._forget_dismissals)
        selection = self._context.selection
        for signal in (self._session.opened, selection.topic_changed, selection.summary_changed):
            signal.connect(self._clear)
        for signal in (self._session.changed, self._blind_mode.changed, selection.scu_changed):
            signal.connect(self.refresh)
        panel.show_note(self._host.off)

    @Slot()
    def ask(self) -> None:
        """Turn suggestions on and focus the list."""
        self._is_on, self._failure = True, ""
        self._update()
        self._panel.focus_default()

    def bind_commands(self, page: str) -> None:
        """Bind the commands on whole proposals on a page."""
        commands = self._context.commands
        commands.bind("suggest.accept_all", self.accept_all, page)
        commands.bind("suggest.dismiss_all", self.dismiss_all, page)

    @Slot()
    def accept_all(self) -> None:
        """Accept all listed proposals of a machine annotator, as one edit."""
        if (proposed := self._proposed()) and self._can_suggest():
            details = details_json([self._details(*pair) for pair in proposed])
            suggestions = [suggestion for _, suggestion in proposed]
            self._remove(suggestions)
            if not self._host.accept(suggestions, details):
                self.refresh()
        else:
            self._refuse()

    @Slot()
    def dismiss_all(self) -> None:
        """Dismiss all listed proposals of a machine annotator."""
        if (proposed := self._proposed()) and self._can_suggest():
            self._dismiss_these(proposed)
        else:
            self._refuse()

    def _refuse(self) -> None:
        """Report why there is nothing to accept or dismiss."""
        lock = self._host.lock()
        self._context.commands.refuse(
            lock.sentence if lock is not None else NO_PROPOSALS if self._is_on else self._host.are_off
        )

    @Slot()
    def stop(self) -> None:
        self._is_on = False
        if self.job is not None:
            self._is_stopping = True
            self.job.cancel()
        self._update()

    @Slot()
    def refresh(self) -> None:
        """Schedule an update after a change of the annotation or selection."""
        if not self.refresh_timer.isActive():
            self.refresh_timer.start()

    def step_or(self, other: Steppable, by: int) -> None:
        """Move in the suggestion list if it has the focus, else in another list."""
        (self._panel.list if self._panel.list.hasFocus() else other).step(by)

    @Slot()
    def _clear(self) -> None:
        """Clear the list when another text is opened."""
        self._request_number += 1
        self._sections = ()
        self._panel.list.show_groups(())
        self.refresh()

    @Slot()
    def _update(self) -> None:
        self._request_number += 1
        if not self._panel.isVisible() or not self._host.is_in_front():
            return
        lock = self._host.lock()
        if lock is not None or not self._is_on:
            self._sections = ()
            self._panel.show_note(lock or self._host.off)
        else:
            self._request()

    def _request(self) -> None:
        query = self._host.query(DismissedSuggestions(self._dismissals()))
        encoded = self._encoder.known(query.texts)
        if encoded is not None:
            self._model = encoded.model
        elif self.job is None and not self._failure:
            self._encode(query.texts)
        session = self._session
        stored = partial(stored_proposals, self._context.study, session.topic_id, session.kind)
        work = _answer_steps(self._request_number, query, encoded, stored)
        job = self._context.jobs.start(tr("Ranking suggestions"), work)
        job.finished.connect(self._show)
        job.failed.connect(self._fail)

    def _encode(self, texts: tuple[Text, ...]) -> None:
        """Encode new texts in the model queue, then update the panel."""
        if not self._sections:  # otherwise the list stays while a new label is encoded
            is_busy = self._context.jobs.current(JobQueue.SCORING) is not None
            self._panel.show_progress(
                Progress(0, 0, WAITING if is_busy else tr("Preparing to encode the texts"))
            )
        self.job = self._context.jobs.start(
            tr("Encoding texts for suggestions"), self._encoder.reading(texts), JobQueue.SCORING
        )
        self.job.progressed.connect(self._progress)
        self.job.failed.connect(self._fail_to_encode)
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

    @Slot(object)
    def _fail_to_encode(self, error: Exception) -> None:
        """Show only what machine annotators proposed, which needs no encoder; without any, the error."""
        self._failure = _sentence(error)
        if self._is_on:
            self._update()

    @Slot(object)
    def _fail(self, error: Exception) -> None:
        """Show an error; bugs are reported by the window."""
        self._show_failure(_sentence(error))

    def _show_failure(self, sentence: str) -> None:
        self._is_on, self._sections = False, ()
        self._panel.show_note(SuggestionNote("warning", tr("No suggestions"), sentence, tr("Try again")))

    @Slot(object)
    def _show(self, answer: _Answer) -> None:
        if answer.request_number != self._request_number or not self._is_on or not self._can_suggest():
            return
        similar = answer.similar
        if similar is None and not answer.proposed:
            if self._failure:
                self._show_failure(self._failure)
            return
        if similar is None and self._failure:
            similar = (SuggestionSection(tr("No other suggestions"), "", self._failure),)
        self._sections = (*answer.proposed, *(similar or ()))
        self._show_sections()

    def _show_sections(self) -> None:
        groups = [s.listed([self._host.line(one) for one in s.suggestions]) for s in self._sections]
        self._panel.show_groups(groups, len(self._proposed()))

    def _proposed(self) -> list[tuple[SuggestionSection, Suggestion]]:
        """Return the listed proposals of one machine annotator: of the current one, else of the first."""
        every = [(section, one) for section in self._sections for one in section.suggestions if one.by]
        current = self._find(self._panel.list.current_key)[1]
        by = current.by if current is not None else ""
        by = by or next((one.by for _, one in every), "")
        return [(section, one) for section, one in every if one.by == by]

    @Slot(str)
    def _highlight(self, key: str) -> None:
        suggestion = self._find(key)[1]
        spans: dict[str, list[Span]] = {}
        for place in suggestion.places if suggestion is not None else ():
            spans.setdefault(place.text_id, []).append(place.span)
        self._host.show_proposed(spans)

    @Slot(str)
    def _change(self, key: str) -> None:
        if (suggestion := self._take(key)) is not None:
            self._host.begin_change(suggestion)

    def _take(self, key: str) -> Suggestion | None:
        """Accept a suggestion; return it if the annotation changed."""
        group, suggestion = self._find(key)
        if group is None or suggestion is None or not self._can_suggest():
            return None
        details = details_json([self._details(group, suggestion)])
        self._remove([suggestion])
        if self._host.accept([suggestion], details):
            return suggestion
        self.refresh()
        return None

    @Slot(str)
    def _dismiss(self, key: str) -> None:
        group, suggestion = self._find(key)
        if group is not None and suggestion is not None and self._can_suggest():
            self._dismiss_these([(group, suggestion)])

    def _dismiss_these(self, dismissed: Sequence[tuple[SuggestionSection, Suggestion]]) -> None:
        details = details_json([self._details(*pair) for pair in dismissed])
        if not self._session.record_decision(DISMISS, details):
            return
        self._dismissals().append(details)
        self._remove([suggestion for _, suggestion in dismissed])
        self.refresh()

    @Slot()
    def _forget_dismissals(self) -> None:
        """Read what is dismissed again, as undo may have changed it."""
        self._dismissed.clear()
        self.refresh()

    def _can_suggest(self) -> bool:
        return self._host.is_in_front() and self._host.lock() is None

    def _remove(self, removed: Sequence[Suggestion]) -> None:
        """Remove suggestions from the list at once, so that none can be accepted twice."""
        self._sections = tuple(group.without(removed) for group in self._sections)
        self._show_sections()

    def _find(self, key: str) -> tuple[SuggestionSection | None, Suggestion | None]:
        pairs = ((group, one) for group in self._sections for one in group.suggestions)
        return next((pair for pair in pairs if suggestion_key(pair[1]) == key), (None, None))

    def _details(self, group: SuggestionSection, suggestion: Suggestion) -> Details:
        rank = group.suggestions.index(suggestion) + 1
        words = self._host.words(suggestion)
        return suggestion_details(
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


def _answer_steps(
    request_number: int,
    query: SuggestionQuery,
    encoded: EncodedTexts | None,
    stored: Callable[[], Sequence[StoredProposal]],
) -> JobSteps[_Answer]:
    yield Progress(0, 0)
    proposals = [(one.by, query.undecided(one)) for one in stored()]
    proposed = proposal_sections(proposals)
    if encoded is None:
        return _Answer(request_number, proposed, None)
    every = [one for _, suggestions in proposals for one in suggestions]
    similar = tuple(
        replace(section, suggestions=without_proposed(section.suggestions, every))
        for section in query.answer(encoded)
    )
    return _Answer(request_number, proposed, similar)


def _sentence(error: Exception) -> str:
    return str(error) if isinstance(error, PyramidionError) else tr("An unexpected error occurred.")


NO_METHOD = tr("Choose at least one way to search in Annotate › Search for occurrences.")
_COMMANDS = {f"nugget.{method}": method for method in Method}


def chosen_methods(context: Context) -> list[Method]:
    chosen = context.settings.now.occurrence_methods.split(",")
    return [method for method in Method if method in chosen]


def bind_methods(context: Context, page: str) -> None:
    """Bind the commands that choose the ways to search on a page."""
    for command, method in _COMMANDS.items():
        context.commands.bind(command, partial(_toggle, context, method), page)
    _show(context)


def _toggle(context: Context, method: Method) -> None:
    chosen = {*chosen_methods(context)} ^ {method}
    context.settings.change(occurrence_methods=",".join(each for each in Method if each in chosen))
    _show(context)


def _show(context: Context) -> None:
    chosen = chosen_methods(context)
    for command, method in _COMMANDS.items():
        context.commands.set_checked(command if method in chosen else "", [command])
