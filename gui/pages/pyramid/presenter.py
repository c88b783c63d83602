"""What the page of pyramids does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.domain import pyramid
from core.domain.pyramid import Edit, Scu, TopicAnnotation, new_id
from core.domain.study import Span
from core.errors import InputError
from core.ports import Study
from core.progress import JobSteps, Progress
from gui.annotation.guidelines import guidelines
from gui.annotation.scu_list_commands import offer_list
from gui.annotation.side_panel import SidePanelToggle
from gui.pages.pyramid.context_menus import offer_menus
from gui.pages.pyramid.findings import PyramidFindings
from gui.pages.pyramid.history import PyramidHistory
from gui.pages.pyramid.part_edits import PartEdits
from gui.pages.pyramid.reference_layout import ReferenceReading
from gui.pages.pyramid.regroup import RegroupController
from gui.pages.pyramid.remove import RemoveController
from gui.pages.pyramid.rows import PyramidLines, spans_by_text
from gui.pages.pyramid.suggestions import PyramidSuggestions
from gui.pages.pyramid.values import WordSelection
from gui.session.annotation_session import AnnotationSession, annotation_session
from gui.session.context import Context
from gui.session.topic_navigation import TopicNavigator
from gui.session.topic_values import DONE, IN_PROGRESS, NOT_STARTED

if TYPE_CHECKING:
    from gui.pages.pyramid.view import PyramidView

KEY = "pyramids"
_LONGEST_LABEL = 120

SELECT_WORDS = "Select some words in a reference first, with the mouse or with Shift and the arrows."
ALL_DONE = "The pyramids of all other topics are done."
CHOOSE_SCU = "Choose an SCU first: click it in the list, or press {list.next}."


def build(context: Context) -> tuple[PyramidView, PyramidPresenter]:
    """The page of pyramids."""
    from gui.pages.pyramid.view import PyramidView

    view = PyramidView()
    return view, PyramidPresenter(view, context)


def topic_states(study: Study, annotator_id: str) -> JobSteps[dict[str, str]]:
    """Return how far an annotator's pyramids are, by topic; a topic that nobody began is missing."""
    states = {}
    for place, annotation in enumerate(study.pyramids.annotations()):
        yield Progress(place, 0)
        own = annotation.pyramid
        if own.annotator_id == annotator_id:
            states[own.topic_id] = DONE if own.is_done else IN_PROGRESS if own.scus else NOT_STARTED
    return states


def next_undone(study: Study, topics: Sequence[str], annotator_id: str) -> JobSteps[str]:
    """Return the first of these topics whose pyramid is not marked done; empty = all are done."""
    for place, topic_id in enumerate(topics):
        yield Progress(place, len(topics))
        if not study.pyramids.annotation(topic_id, annotator_id).pyramid.is_done:
            return topic_id
    return ""


def heir_of(gone: Scu, scus: Sequence[Scu]) -> str:
    """Return the SCU that shares most words with one that is gone; empty = none shares any."""
    lost = spans_by_text(gone.contributors)

    def shared(scu: Scu) -> int:
        return sum(
            max(0, min(end, part.end) - max(start, part.start))
            for contributor in scu.contributors
            for part in contributor.parts
            for start, end in lost.get(contributor.reference_id, ())
        )

    best = max(scus, key=shared, default=None)
    return best.id if best is not None and shared(best) else ""


class PyramidPresenter(QObject):
    """Shows the annotator's pyramid of the selected topic, and edits it."""

    key = KEY

    def __init__(self, view: PyramidView, context: Context) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self._front: AnnotationSession = annotation_session(context)
        self._topics = TopicNavigator(context, KEY, view.place, self, self._topic_states)
        self._lines: PyramidLines | None = None
        self._states: dict[str, str] = {}
        self._hovered = ""
        self._is_editing = False
        self._last: Scu | None = None  # the selected SCU as it was shown last
        self._before = ""  # the SCU that was selected before it
        self._regrouping = RegroupController(self, view, context)
        RemoveController(self, view, context)
        PartEdits(self, view, context)
        self._trail = PyramidHistory(view, context, KEY)
        PyramidFindings(self, view, context, KEY)
        self._suggestions = PyramidSuggestions(view, context).suggesting
        self._connect()
        self._offer_commands()
        ReferenceReading(view.references, view.reference_bar, context, KEY)
        guidelines(view.guidelines, context)
        SidePanelToggle(view, view.side, context, KEY)

    @property
    def annotation(self) -> TopicAnnotation:
        """The pyramid on the page, with everybody's matches: the one in front, or what it was."""
        return self._trail.past or self._front.annotation

    def edit(self, change: Edit, verb: str) -> bool:
        """Make an edit if the page is in front; whether it changed something."""
        self._view.notice.say("")
        self._regrouping.cancel()
        self._is_editing = True
        try:
            return self._is_in_front() and self._front.edit(change, verb)
        finally:
            self._is_editing = False

    def selected_scu(self) -> str:
        """The selected SCU; where none is, that is said and the answer is empty."""
        scu_id = self._context.selection.scu_id
        if self._is_in_front() and any(scu.id == scu_id for scu in self.annotation.pyramid.scus):
            return scu_id
        self._context.show_message(CHOOSE_SCU)
        return ""

    def label_of(self, reference_id: str, spans: Sequence[Span]) -> str:
        """The label proposed for an SCU of these spans."""
        return self._lines.label_of(reference_id, spans)[:_LONGEST_LABEL] if self._lines else ""

    def content_of(self, reference_id: str) -> str:
        """The whole text of a reference of the topic."""
        return next(text.content for text in self._front.topic.references if text.id == reference_id)

    @Slot()
    def new_scu(self) -> None:
        """Make an SCU of the selected words, and open its label for editing."""
        words = self.selected_words()
        if words is None or self._lines is None:
            return
        scu_id, content = new_id(), self.content_of(words.text_id)
        label = self.label_of(words.text_id, words.spans)
        made = self.edit(
            lambda a: pyramid.add_scu(a, label, words.text_id, words.spans, scu_id, content), "new SCU"
        )
        if made:
            self._view.references.drop_selection()
            self._context.selection.select(scu_id=scu_id)
            self._view.edit_label(scu_id)

    @Slot()
    def add_contributor(self) -> None:
        """Add the selected words to the selected SCU."""
        scu_id, words = self.selected_scu(), self.selected_words()
        if scu_id and words is not None:
            content = self.content_of(words.text_id)
            added = self.edit(
                lambda a: pyramid.add_contributor(a, scu_id, words.text_id, words.spans, content),
                "add contributor",
            )
            if added:
                self._view.references.drop_selection()

    @Slot()
    def keep_part(self) -> None:
        """Keep the selected words, so that the next edit takes them with others."""
        if not self._view.references.keep_part():
            self._context.show_message(SELECT_WORDS)

    @Slot()
    def edit_label(self) -> None:
        """Edit the selected SCU's label where it stands."""
        if scu_id := self.selected_scu():
            self._view.edit_label(scu_id)

    @Slot()
    def edit_comment(self) -> None:
        """Comment on the selected SCU."""
        if self.selected_scu():
            self._view.edit_comment()

    @Slot()
    def mark_done(self) -> None:
        """Mark the pyramid as done, or open it again."""
        is_done = not self._front.annotation.pyramid.is_done
        verb = "mark pyramid done" if is_done else "reopen pyramid"
        self.edit(lambda a: pyramid.mark_pyramid_done(a, is_done), verb)

    @Slot()
    def mark_done_and_go_on(self) -> None:
        """Mark the pyramid as done, and go to the next topic that is not."""
        if not self._front.annotation.pyramid.is_done:
            self.mark_done()
        self.go_to_next_undone()

    @Slot()
    def go_to_next_undone(self) -> None:
        """Look for the next topic whose pyramid is not done, and select it."""
        order = [head.id for head in self._topics.heads]
        if self._front.topic_id in order:
            at = order.index(self._front.topic_id)
            following = (*order[at + 1 :], *order[:at])
            steps = next_undone(self._context.study, following, self._context.annotator.id)
            job = self._context.jobs.start("Looking for the next topic", steps)
            job.finished.connect(self._go_to)

    @Slot(object)
    def _go_to(self, topic_id: str) -> None:
        if topic_id:
            self._context.selection.select(topic_id=topic_id)
        else:
            self._context.show_message(ALL_DONE)

    def _connect(self) -> None:
        view, front = self._view, self._front
        view.shown.connect(self._refresh)
        view.worked.connect(front.time.touch)
        view.scu_chosen.connect(self._choose)
        view.scu_hovered.connect(self._hover)
        view.label_changed.connect(self._relabel)
        view.comment_changed.connect(self._comment)
        view.new_requested.connect(self.new_scu)
        view.done_requested.connect(self.mark_done)
        view.next_requested.connect(self.go_to_next_undone)
        view.import_requested.connect(self._context.commands.action("study.import").trigger)
        front.opened.connect(self._show_topic)
        front.changed.connect(self._show)
        self._trail.looked.connect(self._show)
        front.refused.connect(self._context.show_message)
        front.lost.connect(self._lost)
        self._topics.listed.connect(self._refresh)
        self._context.selection.topic_changed.connect(self._refresh)
        self._context.selection.scu_changed.connect(self._show_selected)

    def _offer_commands(self) -> None:
        tree = self._view.scus.tree
        for command, do in (
            ("pyramid.new_scu", self.new_scu),
            ("pyramid.add_contributor", self.add_contributor),
            ("pyramid.add_part", self.keep_part),
            ("pyramid.label", self.edit_label),
            ("pyramid.comment", self.edit_comment),
            ("pyramid.done", self.mark_done),
            ("pyramid.done_next", self.mark_done_and_go_on),
            ("list.next", lambda: self._suggestions.step_or(tree, +1)),
            ("list.previous", lambda: self._suggestions.step_or(tree, -1)),
            ("edit.find", self._view.scus.start_finding),
        ):
            self._context.commands.bind(command, do, KEY)
        offer_list(self._context.commands, self._view.scus, KEY, "pyramid.order")
        offer_menus(self._context.commands, self._view)

    @Slot()
    def _refresh(self) -> None:
        """Bring the selected topic to the front, if the page is."""
        if not self._view.isVisible():
            return
        self._topics.show_place()
        head = self._topics.current()
        if head is None:
            self._lines = None
            self._view.show_references(())
            return
        self._context.selection.select(topic_id=head.id)
        before = self._lines
        self._front.open(head.id)
        if self._lines is None or self._lines.topic is not self._front.topic:
            self._show_topic()
        elif self._lines is before:  # else the opened topic has been shown
            self._show()

    def _topic_states(self) -> dict[str, str]:
        """How far the annotator's pyramids are; looked up on a worker thread, then shown in the open list."""
        job = self._context.jobs.start(
            "Looking at the pyramids", topic_states(self._context.study, self._context.annotator.id)
        )
        job.finished.connect(self._take_states)
        return {head.id: self._states.get(head.id, NOT_STARTED) for head in self._topics.heads}

    @Slot(object)
    def _take_states(self, states: dict[str, str]) -> None:
        if states != self._states:
            self._states = states
            self._topics.refresh_list()

    @Slot()
    def _show_topic(self) -> None:
        if not self._is_in_front():
            return
        self._regrouping.cancel()
        self._lines = PyramidLines(self._front.topic)
        self._view.notice.say("")
        self._view.show_references(self._lines.texts())
        self._show()

    @Slot()
    def _show(self) -> None:
        if not self._is_in_front() or self._lines is None or self._lines.topic is not self._front.topic:
            return
        annotation = self.annotation
        self._keep_selection(annotation)
        marks = self._lines.marks(annotation)
        self._view.show_marks(marks, {key: self._lines.coverage(key, found) for key, found in marks.items()})
        self._view.show_scus(self._lines.lines(annotation), self._lines.letters)
        self._view.show_done(annotation.pyramid.is_done)
        self._view.show_edit_notice("")
        self.show_details()

    def _keep_selection(self, annotation: TopicAnnotation) -> None:
        """Where the selected SCU is gone by undo or by somebody else, select what has its words now."""
        scus, scu_id = annotation.pyramid.scus, self._context.selection.scu_id
        selected = next((scu for scu in scus if scu.id == scu_id), None)
        if selected is not None:
            if self._last is not None and self._last.id != scu_id:
                self._before = self._last.id
            self._last = selected
        elif self._last is not None and self._last.id == scu_id and not self._is_editing:
            heir = heir_of(self._last, scus) or next((s.id for s in scus if s.id == self._before), "")
            self._context.selection.select(scu_id=heir)

    @Slot()
    def _show_selected(self) -> None:
        if self._is_in_front() and not self._regrouping.is_asking:
            self.show_details(reveal=True)

    def show_details(self, *, reveal: bool = False) -> None:
        """Show the selected SCU everywhere; `reveal` scrolls to its words."""
        if self._lines is None:
            return
        self._keep_selection(self.annotation)
        scu_id = self._context.selection.scu_id
        try:
            details = self._lines.details(self.annotation, scu_id)
        except InputError:
            details = None  # it is of another pyramid, or somebody removed it
        self._view.show_selected(details, reveal=reveal)

    @Slot(str)
    def _choose(self, scu_id: str) -> None:
        if self._regrouping.is_asking:
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
            self._context.show_message("A label needs some words; the old one stays.")
            self.show_details()

    @Slot(str, str)
    def _comment(self, scu_id: str, comment: str) -> None:
        self.edit(lambda a: pyramid.set_comment(a, scu_id, comment), "comment")

    @Slot(str)
    def _lost(self, sentence: str) -> None:
        if self._is_in_front():
            self._view.notice.say(sentence)

    def _is_in_front(self) -> bool:
        """Whether the page is shown, with the annotator's own pyramid."""
        return (
            self._view.isVisible()
            and bool(self._front.topic_id)
            and self._front.owner_id == self._context.annotator.id
        )

    def selected_words(self) -> WordSelection | None:
        """The words selected in a reference; where none are, that is reported and the answer is None."""
        words = self._view.selection()
        if not words.spans:
            self._context.show_message(SELECT_WORDS)
            return None
        return words
