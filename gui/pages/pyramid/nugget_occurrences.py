"""Occurrences of nuggets: search in all texts of the topic, confirmation, and importance."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.annotation.occurrences import FoundOccurrences, add_found, find_occurrences
from core.domain.pyramid import TopicAnnotation
from core.domain.pyramid.nugget_edits import OKAY, VITAL, confirm_occurrences, set_importance
from gui.annotation.suggestions.occurrence_methods import NO_METHOD, bind_methods, chosen_methods
from gui.background.jobs import Job, JobQueue
from gui.pages.pyramid.editor import Editor
from gui.session.annotation_session import annotation_session
from gui.session.context import Context
from gui.style.language import tr

if TYPE_CHECKING:
    from gui.pages.pyramid.view import PyramidView

NOTHING_FOUND = tr("No further occurrences were found.")
NOTHING_TO_CONFIRM = tr("Every occurrence in this topic is confirmed.")
_IMPORTANCE = {"nugget.vital": VITAL, "nugget.okay": OKAY, "nugget.unrated": ""}


class NuggetOccurrences(QObject):
    """Finds occurrences in the background and adds them as automatic; confirms them; rates nuggets."""

    def __init__(self, page: Editor, view: PyramidView, context: Context) -> None:
        super().__init__(view)
        self._page, self._view, self._context = page, view, context
        self._session = annotation_session(context, page.kind)
        self._jobs: dict[Job, tuple[str, str]] = {}
        self._is_asked = False
        self._bind_commands()
        view.details.importance.chosen.connect(self._rate)
        view.details.confirm_button.clicked.connect(self.confirm)

    @Slot()
    def find(self) -> None:
        """Search for the selected nugget."""
        if nugget_id := self._page.selected_scu():
            self._is_asked = True
            self.search([nugget_id])

    @Slot()
    def find_all(self) -> None:
        """Search for all nuggets of the topic."""
        self._is_asked = True
        self.search([nugget.id for nugget in self._page.annotation.pyramid.scus])

    def search(self, nugget_ids: Sequence[str]) -> None:
        """Search for nuggets in all references and summaries, and add what is found as automatic."""
        methods = chosen_methods(self._context)
        if not methods:
            self._page.show_message(NO_METHOD)
            return
        session = self._session
        steps = find_occurrences(session.topic, session.annotation, nugget_ids, methods)
        job = self._context.jobs.start(tr("Searching for occurrences"), steps, JobQueue.CHECKING)
        self._jobs[job] = session.topic_id, session.owner_id
        job.finished.connect(self._add)
        job.ended.connect(self._forget)

    @Slot()
    def confirm(self) -> None:
        """Confirm the focused occurrence, else all of the selected nugget, then go to the next one."""
        nugget_id = self._page.selected_scu()
        if not nugget_id:
            return
        waiting = self._waiting(nugget_id)
        card = self._view.details.cards.current[0]
        ids = [card] if card else waiting
        if not waiting:
            self.next_to_confirm()
        elif self._page.edit(lambda a: confirm_occurrences(a, nugget_id, ids), "confirm occurrences"):
            self._view.show_edit_notice(tr("Confirmed {ids}.", ids=tr("%n occurrences", "", len(ids))))
            if not self._waiting(nugget_id):
                self.next_to_confirm()

    @Slot()
    def next_to_confirm(self) -> None:
        """Select the next nugget, in the order of the list, with an occurrence to confirm."""
        order = self._view.scus.tree.scus.visible()
        chosen = self._context.selection.scu_id
        at = order.index(chosen) + 1 if chosen in order else 0
        for nugget_id in (*order[at:], *order[:at]):
            if self._waiting(nugget_id):
                self._context.selection.select(scu_id=nugget_id)
                return
        self._page.refuse(NOTHING_TO_CONFIRM)

    def _waiting(self, nugget_id: str) -> list[str]:
        nuggets = self._page.annotation.pyramid.scus
        nugget = next((nugget for nugget in nuggets if nugget.id == nugget_id), None)
        return [c.id for c in nugget.contributors if not c.is_confirmed] if nugget is not None else []

    @Slot(object)
    def _add(self, found: dict[str, FoundOccurrences]) -> None:
        job = self.sender()
        key = self._jobs.get(job) if isinstance(job, Job) else None
        was_asked, self._is_asked = self._is_asked, False
        if key != (self._session.topic_id, self._session.owner_id):
            return
        annotator_id = self._context.annotator.id
        before = self._session.annotation
        added = self._session.edit(lambda a: add_found(a, found, annotator_id), "find occurrences")
        if added:
            self._view.show_edit_notice(_found_text(before, self._session.annotation))
        elif was_asked:
            self._page.show_message(NOTHING_FOUND)

    @Slot(object)
    def _forget(self, job: Job) -> None:
        self._jobs.pop(job, None)

    @Slot(str)
    def _rate(self, importance: str) -> None:
        if nugget_id := self._page.selected_scu():
            self._page.edit(lambda a: set_importance(a, nugget_id, importance), "rate importance")

    def _bind_commands(self) -> None:
        commands, page = self._context.commands, self._page.key
        for command, handler in (
            ("nugget.find", self.find),
            ("nugget.find_all", self.find_all),
            ("nugget.confirm", self.confirm),
            ("nugget.next_to_confirm", self.next_to_confirm),
        ):
            commands.bind(command, handler, page)
        for command, importance in _IMPORTANCE.items():
            commands.bind(command, partial(self._rate, importance), page)
        bind_methods(self._context, page)


def _found_text(before: TopicAnnotation, after: TopicAnnotation) -> str:
    """Describe what a search added."""
    occurrences = _automatic(after) - _automatic(before)
    hits = len(after.matches) - len(before.matches)
    return tr(
        "Found {occurrences} and {hits} to confirm.",
        occurrences=tr("%n occurrences", "", occurrences),
        hits=tr("%n hits", "", hits),
    )


def _automatic(annotation: TopicAnnotation) -> int:
    return sum(not c.is_confirmed for nugget in annotation.pyramid.scus for c in nugget.contributors)
