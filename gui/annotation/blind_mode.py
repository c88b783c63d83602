"""Blind mode of the open study, for pages that must hide names or others' work."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from core.annotation.blind_mode import is_blind
from core.ports import ChangeKind, ChangeSet
from gui.annotation.text.summary_panel import SummaryPanel
from gui.session.context import Context


def blind_mode_of(context: Context) -> BlindMode:
    """Return the blind mode of an open study; there is one per study."""
    return context.history.findChild(BlindMode) or BlindMode(context)


class BlindMode(QObject):
    """Follows the study's blind setting, including changes by other programs.

    Signals:
        changed: blind mode was turned on or off.
        names_allowed: whether system names may be shown.
    """

    changed = Signal()
    names_allowed = Signal(bool)

    def __init__(self, context: Context) -> None:
        super().__init__(context.history)
        self._study = context.study
        self.is_on = is_blind(self._study)  # whether study is blind
        context.changes.changed.connect(self._on_changes)

    def guard_names(self, panel: SummaryPanel) -> None:
        """Let a panel show system names only while the study is not blind."""
        self.names_allowed.connect(panel.allow_names)
        panel.allow_names(not self.is_on)

    @Slot(object)
    def _on_changes(self, changes: ChangeSet) -> None:
        if not changes.kinds & {ChangeKind.TEXTS, ChangeKind.SETTINGS}:
            return
        before, self.is_on = self.is_on, is_blind(self._study)
        if self.is_on != before:
            self.changed.emit()
            self.names_allowed.emit(not self.is_on)
