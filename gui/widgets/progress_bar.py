"""Thin progress bar; the number is always shown next to it."""

from __future__ import annotations

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QProgressBar

from core.progress import Progress
from gui.style.language import tr
from gui.widgets.accessible import set_role

_QUARTER = 10_000


class ProgressBar(QProgressBar):
    """A progress bar 6 px high, without text.

    Screen readers speak each change of the value, so it changes only with each quarter; within one, the
    maximum changes.
    """

    def __init__(self, name: str = tr("Progress")) -> None:
        super().__init__()
        self.setTextVisible(False)
        self.setAccessibleName(name)
        self.show_share(0.0)

    def show_share(self, share: float | None) -> None:
        """Fill a share (0 to 1) of the bar; None = unknown, shown by a moving bar."""
        if share is None:
            self.setRange(0, 0)
        else:
            share = min(max(share, 0.0001), 1.0)
            value = _QUARTER * (1 + int(4 * share))
            self.setRange(0, round(value / share))
            self.setValue(value)

    def show_progress(self, progress: Progress) -> None:
        """Show a Progress."""
        self.show_share(progress.done / progress.total if progress.total > 0 else None)


class ShareBar(ProgressBar):
    """A bar of a share that belongs to no running work: its changes are not spoken."""


set_role(ShareBar, QAccessible.Role.Graphic)


def percent(progress: Progress) -> str:
    """Return the progress as ``64 %``, empty if unknown."""
    return f"{100 * progress.done / progress.total:.0f} %" if progress.total > 0 else ""


def time_left(seconds: float | None) -> str:
    """Return the remaining time as ``2:10 left`` or ``1 h 05 left``, empty if unknown."""
    if seconds is None:
        return ""
    whole = round(seconds)
    if whole >= 3600:
        return tr("{hours} h {minutes:02d} left", hours=whole // 3600, minutes=whole % 3600 // 60)
    return tr("{minutes}:{seconds:02d} left", minutes=whole // 60, seconds=whole % 60)
