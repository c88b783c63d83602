"""Page rail: the buttons of the pages on the left."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QVBoxLayout

from gui.commands.pages import PageName
from gui.style import icons, theme
from gui.style.language import tr
from gui.style.theme import MEDIUM, SMALL, TIGHT, Type, px
from gui.style.tooltips import plain_tip
from gui.widgets.label import rule

WIDTH = 172


class RailButton(QPushButton):
    """Button of a page: icon, name, and its progress on the right.

    Screen readers announce a checkable push button as a radio button, a tool button as a check box.
    """

    def __init__(self, name: PageName) -> None:
        super().__init__()
        self.title = name.title
        self.progress = ""
        self.setProperty("kind", "rail")
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setAutoDefault(False)
        self.label = f" {name.title}"  # style sheets know no gap after a drawing
        self.is_narrow = False
        self.setText(self.label)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        icons.set_icon(self, name.icon, "muted", icons.HEADER_PX)
        self.show_progress("")

    def set_narrow(self, is_narrow: bool) -> None:
        """Show the name in small letters below the icon; False = at its right."""
        self.is_narrow = is_narrow
        self.setText("" if is_narrow else self.label)
        self.setProperty("narrow", is_narrow)
        self.style().polish(self)

    def show_progress(self, progress: str, details: str = "") -> None:
        """Show the progress of the page, such as ``18/24``. details: that of its tabs, in words."""
        self.progress = progress
        self.setAccessibleName(f"{self.title} {details or progress}".strip())
        self.setToolTip(plain_tip(self.accessibleName()))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not (self.progress or self.is_narrow):
            return
        painter = QPainter(self)
        painter.setFont(theme.font(Type.CAPTION))
        if self.is_narrow:
            painter.setPen(theme.colour("text" if self.isChecked() else "muted"))
            room = self.rect().adjusted(0, 0, 0, -TIGHT)
            painter.drawText(room, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom, self.title)
        else:
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
    """Buttons for the pages, with a line between groups.

    Signals:
        page_chosen: the key of the page.
    """

    page_chosen = Signal(str)

    def __init__(self, names: Sequence[PageName]) -> None:
        """names: of the pages, or of one tab of each."""
        super().__init__()
        self.setProperty("kind", "rail")
        self.setAccessibleName(tr("Pages"))
        self._buttons: dict[str, RailButton] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(SMALL, SMALL, SMALL, SMALL)
        column.setSpacing(TIGHT)
        for before, name in zip((None, *names), names, strict=False):
            if before is not None and before.group != name.group:
                column.addSpacing(SMALL)
                column.addWidget(rule())
                column.addSpacing(SMALL)
            button = self._buttons[name.page] = RailButton(name)
            button.clicked.connect(partial(self.page_chosen.emit, name.page))
            column.addWidget(button)
        column.addStretch(1)
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

    def show_progress(self, key: str, progress: str, details: str = "") -> None:
        """Show the progress of a page. details: that of its tabs, in words."""
        if key in self._buttons:
            self._buttons[key].show_progress(progress, details)

    def set_narrow(self, is_narrow: bool) -> None:
        """Show names in small letters below the icons; False = at their right."""
        letters = QFontMetrics(theme.font(Type.CAPTION if is_narrow else Type.STRONG))
        names = (button.title if is_narrow else button.label for button in self._buttons.values())
        longest = max(map(letters.horizontalAdvance, names), default=0)
        around = px(icons.HEADER_PX) + 2 * (SMALL + MEDIUM) + MEDIUM
        self.setFixedWidth(longest + 2 * (SMALL + TIGHT) if is_narrow else max(px(WIDTH), longest + around))
        for button in self._buttons.values():
            button.set_narrow(is_narrow)
