"""What stands in the window while no study is open."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.theme import LARGE, MEDIUM, SMALL, Type, px
from gui.widgets.buttons import link_button, plain_button, primary_button
from gui.widgets.label import ElidedLabel, IconLabel, Label, rule
from gui.widgets.panel import Panel

PANEL_WIDTH = 600


class WelcomeView(QWidget):
    """The ways into a study.

    Signals:
        sample_requested, open_requested, new_requested, import_requested.
        recent_chosen: the path of a recent study.
    """

    sample_requested = Signal()
    open_requested = Signal()
    new_requested = Signal()
    import_requested = Signal()
    recent_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.sample_button = primary_button("Make the sample study", "bulb")
        self.open_button = plain_button("Open a study…", "open")
        self.new_button = plain_button("New study…", "plus")
        self.import_button = plain_button("Import texts…", "import")
        self._recent = QVBoxLayout()
        self._recent.setSpacing(SMALL)
        self._recent_heading = Label("Recent studies", Type.CAPTION, "muted")
        for button, requested in (
            (self.sample_button, self.sample_requested),
            (self.open_button, self.open_requested),
            (self.new_button, self.new_requested),
            (self.import_button, self.import_requested),
        ):
            button.clicked.connect(requested)
        self.setFocusProxy(self.sample_button)
        self._lay_out()

    def show_recent(self, paths: Sequence[Path]) -> None:
        """List the recent studies that still exist."""
        while (item := self._recent.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        self._recent_heading.setVisible(bool(paths))
        for path in paths:
            self._recent.addWidget(self._recent_row(path))

    def _recent_row(self, path: Path) -> QWidget:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        name = link_button(path.stem)
        name.setAccessibleName(f"Open {path.stem}")
        name.clicked.connect(lambda: self.recent_chosen.emit(str(path)))
        line.addWidget(IconLabel("folder"))
        line.addWidget(name)
        line.addWidget(ElidedLabel(str(path.parent), Type.SMALL, "muted"), 1)
        return row

    def _lay_out(self) -> None:
        panel = Panel("Begin with a study", "one file holds texts, annotations and scores")
        panel.setFixedWidth(px(PANEL_WIDTH))
        column = QVBoxLayout()
        column.setContentsMargins(LARGE, LARGE, LARGE, LARGE)
        column.setSpacing(MEDIUM)
        column.addWidget(
            Label(
                "The sample has six topics with references, eight systems, pyramids, matches and ratings: "
                "try everything on it first.",
                wrap=True,
            )
        )
        buttons = QHBoxLayout()
        buttons.setSpacing(SMALL)
        for button in (self.open_button, self.new_button, self.import_button):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column.addWidget(self.sample_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(rule())
        column.addLayout(buttons)
        column.addWidget(self._recent_heading)
        column.addLayout(self._recent)
        panel.add(column)
        whole = QVBoxLayout(self)
        whole.setSpacing(MEDIUM)
        whole.addStretch(2)
        for widget in (
            IconLabel("pyramid", "accent", 40),
            Label("Pyramidion", Type.HERO),
            Label("Annotate, score, compare and report summaries.", Type.BODY, "muted"),
        ):
            whole.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        middle = QHBoxLayout()  # a row, not an alignment: an aligned panel would not get its labels' height
        middle.addStretch(1)
        middle.addWidget(panel)
        middle.addStretch(1)
        whole.addLayout(middle)
        whole.addStretch(3)
