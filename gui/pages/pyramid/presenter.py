"""Presenter of the Pyramid page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from core.domain import pyramid
from core.domain.assignment import Work
from core.domain.pyramid import Edit, Scu, TopicAnnotation, UnitKind, new_id
from core.domain.pyramid.nugget_edits import add_occurrence
from core.domain.study import Span, TopicHeader, TopicTexts
from core.errors import InputError
from core.formatting import unit_terms
from core.ports import PyramidStore, annotations_of
from core.progress import JobSteps, Progress
from gui.annotation.guidelines import connect_guidelines
from gui.annotation.scus.scu_list_commands import bind_list_commands
from gui.annotation.side_panel import SidePanelToggle
from gui.commands.registry import Commands
from gui.pages.pyramid.findings import PyramidFindings
from gui.pages.pyramid.history import PyramidHistory
from gui.pages.pyramid.nugget_occurrences import NuggetOccurrences
from gui.pages.pyramid.part_edits import PartEdits
from gui.pages.pyramid.references.reference_layout import ReferenceLayoutController
from gui.pages.pyramid.regroup import RegroupController
from gui.pages.pyramid.remove import RemoveController
from gui.pages.pyramid.rows import PyramidRows, spans_by_text
from gui.pages.pyramid.sheet import SheetController
from gui.pages.pyramid.suggestions import PyramidSuggestions
from gui.pages.pyramid.values import WordSelection
from gui.session.annotation_session import AnnotationSession, annotation_session
from gui.session.context import Context
from gui.session.topic_navigation import TopicNavigator
from gui.style.language import in_terms_of, tr

if TYPE_CHECKING:
    from gui.pages.pyramid.view import PyramidView


KEY, NUGGETS = "pyramids", "nuggets"
KEYS = {UnitKind.SCU: KEY, UnitKind.NUGGET: NUGGETS}
"""Key of the page of each kind of content unit."""
_WORK = {UnitKind.SCU: Work.PYRAMIDS, UnitKind.NUGGET: Work.NUGGETS}
_MAX_LABEL_CHARS = 120

SELECT_TEXT = tr("Select text in a reference first, with the mouse or with Shift and the arrow keys.")
ALL_DONE = tr("The pyramids of all other topics are done.")
WORDS_KEPT = tr(
    "Words kept. {pyramid.new_scu} or {pyramid.add_contributor} uses them, with the next selection."
)
SELECT_SCU = tr("Select an SCU first: click it in the list, or press {list.next}.")


def build(context: Context) -> tuple[PyramidView, PyramidPresenter]:
    """Return the page of pyramids and its presenter."""
    return _build(context, UnitKind.SCU)


def build_nuggets(context: Context) -> tuple[PyramidView, PyramidPresenter]:
    """Return the page of nuggets and its presenter."""
    return _build(context, UnitKind.NUGGET)


def _build(context: Context, kind: UnitKind) -> tuple[PyramidView, PyramidPresenter]:
    from gui.pages.pyramid.view import PyramidView

    view = PyramidView(kind)
    return view, PyramidPresenter(view, context)


def next_undone(store: PyramidStore, topics: Sequence[TopicHeader], annotator_id: str) -> JobSteps[str]:
    """Return the first of these topics whose pyramid is not marked done; empty if all are."""
    for place, topic in enumerate(topics):
        yield Progress(place, len(topics))
        if not store.annotation(topic.id, annotator_id).pyramid.is_done:
            return topic.id
    return ""


def successor_of(removed: Scu, scus: Sequence[Scu]) -> str:
    """Return the id of the SCU that shares most text with a removed one; empty if none does."""
    removed_spans = spans_by_text(removed.contributors)

    def shared(scu: Scu) -> int:
        return sum(
            max(0, min(end, part.end) - max(start, part.start))
            for contributor in scu.contributors
            for part in contributor.parts
            for start, end in removed_spans.get(contributor.reference_id, ())
        )

    best = max(scus, key=shared, default=None)
    return best.id if best is not None and shared(best) else ""


class PyramidPresenter(QObject):
    """Displays and edits the annotator's pyramid, or nuggets, of the selected topic."""

    def __init__(self, view: PyramidView, context: Context) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self.kind, self.key = view.kind, KEYS[view.kind]
        self._store = annotations_of(context.study, self.kind)
        self._session: AnnotationSession = annotation_session(context, self.kind)
        self._topics = TopicNavigator(context, self.key, view.place, self, work=_WORK[self.kind])
        self._rows: PyramidRows | None = None
        self._hovered = ""
        self._is_editing = False
        self._last: Scu | None = None  # the selected SCU, as displayed last
        self._previous = ""  # the SCU selected before it
        self._regrouping = RegroupController(self, view, context)
        RemoveController(self, view, context)
        PartEdits(self, view, context)
        self._history = PyramidHistory(view, context, self.key)
        PyramidFindings(self, view, context, self.key)
        self.sheet = SheetController(self, view, context, self.key)
        self._suggestions = (
            PyramidSuggestions(view, context).suggesting if self.kind is UnitKind.SCU else None
        )
        self._occurrences = NuggetOccurrences(self, view, context) if self.kind is UnitKind.NUGGET else None
        self._connect()
        self._bind_commands()
        ReferenceLayoutController(view.references, view.reference_bar, context, self.key)
        connect_guidelines(view.guidelines, context)
        SidePanelToggle(view, view.side, context, self.key)

    @property
    def annotation(self) -> TopicAnnotation:
        """Return the displayed pyramid with all matches: the current one, or an earlier version."""
        return self._history.past or self._session.annotation

    @property
    def topic(self) -> TopicTexts | None:
        """The displayed topic, None = none."""
        return self._session.topic if self._session.topic_id else None

    def edit(self, change: Edit, verb: str) -> bool:
        """Make an edit if the page is active; return whether it changed something."""
        self._view.notice.show_message("")
        self._regrouping.cancel()
        self._is_editing = True
        try:
            return self._is_active() and self._session.edit(change, unit_terms.in_terms_of(self.kind, verb))
        finally:
            self._is_editing = False

    @Slot(str)
    def show_message(self, text: str) -> None:
        """Show a message about SCUs in the terms of the page's kind of content unit."""
        self._context.show_message(in_terms_of(self.kind, text))

    @Slot(str)
    def refuse(self, reason: str) -> None:
        """Refuse a command, for a reason in the same terms."""
        self._context.commands.refuse(in_terms_of(self.kind, reason))

    def selected_scu(self) -> str:
        """Return the id of the selected SCU; without one, show a message and return an empty string."""
        scu_id = self._context.selection.scu_id
        if self._is_active() and any(scu.id == scu_id for scu in self.annotation.pyramid.scus):
            return scu_id
        self.refuse(SELECT_SCU)
        return ""

    def label_of(self, reference_id: str, spans: Sequence[Span]) -> str:
        """Return the label proposed for an SCU of these spans."""
        return self._rows.label_of(reference_id, spans)[:_MAX_LABEL_CHARS] if self._rows else ""

    def content_of(self, reference_id: str) -> str:
        """Return the text of a reference of the topic."""
        return next(text.content for text in self._session.topic.references if text.id == reference_id)

    @Slot()
    def new_scu(self) -> None:
        """Create an SCU from the selected text, and open its label for editing."""
        selection = self.selected_words()
        if selection is None or self._rows is None:
            return
        scu_id, content = new_id(), self.content_of(selection.text_id)
        label = self.label_of(selection.text_id, selection.spans)
        created = self.edit(
            lambda a: pyramid.add_scu(a, label, selection.text_id, selection.spans, scu_id, content),
            "new SCU",
        )
        if created:
            self._view.references.drop_selection()
            self._context.selection.select(scu_id=scu_id)
            self._view.edit_label(scu_id)
            if self._occurrences is not None:
                self._occurrences.search([scu_id])

    @Slot()
    def add_contributor(self) -> None:
        """Add the selected text to the selected SCU."""
        scu_id, selection = self.selected_scu(), self.selected_words()
        if scu_id and selection is not None:
            content = self.content_of(selection.text_id)
            add = add_occurrence if self.kind is UnitKind.NUGGET else pyramid.add_contributor
            added = self.edit(
                lambda a: add(a, scu_id, selection.text_id, selection.spans, content),
                "add contributor",
            )
            if added:
                self._view.references.drop_selection()

    @Slot()
    def add_part(self) -> None:
        """Add the selected text to the selected SCU's contributor in its reference; without one, keep it.

        Kept words are used by the next edit in their reference.
        """
        selection, scu_id = self._view.selection(), self._context.selection.scu_id
        scu = next((one for one in self.annotation.pyramid.scus if one.id == scu_id), None)
        expressed = {one.reference_id for one in scu.contributors} if scu is not None else set()
        if selection.spans and selection.text_id in expressed and self.kind is UnitKind.SCU:
            self.add_contributor()
        elif not self._view.references.keep_words():
            self.refuse(SELECT_TEXT)
        else:
            self.show_message(WORDS_KEPT)

    @Slot()
    def edit_label(self) -> None:
        """Edit the label of the selected SCU in the list."""
        if scu_id := self.selected_scu():
            self._view.edit_label(scu_id)

    @Slot()
    def edit_comment(self) -> None:
        """Edit the comment of the selected SCU."""
        if self.selected_scu():
            self._view.edit_comment()

    @Slot()
    def mark_done(self) -> None:
        """Mark the pyramid as done, or reopen it."""
        is_done = not self._session.annotation.pyramid.is_done
        verb = "mark pyramid done" if is_done else "reopen pyramid"
        self.edit(lambda a: pyramid.mark_pyramid_done(a, is_done), verb)

    @Slot()
    def mark_done_and_next(self) -> None:
        """Mark the pyramid as done, and go to the next topic that is not done."""
        if not self._session.annotation.pyramid.is_done:
            self.mark_done()
        self.go_to_next_undone()

    @Slot()
    def go_to_next_undone(self) -> None:
        """Select the next topic whose pyramid is not done."""
        if self._session.topic_id:
            self._topics.go_to_next(
                self._session.topic_id,
                lambda topics: next_undone(self._store, topics, self._context.annotator.id),
                in_terms_of(self.kind, ALL_DONE),
            )

    def _connect(self) -> None:
        view, session = self._view, self._session
        view.shown.connect(self._refresh)
        view.worked.connect(session.time.touch)
        view.scu_chosen.connect(self._select)
        view.scu_hovered.connect(self._hover)
        view.label_changed.connect(self._relabel)
        view.details.comment.committed.connect(self._comment)
        view.new_button.clicked.connect(self.new_scu)
        view.done_requested.connect(self.mark_done)
        view.next_requested.connect(self.go_to_next_undone)
        view.lock_banner.remedy_button.clicked.connect(session.unlock)
        view.empty.primary.clicked.connect(self._context.commands.action("study.import").trigger)
        session.opened.connect(self._show_topic)
        session.changed.connect(self._show)
        self._history.version_changed.connect(self._show)
        session.refused.connect(self.refuse)
        session.save_failed.connect(self._show_conflict)
        self._topics.listed.connect(self._refresh)
        self._context.selection.topic_changed.connect(self._refresh)
        self._context.selection.scu_changed.connect(self._show_selected)

    def _bind_commands(self) -> None:
        for command, handler in (
            ("pyramid.new_scu", self.new_scu),
            ("pyramid.add_contributor", self.add_contributor),
            ("pyramid.add_part", self.add_part),
            ("pyramid.label", self.edit_label),
            ("pyramid.comment", self.edit_comment),
            ("pyramid.done", self.mark_done),
            ("pyramid.done_next", self.mark_done_and_next),
            ("list.next", partial(self._step_in_list, +1)),
            ("list.previous", partial(self._step_in_list, -1)),
            ("edit.find", self._view.scus.start_finding),
        ):
            self._context.commands.bind(command, handler, self.key)
        bind_list_commands(self._context.commands, self._view.scus, self.key, "pyramid.order")
        add_context_menus(self._context.commands, self._view)

    def _step_in_list(self, by: int) -> None:
        """Go to the next (+1) or previous (-1) row of the list, or of the suggestions in front."""
        if self._suggestions is not None:
            self._suggestions.step_or(self._view.scus.tree, by)
        else:
            self._view.scus.tree.step(by)

    @Slot()
    def _refresh(self) -> None:
        """Open the selected topic, if the page is visible."""
        if not self._view.isVisible():
            return
        self._topics.show_place()
        head = self._topics.current()
        if head is None:
            self._rows = None
            self._view.show_references(())
            return
        self._context.selection.select(topic_id=head.id)
        before = self._rows
        self._session.open(head.id)
        if self._rows is None or self._rows.topic is not self._session.topic:
            self._show_topic()
        elif self._rows is before:  # otherwise opening the topic has already updated the page
            self._show()

    @Slot()
    def _show_topic(self) -> None:
        if not self._is_active():
            return
        self._regrouping.cancel()
        self._rows = PyramidRows(self._session.topic)
        self._view.notice.show_message("")
        self._view.show_references(self._rows.texts())
        self._show()

    @Slot()
    def _show(self) -> None:
        if not self._is_active() or self._rows is None or self._rows.topic is not self._session.topic:
            return
        annotation = self.annotation
        self._keep_selection(annotation)
        marks = self._rows.marks(annotation)
        self._view.show_marks(marks, {key: self._rows.coverage(key, spans) for key, spans in marks.items()})
        self._view.show_scus(self._rows.rows(annotation), self._rows.letters)
        self._view.show_done(annotation.pyramid.is_done)
        self._view.show_lock(self._session.lock_reason, self._context.annotator.name)
        self._context.commands.lock(self.key, self._session.lock_reason)
        self._view.show_edit_notice("")
        self.show_details()

    def _keep_selection(self, annotation: TopicAnnotation) -> None:
        """Select the successor of the selected SCU if undo or another annotator removed it."""
        scus, scu_id = annotation.pyramid.scus, self._context.selection.scu_id
        selected = next((scu for scu in scus if scu.id == scu_id), None)
        if selected is not None:
            if self._last is not None and self._last.id != scu_id:
                self._previous = self._last.id
            self._last = selected
        elif self._last is not None and self._last.id == scu_id and not self._is_editing:
            successor = successor_of(self._last, scus) or next(
                (s.id for s in scus if s.id == self._previous), ""
            )
            self._context.selection.select(scu_id=successor)

    @Slot()
    def _show_selected(self) -> None:
        if self._is_active() and not self._regrouping.is_prompt_open:
            self.show_details(reveal=True)

    def show_details(self, *, reveal: bool = False) -> None:
        """Show the selected SCU everywhere. reveal: scroll to its text."""
        if self._rows is None:
            return
        self._keep_selection(self.annotation)
        scu_id = self._context.selection.scu_id
        try:
            details = self._rows.details(self.annotation, scu_id)
        except InputError:
            details = None  # it belongs to another pyramid, or was removed
        self._view.show_selected(details, reveal=reveal)

    @Slot(str)
    def _select(self, scu_id: str) -> None:
        if self._regrouping.is_prompt_open:
            self._view.show_hovered(scu_id)
        else:
            self._context.selection.select(scu_id=scu_id)

    @Slot(str)
    def _hover(self, scu_id: str) -> None:
        if scu_id != self._hovered:
            self._hovered = scu_id
            self._view.show_hovered(scu_id)

    @Slot(str, str)
    def _relabel(self, scu_id: str, label: str) -> None:
        if label.strip():
            self.edit(lambda a: pyramid.set_label(a, scu_id, label), "change label")
        else:
            self.show_message(tr("A label cannot be empty. The old label was not changed."))
            self.show_details()

    @Slot(str, str)
    def _comment(self, scu_id: str, comment: str) -> None:
        self.edit(lambda a: pyramid.set_comment(a, scu_id, comment), "comment")

    @Slot(str)
    def _show_conflict(self, sentence: str) -> None:
        if self._is_active():
            self._view.notice.show_message(sentence)

    def _is_active(self) -> bool:
        """Return whether the page is visible and displays the annotator's own pyramid."""
        return (
            self._view.isVisible()
            and bool(self._session.topic_id)
            and self._session.owner_id == self._context.annotator.id
        )

    def selected_words(self) -> WordSelection | None:
        """Return the spans selected in a reference; without any, show a message and return None."""
        selection = self._view.selection()
        if not selection.spans:
            self.refuse(SELECT_TEXT)
            return None
        return selection


_SEPARATOR = ""
SCU_COMMANDS = (
    "pyramid.label",
    "pyramid.comment",
    _SEPARATOR,
    "pyramid.add_contributor",
    "pyramid.merge",
    "pyramid.next_contributor",
    _SEPARATOR,
    "pyramid.remove",
)
CONTRIBUTOR_COMMANDS = (
    "pyramid.split",
    "pyramid.move",
    "pyramid.comment_contributor",
    _SEPARATOR,
    "pyramid.remove_part",
    "pyramid.remove",
)
TEXT_COMMANDS = (
    "pyramid.new_scu",
    "pyramid.add_contributor",
    "pyramid.add_part",
    _SEPARATOR,
    "part.replace",
    "pyramid.remove_part",
)


def add_context_menus(commands: Commands, view: PyramidView) -> None:
    """Give SCU rows, contributor cards and reference texts their context menus."""
    view.set_context_menus(
        _actions(commands, SCU_COMMANDS, view),
        _actions(commands, CONTRIBUTOR_COMMANDS, view),
        _actions(commands, TEXT_COMMANDS, view),
    )


def _actions(commands: Commands, names: Sequence[str], view: PyramidView) -> list[QAction]:
    return [commands.action(name) if name else _separator(view) for name in names]


def _separator(view: PyramidView) -> QAction:
    separator = QAction(view)
    separator.setSeparator(True)
    return separator
