"""Panel: a frame with title, note, actions and content."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLayout, QVBoxLayout, QWidget

from gui.style.theme import MEDIUM, SMALL, TIGHT, Type, px
from gui.widgets.label import ElidedLabel, FactLabel
from gui.widgets.layouts import vbox

HEAD_HEIGHT = 40
TITLE_CHARS = 24  # of a title that are always shown


class Panel(QFrame):
    """A framed part of a page.

    title, fact: the header, such as ``SCUs`` and ``by weight``. hairline: below the header;
    off where a search field follows. `add` inserts the content.
    """

    def __init__(self, title: str, fact: str = "", *, hairline: bool = True) -> None:
        super().__init__()
        self.setProperty("kind", "panel")
        self.setAccessibleName(title)
        self.title_label = ElidedLabel(title, Type.STRONG, least=TITLE_CHARS)
        self.fact_label = FactLabel(fact, Type.SMALL, "muted")
        self._before_title, self._actions = QHBoxLayout(), QHBoxLayout()
        self._actions.setSpacing(SMALL)
        self.body = QVBoxLayout()
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(0)
        vbox(self._head(hairline), (self.body, 1), parent=self, margins=1, spacing=0)

    def add(self, item: QWidget | QLayout, stretch: int = 0, *, padded: bool = False) -> None:
        """Add a widget or layout at the bottom; `padded` adds margins."""
        if padded:
            box = QVBoxLayout()
            box.setContentsMargins(MEDIUM, SMALL, MEDIUM, SMALL)
            _put(box, item, 1)
            item = box
        _put(self.body, item, stretch)

    def add_before_title(self, widget: QWidget) -> None:
        """Insert a small widget before the title, such as a badge."""
        self._before_title.addWidget(widget)

    def add_action(self, widget: QWidget) -> None:
        """Add a control at the right of the header."""
        self._actions.addWidget(widget)

    def add_foot(self, item: QWidget | QLayout) -> None:
        """Add a line at the bottom, below a hairline."""
        foot = QFrame()
        foot.setProperty("kind", "panel-foot")
        foot.setMinimumHeight(px(34))
        box = QHBoxLayout(foot)
        box.setContentsMargins(MEDIUM, TIGHT, MEDIUM, TIGHT)
        _put(box, item, 1)
        self.body.addWidget(foot)

    def set_title(self, title: str) -> None:
        """Change the title."""
        self.title_label.setText(title)
        self.setAccessibleName(title)

    def set_fact(self, fact: str) -> None:
        """Change the note next to the title."""
        self.fact_label.setText(fact)

    def _head(self, hairline: bool) -> QFrame:
        head = QFrame()
        head.setProperty("kind", "panel-head")
        head.setProperty("plain", not hairline)
        head.setMinimumHeight(px(HEAD_HEIGHT))
        row = QHBoxLayout(head)
        row.setContentsMargins(MEDIUM, 0, MEDIUM, 0)
        row.setSpacing(SMALL)
        row.addLayout(self._before_title)
        row.addWidget(self.title_label, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.fact_label, 1, Qt.AlignmentFlag.AlignVCenter)
        row.addLayout(self._actions)
        return head


def inset_frame(item: QWidget | QLayout) -> QFrame:
    """Return an inset frame within a panel."""
    frame = QFrame()
    frame.setProperty("kind", "well")
    box = QVBoxLayout(frame)
    box.setContentsMargins(MEDIUM, MEDIUM, MEDIUM, MEDIUM)
    box.setSpacing(SMALL)
    _put(box, item, 0)
    return frame


def _put(box: QVBoxLayout | QHBoxLayout, item: QWidget | QLayout, stretch: int) -> None:
    if isinstance(item, QWidget):
        box.addWidget(item, stretch)
    else:
        box.addLayout(item, stretch)
