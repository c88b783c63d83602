"""Reading preferences shared by all pages: text size, line width, selection by word or character."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from gui.style.language import tr

ZOOMS = (80, 90, 100, 110, 125, 150, 175, 200)
"""Text sizes offered, in per cent of the reading size."""

LINE_WIDTHS = (0, 60, 75, 90)
"""Line widths offered, in characters; 0 = the width of the panel."""


@dataclass(frozen=True, slots=True)
class ReadingPreferences:
    """Size and width of texts.

    percent: text size, of the reading size. line_width: characters per line, 0 = the width of the panel.
    """

    percent: int = 100
    line_width: int = 0


class ReadingSignal(QObject):
    """Signals of the reading preferences.

    Signals:
        changed: the text size or the line width changed.
        selecting_changed: selection by word or character changed.
        words_selected: words were selected in any text.
    """

    changed = Signal()
    selecting_changed = Signal()
    words_selected = Signal()


class _Texts:
    """The current preferences."""

    def __init__(self) -> None:
        self.signal = ReadingSignal()
        self.now = ReadingPreferences()
        self.by_character = False


_texts = _Texts()


def signal() -> ReadingSignal:
    """Return the object that emits changes of the preferences."""
    return _texts.signal


def now() -> ReadingPreferences:
    """Return the current text size and line width."""
    return _texts.now


def apply(percent: int | None = None, line_width: int | None = None) -> None:
    """Set the text size and line width of all texts.

    percent: limited to the sizes offered, None = unchanged.
    line_width: None = unchanged; a width that is not offered counts as 0.
    """
    before = _texts.now
    preferences = ReadingPreferences(
        before.percent if percent is None else min(max(percent, ZOOMS[0]), ZOOMS[-1]),
        before.line_width if line_width is None else line_width if line_width in LINE_WIDTHS else 0,
    )
    if preferences != before:
        _texts.now = preferences
        _texts.signal.changed.emit()


def selects_characters() -> bool:
    """Return whether text is selected by characters instead of words."""
    return _texts.by_character


def select_by_character(is_enabled: bool) -> None:
    """Select text by characters, or by words."""
    if is_enabled != _texts.by_character:
        _texts.by_character = is_enabled
        _texts.signal.selecting_changed.emit()


def zoom(step: int) -> None:
    """Increase (+1) or decrease (-1) the text size."""
    nearest = min(range(len(ZOOMS)), key=lambda i: abs(ZOOMS[i] - now().percent))
    apply(percent=ZOOMS[min(max(nearest + step, 0), len(ZOOMS) - 1)])


def line_width_text(width: int) -> str:
    return tr("{width} letters a line", width=width) if width else tr("Lines as wide as their panel")
