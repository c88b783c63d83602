"""One reference: its letter, how much of it is covered, and its text."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gui.annotation.annotated_text import AnnotatedText
from gui.annotation.marks import Mark
from gui.pages.pyramid.values import ReferenceText
from gui.style import icons
from gui.style.theme import SMALL, TIGHT, Type, px
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import icon_button
from gui.widgets.label import Badge, ElidedLabel, Label, rule
from gui.widgets.progress_bar import ProgressBar
from gui.widgets.steady_scroll_bar import keep_room_for_bar

LEAST_WIDTH = 216
_BAR_PX, _WORDS_FROM, _BAR_FROM = 54, 430, 300


class ReferenceSection(QFrame):
    """Head and text of a reference.

    Signals:
        alone_requested: it is to be shown alone, or with the others again.
    """

    alone_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text_id = ""
        self.badge, self.name_label = Badge(""), ElidedLabel("", Type.STRONG)
        self.words_label = Label("", Type.SMALL, "muted")
        self.bar, self.covered_label = ProgressBar("Covered"), Label("", Type.SMALL)
        self.bar.setFixedWidth(px(_BAR_PX))
        self.alone_button = icon_button("expand", "Only this reference")
        self.text = AnnotatedText("Reference")
        self._covered, self._shows_covered, self._has_own_name = 0.0, True, False
        self._head = self._make_head()
        keep_room_for_bar(self.text)
        self._column = column = QVBoxLayout(self)
        column.setSpacing(0)
        column.setContentsMargins(TIGHT, 0, TIGHT, 0)
        column.addWidget(self._head)
        column.addWidget(self.text, 1)
        column.addWidget(rule())
        self.alone_button.clicked.connect(self.alone_requested)

    def show_reference(self, reference: ReferenceText) -> None:
        """Show another text."""
        self.text_id = reference.id
        self._has_own_name = reference.name != reference.letter
        name = reference.name if self._has_own_name else f"Reference {reference.letter}"
        self.badge.setText(reference.letter)
        self.name_label.setText(name)
        self.text.setAccessibleName(f"Reference {reference.letter}")
        self.text.show_text(reference.content)
        self.words_label.setText(self.text.word_count_text)
        self.show_marks((), 0.0)

    def show_marks(self, marks: tuple[Mark, ...], covered: float) -> None:
        """Show what is marked, and the share of words that it covers."""
        self.text.show_marks(marks)
        self._covered = covered
        self._show_share()

    def show_covered(self, is_shown: bool) -> None:
        """Show the whole text, or only what no SCU covers."""
        self._shows_covered = is_shown
        self.text.show_covered(is_shown)
        self._show_share()

    def show_alone(self, is_alone: bool) -> None:
        """Say what the button of the head does next."""
        name = "Show all references" if is_alone else "Only this reference"
        icons.set_icon(self.alone_button, "shrink" if is_alone else "expand")
        self.alone_button.setToolTip(plain_tip(name))
        self.alone_button.setAccessibleName(f"{name}: {self.badge.text()}")

    def fit_height(self, width: int) -> int:
        """Give the text the height of all its lines at this width; return the height of the section."""
        self.text.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.resize(width, self.height())
        self._column.activate()
        self.text.fit_height()
        return self._column.totalSizeHint().height()

    def free_height(self) -> None:
        """Let the text have any height; it scrolls by itself."""
        self.text.free_height()
        self.text.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A double click on the head."""
        is_double = isinstance(event, QMouseEvent) and event.type() is QEvent.Type.MouseButtonDblClick
        if is_double:
            self.alone_requested.emit()
        return is_double

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.words_label.setVisible(self.width() >= px(_WORDS_FROM))
        self.bar.setVisible(self.width() >= px(_BAR_FROM))
        self.name_label.setVisible(self.width() >= px(_BAR_FROM) or self._has_own_name)
        self._show_share()

    def _show_share(self) -> None:
        self.bar.show_share(self._covered)
        share = 100 * (self._covered if self._shows_covered else 1 - self._covered)
        whole = f"{share:.0f} % {'covered' if self._shows_covered else 'uncovered'}"
        self.covered_label.setText(whole if self.width() >= px(_BAR_FROM) else f"{share:.0f} %")
        self.covered_label.setToolTip(plain_tip(whole))
        self.covered_label.setAccessibleName(whole)
        self.text.setAccessibleDescription(f"{self.text.word_count_text}, {whole}, read only")

    def _make_head(self) -> QWidget:
        head = QWidget()
        row = QHBoxLayout(head)
        row.setContentsMargins(SMALL, TIGHT, SMALL, 0)
        row.setSpacing(SMALL)
        for widget in (self.badge, self.name_label, self.words_label):
            row.addWidget(widget)
        row.addStretch(1)
        for control in (self.bar, self.covered_label, self.alone_button):
            row.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)
        head.setToolTip("Double click shows this reference alone")
        head.installEventFilter(self)
        return head
