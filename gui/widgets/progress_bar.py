"""How far something is: a thin bar; the number always stands beside it in words."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar

from core.progress import Progress


class ProgressBar(QProgressBar):
    """A 6 px bar without text in it."""

    def __init__(self, name: str = "Progress") -> None:
        super().__init__()
        self.setTextVisible(False)
        self.setAccessibleName(name)
        self.setRange(0, 1000)

    def show_share(self, share: float | None) -> None:
        """Fill a share (0 to 1) of the bar; it runs to and fro while nobody knows (None)."""
        if share is None:
            self.setRange(0, 0)
        else:
            self.setRange(0, 1000)
            self.setValue(round(min(max(share, 0.0), 1.0) * 1000))

    def show_progress(self, progress: Progress) -> None:
        """Fill as far as the work is."""
        self.show_share(progress.done / progress.total if progress.total > 0 else None)


def percent(progress: Progress) -> str:
    """``64 %``, empty while nobody knows."""
    return f"{100 * progress.done / progress.total:.0f} %" if progress.total > 0 else ""


def time_left(seconds: float | None) -> str:
    """``2:10 left``, ``1 h 05 left``; empty while nobody knows."""
    if seconds is None:
        return ""
    whole = round(seconds)
    if whole >= 3600:
        return f"{whole // 3600} h {whole % 3600 // 60:02d} left"
    return f"{whole // 60}:{whole % 60:02d} left"
