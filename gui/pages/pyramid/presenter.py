"""Presenter of the Pyramid page, with searches for nuggets, and saving and printing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from core.annotation.occurrences import FoundOccurrences, add_found, find_occurrences
from core.domain import pyramid
from core.domain.assignment import Work
from core.domain.pyramid import Scu, TopicAnnotation, UnitKind
from core.domain.pyramid.nugget_edits import OKAY, VITAL, confirm_occurrences, set_importance
from core.domain.study import TopicTexts
from core.errors import InputError
from core.files.atomic_write import atomic_write_bytes, check_writable
from core.files.file_names import file_name
from core.ports import annotations_of
from core.progress import JobSteps, Progress
from core.report.model import Report
from gui.annotation.guidelines_pane import SidePanelToggle, connect_guidelines
from gui.annotation.scus.scu_list import bind_list_commands
from gui.annotation.suggestions.suggestion_controller import NO_METHOD, bind_methods, chosen_methods
from gui.background.jobs import Job, JobQueue
from gui.pages.pyramid.edits import SELECT_TEXT, Editor, RegroupController
from gui.pages.pyramid.references import ReferenceLayoutController
from gui.pages.pyramid.rows import PyramidRows, spans_by_text
from gui.pages.pyramid.side_list_controllers import PyramidFindings, PyramidHistory
from gui.pages.pyramid.suggestions import NuggetProposals, PyramidSuggestions
from gui.pages.pyramid.view import PyramidSide, PyramidView
from gui.results.table_and_figure_files import AskPath
from gui.session.annotation_session import annotation_session
from gui.session.context import Context, PageParts
from gui.session.topic_navigation import TopicNavigator
from gui.style.language import in_terms_of, tr
from gui.widgets.file_dialogs import ask_where_to_save
from gui.widgets.printing import Print, print_on_paper, printed_text

_WORK = {UnitKind.SCU: Work.PYRAMIDS, UnitKind.NUGGET: Work.NUGGETS}

ALL_DONE = tr("The pyramids of all other topics are done.")
WORDS_KEPT = tr(
    "Words kept. {pyramid.new_scu} or {pyramid.add_contributor} uses them, with the next selection."
)


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


class PyramidPresenter(Editor):
    """Displays and edits the annotator's pyramid, or nuggets, of the selected topic."""

    def __init__(self, view: PyramidView, context: Context) -> None:
        super().__init__(view, context)
        self._store = annotations_of(context.study, self.kind)
        self._topics = TopicNavigator(context, self.key, view.place, self, work=_WORK[self.kind])
        self._hovered = ""
        self._last: Scu | None = None  # the selected SCU, as displayed last
        self._previous = ""  # the SCU selected before it
        self._regrouping = RegroupController(self, view, context)
        self._history = PyramidHistory(view, context, self.key)
        PyramidFindings(self, view, context, self.key)
        self.sheet = SheetController(self, view, context, self.key)
        host = PyramidSuggestions if self.kind is UnitKind.SCU else NuggetProposals
        self._suggestions = host(view, context).suggesting
        self._occurrences = NuggetOccurrences(self, view, context) if self.kind is UnitKind.NUGGET else None
        self._connect()
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
            ("edit.find", self._view.scus.field.focus_default),
        ):
            self._context.commands.bind(command, handler, self.key)
        bind_list_commands(self._context.commands, self._view.scus, self.key, "pyramid.order")
        add_menu = context.commands.add_menu
        add_menu(view.scus.tree, SCU_COMMANDS)
        add_menu(view.details.cards, CONTRIBUTOR_COMMANDS)
        view.references.text_added.connect(lambda text: add_menu(text, TEXT_COMMANDS))
        ReferenceLayoutController(view.references, view.reference_bar, context, self.key)
        connect_guidelines(view.guidelines, context)
        SidePanelToggle(view, view.side, context, self.key)
        most = max((topic.references for topic in self._topics.topics), default=0)
        view.later += (
            *(partial(view.references.reserve, number + 1) for number in range(most)),
            self._read_ahead,
            self._show_texts_ahead,
            self._show_scus_ahead,
        )

    @property
    def annotation(self) -> TopicAnnotation:
        """Return the displayed pyramid with all matches: the current one, or an earlier version."""
        return self._history.past or super().annotation

    @property
    def topic(self) -> TopicTexts | None:
        """The displayed topic, None = none."""
        return self._session.topic if self._session.topic_id else None

    def add_part(self) -> None:
        """Add the selected text to the selected SCU's contributor in its reference; without one, keep it.

        Kept words are used by the next edit in their reference.
        """
        selection, scu_id = self._view.references.selection(), self._context.selection.scu_id
        scu = next((one for one in self.annotation.pyramid.scus if one.id == scu_id), None)
        expressed = {one.reference_id for one in scu.contributors} if scu is not None else set()
        if selection.spans and selection.text_id in expressed and self.kind is UnitKind.SCU:
            self.add_contributor()
        elif not self._view.references.keep_words():
            self.refuse(SELECT_TEXT)
        else:
            self.show_message(WORDS_KEPT)

    def edit_label(self) -> None:
        """Edit the label of the selected SCU in the list."""
        if scu_id := self.selected_scu():
            self._view.edit_label(scu_id)

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

    def mark_done_and_next(self) -> None:
        """Mark the pyramid as done, and go to the next topic that is not done."""
        if not self._session.annotation.pyramid.is_done:
            self.mark_done()
        self.go_to_next_undone()

    @Slot()
    def go_to_next_undone(self) -> None:
        """Select the next topic whose pyramid is not done."""
        store, me = self._store, self._context.annotator.id
        if self._session.topic_id:
            self._topics.go_to_next(
                self._session.topic_id,
                lambda topic: not store.annotation(topic.id, me).pyramid.is_done,
                in_terms_of(self.kind, ALL_DONE),
            )

    def _connect(self) -> None:
        view, session = self._view, self._session
        view.shown.connect(self._refresh)
        view.worked.connect(session.time.touch)
        view.scu_chosen.connect(self._select)
        view.scu_hovered.connect(self._hover)
        view.scus.tree.scus.label_typed.connect(self._relabel)
        view.details.label_field.committed.connect(self._relabel)
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

    def _step_in_list(self, by: int) -> None:
        """Go to the next (+1) or previous (-1) row of the list, or of the suggestions in front."""
        self._suggestions.step_or(self._view.scus.tree, by)

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

    def _read_ahead(self) -> None:
        if not self._session.topic_id and (head := self._topics.current()) is not None:
            self._session.open(head.id)

    def _show_texts_ahead(self) -> None:
        if self._session.topic_id and self._session.owner_id == self._context.annotator.id:
            self._show_texts()

    def _show_scus_ahead(self) -> None:
        if self._rows is not None:
            self._show_scus(self._rows, self._session.annotation)

    @Slot()
    def _show_topic(self) -> None:
        if self.is_active():
            self._regrouping.cancel()
            self._show_texts()
            self._show()

    def _show_texts(self) -> None:
        self._rows = PyramidRows(self._session.topic)
        self._view.notice.show_message("")
        self._view.show_references(self._session.topic.references, self._rows.letters)

    @Slot()
    def _show(self) -> None:
        if not self.is_active() or self._rows is None or self._rows.topic is not self._session.topic:
            return
        annotation = self.annotation
        self._keep_selection(annotation)
        self._show_scus(self._rows, annotation)
        self._view.show_done(annotation.pyramid.is_done)
        self._view.show_lock(self._session.lock_reason, self._context.annotator.name)
        self._context.commands.lock(self.key, self._session.lock_reason)
        self._view.show_edit_notice("")
        self.show_details()

    def _show_scus(self, rows: PyramidRows, annotation: TopicAnnotation) -> None:
        marks = rows.marks(annotation)
        self._view.show_marks(marks, {key: rows.coverage(key, spans) for key, spans in marks.items()})
        self._view.show_scus(rows.rows(annotation), rows.letters)

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
        if self.is_active() and not self._regrouping.is_prompt_open:
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
        if self.is_active():
            self._view.notice.show_message(sentence)


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


def _parts(kind: UnitKind) -> PageParts[PyramidView, PyramidPresenter]:
    return PageParts(partial(PyramidView, kind=kind), PyramidPresenter, (partial(PyramidSide, kind),))


build, build_nuggets = _parts(UnitKind.SCU), _parts(UnitKind.NUGGET)


class SheetController(QObject):
    """Save the displayed pyramid as a web page, PDF or picture, or print it.

    ask_path: asks where to write; None = cancelled.
    print_pages: asks for a printer and prints pages; returns how many were printed.
    """

    def __init__(self, page: PyramidPresenter, view: PyramidView, context: Context, key: str) -> None:
        super().__init__(view)
        self._page, self._view, self._context = page, view, context
        self.ask_path: AskPath = partial(ask_where_to_save, view)
        self.print_pages: Print = partial(print_on_paper, view)
        context.commands.bind("pyramid.save_sheet", self.save, key)
        context.commands.bind("study.print", self.print_sheet, key)

    @Slot()
    def save(self) -> None:
        """Ask for a file and write the displayed pyramid there."""
        from core.report.pyramid_sheet import SUFFIXES

        topic = self._page.topic
        if topic is None:
            self._context.show_message(tr("Choose a topic first."))
            return
        name = in_terms_of(self._view.kind, tr("pyramid"))
        kinds = [(title, suffix) for suffix, title in SUFFIXES.items()]
        path = self.ask_path(tr("Save {name}", name=name), file_name(f"{topic.name}-{name}", ".html"), kinds)
        if path is None:
            return
        work = _write(self._page.annotation, topic, self._annotator(), path)
        job = self._context.jobs.start(tr("Saving {name}", name=path.name), work, JobQueue.FILES)
        job.finished.connect(lambda: self._context.show_message(tr("{name} saved.", name=path.name)))

    def print_sheet(self) -> None:
        """Make the pages of the displayed pyramid, ask for a printer and print them."""
        topic = self._page.topic
        if topic is None:
            self._context.show_message(tr("Choose a topic first."))
            return
        work = _pages(self._page.annotation, topic, self._annotator())
        job = self._context.jobs.start(tr("Making the pages"), work, JobQueue.FILES)
        job.finished.connect(self._send)

    @Slot(object)
    def _send(self, made: tuple[str, list[bytes]]) -> None:
        title, pages = made
        self._context.show_message(printed_text(self.print_pages(title, pages)))

    def _annotator(self) -> str:
        owner = self._page.annotation.pyramid.annotator_id
        return next((one.name for one in self._context.study.annotators.all() if one.id == owner), "nobody")


def _sheet(annotation: TopicAnnotation, topic: TopicTexts, annotator: str) -> Report:
    from core.report.pyramid_sheet import pyramid_sheet

    return pyramid_sheet(annotation.pyramid, topic, annotator)


def _write(annotation: TopicAnnotation, topic: TopicTexts, annotator: str, path: Path) -> JobSteps[Path]:
    from core.report.pyramid_sheet import sheet_bytes

    check_writable(path)
    yield Progress(0, 0, tr("writing {name}", name=path.name))
    atomic_write_bytes(path, sheet_bytes(_sheet(annotation, topic, annotator), path.suffix.lower()))
    return path


def _pages(
    annotation: TopicAnnotation, topic: TopicTexts, annotator: str
) -> JobSteps[tuple[str, list[bytes]]]:
    from core.report.formats.pdf import page_images

    yield Progress(0, 0, tr("making the pages"))
    sheet = _sheet(annotation, topic, annotator)
    return sheet.title, page_images(sheet)


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
        page.created.connect(lambda nugget_id: self.search([nugget_id]))
        view.details.importance.chosen.connect(self._rate)
        view.details.confirm_button.clicked.connect(self.confirm)

    @Slot()
    def find(self) -> None:
        if nugget_id := self._page.selected_scu():
            self._is_asked = True
            self.search([nugget_id])

    def find_all(self) -> None:
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
        job.ended.connect(lambda job: self._jobs.pop(job, None))

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
