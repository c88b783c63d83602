"""Page rail: the buttons of the pages on the left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QVBoxLayout

from gui.style import icons, theme
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type, px
from gui.style.tooltips import plain_tip
from gui.widgets.label import Label

WIDTH, NARROW_WIDTH = 180, 60


@dataclass(frozen=True, slots=True)
class RailEntry:
    """A page in the rail; group: its heading, empty = none."""

    key: str
    title: str
    icon: str
    group: str


class RailButton(QPushButton):
    """Button of a page: icon, name, and its progress on the right.

    Screen readers announce a checkable push button as a radio button, a tool button as a check box.
    """

    def __init__(self, entry: RailEntry) -> None:
        super().__init__()
        self.title = entry.title
        self.progress = ""
        self.setProperty("kind", "rail")
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setAutoDefault(False)
        self.label = f"  {entry.title}"  # style sheets know no gap after a drawing
        self.is_narrow = False
        self.setText(self.label)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        icons.set_icon(self, entry.icon, "muted", icons.HEADER_PX)
        self.show_progress("")

    def set_narrow(self, is_narrow: bool) -> None:
        """Show only the icon, or the name too."""
        self.is_narrow = is_narrow
        self.setText("" if is_narrow else self.label)

    def show_progress(self, progress: str) -> None:
        """Show the progress of the page, such as ``18/24``."""
        self.progress = progress
        self.setAccessibleName(f"{self.title} {progress}".strip())
        self.setToolTip(plain_tip(self.accessibleName()))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.progress and not self.is_narrow:
            painter = QPainter(self)
            painter.setFont(theme.font(Type.CAPTION))
            painter.setPen(theme.colour("muted"))
            room = self.rect().adjusted(0, 0, -MEDIUM, 0)
            words = self.progress_text(self.width() - self.sizeHint().width() - TIGHT)
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, words)

    def progress_text(self, width: int) -> str:
        """Return the progress next to the name: as counts, else in percent; empty if neither fits."""
        letters = QFontMetrics(theme.font(Type.CAPTION))
        done, _, total = self.progress.partition("/")
        share = f"{100 * int(done) // int(total)} %" if total.isdigit() and int(total) else ""
        return next(
            (words for words in (self.progress, share) if letters.horizontalAdvance(words) <= width), ""
        )


class PageRail(QFrame):
    """Buttons for the pages in groups.

    Signals:
        page_chosen: the key of the page.
    """

    page_chosen = Signal(str)

    def __init__(self, entries: Sequence[RailEntry]) -> None:
        super().__init__()
        self.setProperty("kind", "rail")
        self.setAccessibleName("Pages")
        self._buttons: dict[str, RailButton] = {}
        self._headings: list[Label] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(SMALL, SMALL, SMALL, SMALL)
        self._column.setSpacing(TIGHT)
        group = ""
        for entry in entries:
            if entry.group != group:
                group = entry.group
                self._add_heading(group)
            self._add_button(entry)
        self._column.addStretch(1)
        self.set_narrow(False)

    def button(self, key: str) -> RailButton:
        """Return the button of a page."""
        return self._buttons[key]

    def mark(self, key: str) -> None:
        """Mark the current page; Tab stops at its button, arrow keys move on."""
        if key in self._buttons:
            self._buttons[key].setChecked(True)
        for other, button in self._buttons.items():
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus if other == key else Qt.FocusPolicy.NoFocus)

    def show_progress(self, key: str, progress: str) -> None:
        """Show the progress of a page."""
        if key in self._buttons:
            self._buttons[key].show_progress(progress)

    def set_narrow(self, is_narrow: bool) -> None:
        """Show only icons, or names too."""
        self.setFixedWidth(px(NARROW_WIDTH) if is_narrow else max(px(WIDTH), self._longest()))
        for heading in self._headings:
            heading.setVisible(not is_narrow)
        for button in self._buttons.values():
            button.set_narrow(is_narrow)

    def _longest(self) -> int:
        """Return the width of the longest name in the font of the current page."""
        letters = QFontMetrics(theme.font(Type.STRONG))
        names = [letters.horizontalAdvance(button.label) for button in self._buttons.values()]
        return max(names, default=0) + icons.HEADER_PX + 2 * (SMALL + MEDIUM) + MEDIUM

    def _add_heading(self, group: str) -> None:
        heading = Label(group, Type.CAPTION, "muted")
        heading.setContentsMargins(SMALL, MEDIUM, 0, TIGHT)
        self._headings.append(heading)
        self._column.addWidget(heading)

    def _add_button(self, entry: RailEntry) -> None:
        button = RailButton(entry)
        button.clicked.connect(lambda: self.page_chosen.emit(entry.key))
        self._buttons[entry.key] = button
        self._column.addWidget(button)
