"""Labels and other small text widgets, styled by their kind of text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QAccessible, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QStyle, QWidget

from core.formatting.legible_text import unturned_text
from gui.style import icons
from gui.style.language import direction, isolated, plain_tip
from gui.style.theme import MEDIUM, TIGHT, Type, px
from gui.widgets.accessible import set_role
from gui.widgets.layouts import BoundedArea, clear, grid

LEAST_ELIDED = 4
"""Characters of an elided text, with the ellipsis, that say nothing."""


class Label(QLabel):
    """A label with a kind of text and a tone.

    tone: ``text``, ``muted``, ``accent``, ``warning``, ``error`` or ``success``.
    wrap: over several lines, which also break within words that are longer than any of a language.
    """

    def __init__(
        self, text: str = "", kind: Type | str = Type.BODY, tone: str = "text", *, wrap: bool = False
    ) -> None:
        super().__init__()
        self._text = text
        self._kept: tuple[object, ...] = ()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("kind", str(kind))
        self.setProperty("tone", tone)
        self.setWordWrap(wrap)
        super().setText(self.legible)

    def text(self) -> str:
        """Return the text as it was set."""
        return self._text

    @property
    def legible(self) -> str:
        """The text as it is shown: nothing in it turns what follows, and long words may break."""
        text = unturned_text(self._text)
        if not self.wordWrap():
            return text
        return _LONG_WORD.sub(lambda word: _PIECE.sub("\\g<0>\u200b", word[0]), text)

    def setText(self, text: str) -> None:
        if text != self._text:
            self._text = text
            super().setText(self.legible)
            self._keep_height()

    def show_text(self, text: str) -> None:
        """Show a text; an empty one takes no room."""
        self.setText(text)
        self.setVisible(bool(text))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._keep_height()

    def _keep_height(self) -> None:
        """Claim the height of all lines: stacks and splitters do not ask for it, and would clip the text."""
        now = (self.width(), self._text, self.font().key())
        if self.wordWrap() and now != self._kept:  # else each layout would ask for another one
            self._kept = now
            self.setMinimumHeight(0)  # else it counts in the height asked for, and never shrinks again
            self.setMinimumHeight(max(self.heightForWidth(self.width()), 0))  # -1 without a text

    def set_tone(self, tone: str) -> None:
        """Change the colour."""
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            self.style().unpolish(self)
            self.style().polish(self)


def field_label(name: str, field: QWidget) -> Label:
    """Return the label of a field; it is its accessible name too."""
    label = Label(name, Type.STRONG)
    label.setBuddy(field)
    field.setAccessibleName(name)
    return label


def readable(elided: str) -> str:
    """Return an elided text that can be left away: empty if too little of it is left to be read."""
    return "" if "…" in elided and len(elided) <= LEAST_ELIDED else elided


class ElidedLabel(Label):
    """A line of text, elided if it does not fit; its tooltip then has the full text.

    least: number of characters that are shown in any case.
    """

    def __init__(
        self, text: str = "", kind: Type | str = Type.BODY, tone: str = "text", *, least: int = 4
    ) -> None:
        super().__init__(text, kind, tone)
        self._least, self._tip = least, ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        least = self.fontMetrics().averageCharWidth() * self._least
        return QSize(min(hint.width(), least), hint.height())

    def setText(self, text: str) -> None:
        if text != self.text():
            super().setText(text)
            self._explain()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._explain()

    def _shown(self) -> str:
        room = self.contentsRect().width()
        return self.fontMetrics().elidedText(self.legible, Qt.TextElideMode.ElideRight, room)

    def set_tip(self, tip: str) -> None:
        """Show a tooltip, below the full text if that is elided."""
        self._tip = tip
        self._explain()

    def _explain(self) -> None:
        full = self.text() if self._shown() != self.legible else ""
        self.setToolTip(plain_tip("\n".join(filter(None, (full, self._tip)))))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.style().drawItemText(
            painter,
            self.contentsRect(),
            int(QStyle.visualAlignment(self.layoutDirection(), self.alignment()) | direction(self._shown())),
            self.palette(),
            self.isEnabled(),
            self._shown(),
            self.foregroundRole(),
        )


class FactLabel(ElidedLabel):
    """Facts separated by `` · ``, of which those are shown that fit; a cut number would be another number."""

    def _shown(self) -> str:
        room = self.contentsRect().width()
        facts = self.legible.split(" · ")
        for count in range(len(facts), 0, -1):
            shown = " · ".join(map(isolated, facts[:count]))
            if self.fontMetrics().horizontalAdvance(shown) <= room:
                return shown
        return "" if facts[0][:1].isdigit() else readable(super()._shown())


class IconLabel(QLabel):
    """A small icon next to text; screen readers ignore it."""

    def __init__(self, name: str, token: str = "muted", size: int = icons.ROW_PX) -> None:
        super().__init__()
        self._size = size
        self.setFixedSize(px(size), px(size))
        icons.set_icon(self, name, token, size)

    def show_icon(self, name: str, token: str = "muted") -> None:
        icons.set_icon(self, name, token, self._size)


class Keycap(Label):
    """A key of the keyboard."""

    def __init__(self, key: str) -> None:
        super().__init__(key, "keycap")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)


class Facts(QWidget):
    """Facts, each with its name. kind: of the text of the facts. shown: name and text of each."""

    def __init__(self, kind: Type = Type.SMALL, *, across: int = MEDIUM, down: int = TIGHT) -> None:
        super().__init__()
        self._grid, self._kind = grid(self, across=across, down=down), kind
        self.shown: tuple[tuple[str, str], ...] = ()

    def show_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Show these facts: name and text of each."""
        if self.shown != (now := tuple(facts)):
            self.shown = now
            clear(self._grid)
            name_kind = Type.SMALL if self._kind is Type.SMALL else Type.BODY
            for row, (name, fact) in enumerate(now):
                self._grid.addWidget(Label(name, name_kind, "muted"), row, 0, Qt.AlignmentFlag.AlignTop)
                self._grid.addWidget(Label(fact, self._kind, wrap=True), row, 1)


class Badge(Label):
    """A letter or short name on a muted background."""

    def __init__(self, text: str) -> None:
        super().__init__(text, "badge")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)


def rule(parent: QWidget | None = None) -> QFrame:
    """Return a horizontal hairline."""
    line = QFrame(parent)
    line.setProperty("kind", "rule")
    return line


def divider(height: int = 20) -> QFrame:
    """Return a vertical hairline."""
    line = QFrame()
    line.setProperty("kind", "divider")
    line.setFixedHeight(height)
    return line


def breakable_command(command: str) -> str:
    """Return a command for display: lines break within names of files, but not within options.

    Options have no-break hyphens; the copied command is the original.
    """
    words = (
        word.replace("-", "\u2011") if word.startswith("-") else _AFTER.sub("\\g<0>\u200b", word)
        for word in command.split(" ")
    )
    return " ".join(words)


_LONG_WORD = re.compile(r"[^\s\u200b]{25,}")
_PIECE = re.compile(r"(?s).{8}(?![\u0300-\u036f\u200d\ufe0f])(?<!\u200d)")
"""A line may break after it, but not before a combining mark nor within a joined emoji."""

_AFTER = re.compile(r"(?<=\w)[-_./\\:,=](?=\w)")
"""Signs within a word after which a line may break."""


class BoundedText(BoundedArea):
    """A text field as high as its text, up to a number of lines; it accepts focus only if it scrolls."""

    def __init__(self, label: QLabel, lines: int, name: str) -> None:
        super().__init__(label, name)
        self._label, self._lines = label, lines
        label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)

    def show_text(self, text: str) -> None:
        """Show a text from its beginning."""
        self._label.setText(text)
        self.verticalScrollBar().setValue(0)
        self.fit()

    def fit(self) -> None:
        line = self._label.fontMetrics().boundingRect(QRect(), 0, self._label.text())
        self.most = self._lines * line.height()  # which fallback fonts may increase
        super().fit()


set_role(BoundedText, QAccessible.Role.StaticText)
