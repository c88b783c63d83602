"""Presenter of comments and flags."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from PySide6.QtCore import Slot

from core.annotation.assignment import roles_of
from core.annotation.blind_mode import blind_order, is_blind
from core.annotation.flag_list import FlaggedItem, flag_list
from core.domain.assignment import Role
from core.domain.comments import CommentSubject, threads
from core.domain.pyramid import UnitKind
from core.ports import ChangeKind, ChangeSet, annotations_of
from gui.dialogs.comments.view import CommentsDialog, Row
from gui.session.context import Context
from gui.style.language import tr
from gui.widgets.dialog import ToolPresenter

_RELEVANT_CHANGES = frozenset(
    {
        ChangeKind.TEXTS,
        ChangeKind.COMMENTS,
        ChangeKind.MATCHES,
        ChangeKind.NUGGETS,
        ChangeKind.RATINGS,
        ChangeKind.SETTINGS,
    }
)
_UNIT_PAGES = {"pyramids": UnitKind.SCU, "nuggets": UnitKind.NUGGET}
_SUMMARY_PAGES = ("matches", "hits", "ratings")


class CommentsPresenter(ToolPresenter):
    """Lists comments, flags and notes; adds comments to the selected or the current item.

    page: returns the key of the page that the window shows.
    """

    def __init__(self, dialog: CommentsDialog, context: Context, page: Callable[[], str]) -> None:
        super().__init__(dialog)
        self.dialog, self._context, self._page = dialog, context, page
        self._items: Sequence[FlaggedItem] = ()
        self._shows_all = False
        self._item: FlaggedItem | None = None  # that is selected
        self._orders: dict[str, dict[str, str]] = {}  # names of summaries by topic
        dialog.choice.chosen.connect(self._choose_shown)
        dialog.table.row_chosen.connect(self._select)
        dialog.table.row_opened.connect(self._open)
        dialog.open_button.clicked.connect(lambda: self._open(dialog.table.current))
        dialog.written.connect(self._write)
        context.changes.changed.connect(self._study_changed)
        context.selection.topic_changed.connect(self._show_thread)
        context.selection.summary_changed.connect(self._show_thread)
        context.selection.scu_changed.connect(self._show_thread)

    def open(self) -> None:
        """Show the dialog for the current item."""
        self._item = None
        self.dialog.begin(self.dialog.field)
        self._read()
        self._show_thread()

    def _read(self) -> None:
        job = self._context.jobs.start(tr("Reading comments"), flag_list(self._context.study))
        job.finished.connect(self._show_items)

    @Slot(object)
    def _show_items(self, items: Sequence[FlaggedItem]) -> None:
        chosen = self._item.subject if self._item is not None else None
        self._items = items
        listed = [item for item in items if self._shows_all or item.is_open]
        self._item = next((item for item in listed if item.subject == chosen), None)
        self._orders.clear()
        abouts = [filter(None, (self._summary(item.subject), item.about)) for item in listed]
        rows = [(item, " · ".join(about) or "topic") for item, about in zip(listed, abouts, strict=True)]
        self.dialog.show_items(rows, self._item)
        self._show_thread()

    @Slot()
    def _show_thread(self) -> None:
        if not self.dialog.isVisible():
            return
        subject = self._target()
        people = {person.id: person.name for person in self._context.study.annotators.all()}
        thread = next(
            (one for one in threads(self._context.study.comments.all()) if one.subject == subject), None
        )
        lines = [
            f"{people[one.annotator_id]}, {_time(one.written_at)}: {one.text or 'resolved'}"
            + (" (resolved)" if one.resolves and one.text else "")
            for one in (thread.comments if thread is not None else ())
        ]
        has_row = self._item is not None
        is_open = thread is not None and thread.is_open
        self.dialog.show_thread(self._title(subject), "\n".join(lines), can_open=has_row, can_resolve=is_open)

    def _target(self) -> CommentSubject | None:
        """Return what a comment would be on: the selected row's item, else that of the page."""
        if self._item is not None:
            return self._item.subject
        chosen, page = self._context.selection, self._page()
        if not chosen.topic_id:
            return None
        if page in _UNIT_PAGES and chosen.scu_id:
            return CommentSubject(chosen.topic_id, "", chosen.scu_id)
        if page in _SUMMARY_PAGES and chosen.summary_id:
            return CommentSubject(chosen.topic_id, chosen.summary_id)
        return CommentSubject(chosen.topic_id)

    def _title(self, subject: CommentSubject | None) -> str:
        if subject is None:
            return tr("Select a topic first.")
        study = self._context.study
        topic = study.texts.topic(subject.topic_id)
        parts = [tr("On topic {name}", name=topic.name)]
        if subject.summary_id:
            parts.append(self._summary(subject))
        if subject.unit_id:
            label = self._label(subject)
            parts.append(f"“{label}”" if label else tr("a unit that was removed"))
        if subject.scale_id:
            scales = {scale.id: scale.name for scale in study.ratings.dimensions()}
            parts.append(scales.get(subject.scale_id, tr("a scale that was removed")))
        return " · ".join(parts)

    def _summary(self, subject: CommentSubject) -> str:
        """Return a summary's number in the annotator's order; only managers see its system, if not blind."""
        if not subject.summary_id:
            return ""
        study, me = self._context.study, self._context.annotator
        topic_id = subject.topic_id
        if topic_id not in self._orders:
            texts = {text.id: text.name for text in study.texts.topic(topic_id).summaries}
            sees_names = roles_of(study).get(me.name) is Role.MANAGER and not is_blind(study)
            order = blind_order(texts, me.id, topic_id)
            self._orders[topic_id] = {
                one: tr("summary {place}", place=place) + (f" ({texts[one]})" if sees_names else "")
                for place, one in enumerate(order, 1)
            }
        return self._orders[topic_id].get(subject.summary_id, tr("a summary that was removed"))

    def _label(self, subject: CommentSubject) -> str:
        return next(
            (
                scu.label
                for kind in UnitKind
                for annotation in annotations_of(self._context.study, kind).annotations([subject.topic_id])
                for scu in annotation.pyramid.scus
                if scu.id == subject.unit_id
            ),
            "",
        )

    @Slot(str)
    def _choose_shown(self, key: str) -> None:
        self._shows_all = key == "all"
        self._show_items(self._items)

    @Slot(object)
    def _select(self, row: Row | None) -> None:
        self._item = row[0] if row is not None else None
        self._show_thread()

    @Slot(object)
    def _open(self, row: Row | None) -> None:
        if row is None:
            return
        item = row[0]
        about = item.subject
        page = item.page or ("pyramids" if about.unit_id else "texts")
        self._context.show_page(page)
        self._context.selection.select(
            topic_id=about.topic_id, summary_id=about.summary_id, scu_id=about.unit_id
        )

    @Slot(str, bool)
    def _write(self, text: str, resolves: bool) -> None:
        subject = self._target()
        if subject is None or (not text and not resolves):
            return
        if not self._context.may_edit(partial(_repeat, subject, text, resolves)):
            return
        self.dialog.field.clear()
        write = self._context.study.comments.add(subject, self._context.annotator.id, text, resolves=resolves)
        show = self.dialog.notice.show_message
        self._context.writes.track(write, lambda _: self._read(), lambda error: show(str(error)))

    @Slot(object)
    def _study_changed(self, changes: ChangeSet) -> None:
        if changes.kinds & _RELEVANT_CHANGES and self.dialog.isVisible():
            self._read()


def _time(at: str) -> str:
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return at


def _repeat(subject: CommentSubject, text: str, resolves: bool, context: Context) -> str:
    """Repeat a comment as the annotator of another context; return a message, empty if it was stored."""
    write = context.study.comments.add(subject, context.annotator.id, text, resolves=resolves)
    context.writes.track(write)
    return ""
