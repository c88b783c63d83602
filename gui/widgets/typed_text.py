"""Typed text that is not stored yet: decides which text fields have any, and when it is stored.

A `TypedText` per field holds what the study has and what is typed. It stores the text after a pause in typing
and when another object is shown. `typed_texts().store()` is called before a field is left in another way:
another page, topic or summary, undo, closing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import uuid4

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QInputMethodEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

from core.domain.study import TYPING

PAUSE_MS = 500

Store = Callable[[str, str], None]
"""Stores the text of the object with an id; `TypedText.show` then shows what the study has."""


class TypedTexts(QObject):
    """The fields with typed text that is not stored yet.

    stores_in_pauses: whether text is stored while the user types, or only when the field is left.

    Signals:
        changed: whether text waits for a pause in typing, and whether text could not be stored.
    """

    changed = Signal(bool, bool)

    def __init__(self) -> None:
        super().__init__()
        self.stores_in_pauses = True
        self._unsaved: list[TypedText] = []
        self._refused: dict[tuple[str, str], str] = {}  # by field and object; shown again with the object
        self._sent: dict[tuple[str, str], str] = {}  # in writes that are under way
        self._stay = ""
        self._is_storing = False

    @property
    def waits(self) -> bool:
        return any(not one.is_refused for one in self._open())

    @property
    def is_refused(self) -> bool:
        """Whether text that is shown could not be stored."""
        return any(one.is_refused for one in self._open())

    @property
    def details(self) -> str:
        """JSON for the edit that is being made: the stay in a field to which it belongs; empty = none."""
        return json.dumps({TYPING: self._stay}) if self._stay else ""

    def store(self, *, is_last: bool = False) -> None:
        """Store all typed text. is_last: also what is otherwise stored by a button only."""
        if self._is_storing:
            return  # storing selects an object, for example
        self._is_storing = True
        try:
            _commit_composed()
            for one in self._open():
                if is_last or one.stores_when_left:
                    one.store(again=is_last)
        finally:
            self._is_storing = False

    def all_written(self) -> None:
        """Forget the texts of writes that are finished."""
        self._sent.clear()

    def write_failed(self) -> None:
        """Keep the texts of writes that have failed; the fields show them again with their objects."""
        self._refused |= self._sent
        self._sent.clear()

    def note(self, one: TypedText, *, is_unsaved: bool) -> None:
        """Note whether a field has unsaved text."""
        self._unsaved = [other for other in self._open() if other is not one] + [one] * is_unsaved
        self.changed.emit(self.waits, self.is_refused)

    @Slot()
    def report_soon(self) -> None:
        """Report what is unsaved once a field that is being deleted is gone."""
        QTimer.singleShot(0, self, lambda: self.changed.emit(self.waits, self.is_refused))

    def refused_text(self, field: str, object_id: str) -> str | None:
        """Return the text of an object that could not be stored, None = there is none."""
        return self._refused.get((field, object_id))

    def remember_refused(self, field: str, object_id: str, text: str | None) -> None:
        """Remember the text of an object that could not be stored, None = it is stored or given up."""
        self._refused.pop((field, object_id), None)
        if text is not None:
            self._refused[field, object_id] = text

    def give_up(self, field: str, object_id: str) -> None:
        """Forget the text of an object that could not be stored, in all fields that show it."""
        self.remember_refused(field, object_id, None)
        for one in self._open():
            if (one.name, one.object_id) == (field, object_id) and one.is_refused:
                one.give_up()

    @contextmanager
    def sending(self, field: str, object_id: str, text: str, stay: str) -> Iterator[None]:
        """Make edits that belong to a stay in a field."""
        self._sent[field, object_id] = text
        before, self._stay = self._stay, stay
        try:
            yield
        finally:
            self._stay = before

    def _open(self) -> list[TypedText]:
        return [one for one in self._unsaved if shiboken6.isValid(one)]


class TypedText(QObject):
    """The text of a field and the text that the study has for the shown object.

    field: its accessible name identifies it together with the object's id.
    store: called with the object's id and the text; has to lead to `show` if the text was accepted.
    read: returns the field's text, by default all of it.
    is_storable: whether a text is complete enough to be stored.
    stores_in_pauses: False for a text that a button stores, and `stores_when_left` likewise.
    """

    def __init__(
        self,
        field: QLineEdit | QPlainTextEdit,
        store: Store,
        *,
        read: Callable[[], str] | None = None,
        is_same: Callable[[str, str], bool] | None = None,
        is_storable: Callable[[str], bool] = lambda _: True,
        stores_in_pauses: bool = True,
        stores_when_left: bool = True,
    ) -> None:
        super().__init__(field)
        self.stores_when_left = stores_when_left
        self._field, self._give = field, store
        self._read = read or (field.text if isinstance(field, QLineEdit) else field.toPlainText)
        self._is_same = is_same or (lambda typed, stored: typed.strip() == stored.strip())
        self._is_storable, self._pauses = is_storable, stores_in_pauses
        self.object_id = ""  # Id of the object whose text the field shows
        self._stored = self._before = self._read()
        self._sent: str | None = None
        self._refused: str | None = None
        self._stay = uuid4().hex
        self._timer = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._timer.timeout.connect(lambda: self.store())
        field.textChanged.connect(self._changed)
        field.installEventFilter(self)
        field.destroyed.connect(typed_texts().report_soon)

    @property
    def is_unsaved(self) -> bool:
        """Whether the study does not have the field's text."""
        typed = self._read()
        return self._is_storable(typed) and not self._is_same(typed, self._stored)

    @property
    def is_refused(self) -> bool:
        """Whether the field's text could not be stored."""
        return self._refused is not None and self._refused == self._read()

    def show(self, text: str, object_id: str) -> None:
        """Show the text that the study has for an object; unsaved text of the same object stays."""
        if object_id != self.object_id:
            self.store()
            self.object_id, self._refused, self._stay = object_id, None, uuid4().hex
            self._stored = self._before = text
            self._show_other(text)
        else:
            is_accepted = self._sent is not None and self._is_same(self._sent, text)
            is_unsaved = self.is_unsaved and not is_accepted
            self._stored = text
            if is_accepted:
                self._sent = self._refused = None
                typed_texts().remember_refused(self.name, object_id, None)
            refused = typed_texts().refused_text(self.name, object_id)
            if refused is not None and not is_unsaved and not self._is_same(refused, text):
                self._show_other(text)
            elif not is_unsaved and not self._is_same(self._read(), text):
                self._write(text)
        self._changed()

    def store(self, *, again: bool = False) -> None:
        """Store the field's text if the study does not have it. again: also if it was refused before."""
        typed = self._read()
        if not self.is_unsaved or (self.is_refused and not again):
            return
        self._timer.stop()
        self._sent, self._refused = typed, None
        with typed_texts().sending(self.name, self.object_id, typed, self._stay):
            self._give(self.object_id, typed)
        if self._sent is not None and self.is_unsaved:
            self._refused = typed
            typed_texts().remember_refused(self.name, self.object_id, typed)
        self._sent = None
        typed_texts().note(self, is_unsaved=self.is_unsaved)

    def restore(self) -> None:
        """Show and store the text that the object had when the user came to the field."""
        typed_texts().give_up(self.name, self.object_id)
        self._refused = None
        self._write(self._before)
        self.store()

    def give_up(self) -> None:
        """Show the text that the study has in place of one that could not be stored."""
        self._refused = None
        self._write(self._stored)

    def wait(self) -> None:
        """Store the field's text when it is left, not in the next pause."""
        self._timer.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.FocusIn and not self.is_unsaved:
            self._before, self._stay = self._stored, uuid4().hex
        return False

    @property
    def name(self) -> str:
        """The field's accessible name, which it shares with other fields of the same text."""
        return self._field.accessibleName()

    def _write(self, text: str) -> None:
        if isinstance(self._field, QLineEdit):
            self._field.setText(text)
        else:
            self._field.setPlainText(text)

    def _show_other(self, text: str) -> None:
        """Show the text of another object, or what was typed for it before and could not be stored."""
        refused = typed_texts().refused_text(self.name, self.object_id)
        if refused is not None and not self._is_same(refused, text):
            self._refused = refused
            text = refused
        if text != self._read():
            self._write(text)

    @Slot()
    def _changed(self) -> None:
        is_unsaved = self.is_unsaved
        if is_unsaved and not self.is_refused and self._pauses and typed_texts().stores_in_pauses:
            self._timer.start()
        else:
            self._timer.stop()
        typed_texts().note(self, is_unsaved=is_unsaved)


def _commit_composed() -> None:
    """Take over what an input method is composing in the focused field."""
    field = QApplication.focusWidget()
    if not isinstance(field, QPlainTextEdit | QLineEdit):
        return
    QGuiApplication.inputMethod().commit()
    if isinstance(field, QPlainTextEdit):  # input methods that do not commit by themselves
        layout = field.textCursor().block().layout()
        composed = layout.preeditAreaText() if layout is not None else ""
        if composed:
            event = QInputMethodEvent("", [])
            event.setCommitString(composed)
            QCoreApplication.sendEvent(field, event)


_texts: list[TypedTexts] = []


def typed_texts() -> TypedTexts:
    if not _texts:
        _texts.append(TypedTexts())
    return _texts[0]
