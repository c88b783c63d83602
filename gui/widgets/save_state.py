"""Whether everything is on the disk, and whose work it is."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui import icons
from gui.theme import MEDIUM, TIGHT, Type
from gui.tooltips import plain_tip
from gui.widgets.buttons import quiet_button
from gui.widgets.label import IconLabel, Label

_LONGEST_NAME = 24  # letters


class SaveState(QWidget):
    """``✓ Saved 10:42`` and the annotator's name, which can be pressed.

    Signals:
        annotator_requested: somebody else is to annotate.
    """

    annotator_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._icon = IconLabel("check", "success")
        self.saved_label = Label("", Type.SMALL, "muted")
        self.annotator_button = quiet_button("")
        self.annotator_button.setAccessibleName("Annotator")
        icons.dress(self.annotator_button, "user")
        self.annotator_button.clicked.connect(self.annotator_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(TIGHT)
        row.addWidget(self._icon)
        row.addWidget(self.saved_label)
        row.addSpacing(MEDIUM - TIGHT)
        row.addWidget(self.annotator_button)
        self.show_saved(None)

    def show_saving(self) -> None:
        """Say that something is on its way to the disk."""
        self._icon.show_icon("clock")
        self.saved_label.setText("Saving…")

    def show_saved(self, at: datetime | None) -> None:
        """Say that everything is on the disk, and since when; None = nothing was written yet."""
        self._icon.show_icon("check", "success")
        self.saved_label.setText(f"Saved {at.astimezone():%H:%M}" if at is not None else "All saved")

    def show_read_only(self, reason: str) -> None:
        """Show that nothing can be saved here, with the reason in the tooltip."""
        self._icon.show_icon("lock")
        self.saved_label.setText("Read-only")
        self.saved_label.setToolTip(plain_tip(reason))

    def show_annotator(self, name: str) -> None:
        """Say whose work it is."""
        shown = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
        self.annotator_button.setText(
            f" {shown}".replace("&", "&&")
        )  # style sheets know no gap after a drawing
        self.annotator_button.setAccessibleName(f"Annotator {name}, change")
        self.annotator_button.setToolTip(plain_tip(f"Annotator {name}. Press to change."))
