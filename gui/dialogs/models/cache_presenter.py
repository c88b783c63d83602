"""What the line of encodings kept on the disk does: says how many, limits them, deletes them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.models.catalogue.user_models import user_models
from core.models.runtime.disk_cache_limits import VARIABLE, CacheUsage, cache_usage, evict
from core.progress import JobSteps, Progress
from gui.background.jobs import JobQueue, Jobs
from gui.dialogs.models.values import CacheDetails

if TYPE_CHECKING:
    from gui.dialogs.models.cache_panel import EncodingsPanel

Change = Callable[[CacheUsage], None]


class EncodingsPresenter(QObject):
    """Connects the line to a folder of what can be made again, None = nothing is kept between runs.

    complain: tells what did not work.
    """

    def __init__(
        self, panel: EncodingsPanel, jobs: Jobs, folder: Path | None, complain: Callable[[Exception], None]
    ) -> None:
        super().__init__(panel)
        self._panel, self._jobs, self._folder, self._complain = panel, jobs, folder, complain
        panel.setVisible(folder is not None)
        panel.limit_chosen.connect(self._limit)
        panel.empty_requested.connect(self._empty)

    def look(self, change: Change | None = None) -> None:
        """Show how many there are, after a change."""
        if self._folder is None:
            return
        job = self._jobs.start("Looking at encodings", looking(self._folder, change), JobQueue.READING)
        job.finished.connect(self._show)
        job.failed.connect(self._complain)

    @Slot(object)
    def _show(self, room: CacheUsage) -> None:
        why = f"The variable {VARIABLE} says how much" if room.is_fixed else ""
        self._panel.show_room(CacheDetails(str(room), room.most, bool(room.taken), why))

    @Slot(object)
    def _limit(self, most: int) -> None:
        self.look(partial(_limited, most))

    @Slot()
    def _empty(self) -> None:
        self.look(_emptied)


def looking(cache_folder: Path, change: Change | None) -> JobSteps[CacheUsage]:
    """Change something, and look how many there are."""
    yield Progress(0, 0, "")
    room = cache_usage(cache_folder)
    if change is None:
        return room
    change(room)
    return cache_usage(cache_folder)


def _limited(most: int, room: CacheUsage) -> None:
    user_models().set_encoding_bytes(most)
    evict(room.folder, most)


def _emptied(room: CacheUsage) -> None:
    evict(room.folder, 0)
