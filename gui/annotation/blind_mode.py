"""Whether the open study is blind, for every page that must not tell."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from core.annotation.blind_mode import is_blind, make_blind
from core.ports import ChangeKind, ChangeSet
from gui.annotation.summary_panel import SummaryPanel
from gui.session.context import Context


def blind_mode_of(context: Context) -> BlindMode:
    """The blindness of an open study, one for all its pages."""
    return context.history.findChild(BlindMode) or BlindMode(context)


class BlindMode(QObject):
    """Follows the study's setting, whoever changes it.

    Signals:
        changed: the study became blind, or open. switched: whether it is blind, whenever that was looked up.
        names_allowed: whether systems' names may be shown now.
    """

    changed = Signal()
    switched = Signal(bool)
    names_allowed = Signal(bool)

    def __init__(self, context: Context) -> None:
        super().__init__(context.history)
        self._study, self._writes = context.study, context.writes
        self._is_on = is_blind(self._study)
        context.changes.changed.connect(self._look)

    @property
    def is_on(self) -> bool:
        """Whether the study is blind."""
        return self._is_on

    def guard_names(self, panel: SummaryPanel) -> None:
        """Let a panel show systems' names only while the study is not blind."""
        self.names_allowed.connect(panel.allow_names)
        panel.allow_names(not self._is_on)

    @Slot(bool)
    def switch(self, is_wanted: bool) -> None:
        """Make the study blind, or open it again."""
        if is_wanted != self._is_on:
            self._writes.track(make_blind(self._study, enabled=is_wanted), lambda _: self._read())

    @Slot(object)
    def _look(self, changes: ChangeSet) -> None:
        if changes.kinds & {ChangeKind.TEXTS, ChangeKind.SETTINGS}:
            self._read()

    def _read(self) -> None:
        before, self._is_on = self._is_on, is_blind(self._study)
        self.switched.emit(self._is_on)  # even if it is as before: a box may have been pressed meanwhile
        if self._is_on != before:
            self.changed.emit()
            self.names_allowed.emit(not self._is_on)
