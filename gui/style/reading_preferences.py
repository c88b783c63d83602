"""How texts are read, once for all pages: letters, line width, selecting by word or character."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

ZOOMS = (80, 90, 100, 110, 125, 150, 175, 200)
"""Sizes of letters on offer, per cent of the reading size."""

LINE_WIDTHS = (0, 60, 75, 90)
"""Letters in a line on offer; 0 = as many as there is room for."""


@dataclass(frozen=True, slots=True)
class ReadingPreferences:
    """percent: size of letters, of the reading size. line_width: letters in a line, 0 = the whole width."""

    percent: int = 100
    line_width: int = 0


class ReadingSignal(QObject):
    """Announces that texts are to be shown (`changed`) or selected (`selecting_changed`) another way.

    words_selected: words were selected in a text, whichever it is.
    """

    changed = Signal()
    selecting_changed = Signal()
    words_selected = Signal()


class _Texts:
    """What is in force."""

    def __init__(self) -> None:
        self.signal = ReadingSignal()
        self.now = ReadingPreferences()
        self.by_character = False


_texts = _Texts()


def signal() -> ReadingSignal:
    """What announces another size or width."""
    return _texts.signal


def now() -> ReadingPreferences:
    """The size and width in force."""
    return _texts.now


def apply(percent: int | None = None, line_width: int | None = None) -> None:
    """Show every text in this size and width; None leaves one as it is, a width that is not on offer is 0."""
    before = _texts.now
    wanted = ReadingPreferences(
        before.percent if percent is None else min(max(percent, ZOOMS[0]), ZOOMS[-1]),
        before.line_width if line_width is None else line_width if line_width in LINE_WIDTHS else 0,
    )
    if wanted != before:
        _texts.now = wanted
        _texts.signal.changed.emit()


def selects_characters() -> bool:
    """Whether selecting goes by characters instead of words."""
    return _texts.by_character


def select_by_character(is_wanted: bool) -> None:
    """Select by characters from now on, or by words."""
    if is_wanted != _texts.by_character:
        _texts.by_character = is_wanted
        _texts.signal.selecting_changed.emit()


def zoom(step: int) -> None:
    """Show letters larger (+1) or smaller (-1)."""
    nearest = min(range(len(ZOOMS)), key=lambda i: abs(ZOOMS[i] - now().percent))
    apply(percent=ZOOMS[min(max(nearest + step, 0), len(ZOOMS) - 1)])


def line_width_text(width: int) -> str:
    """What a length of lines is called."""
    return f"{width} letters a line" if width else "Lines as wide as their panel"
