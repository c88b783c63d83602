"""What the line of encodings kept on the disk does: says how many, limits them, deletes them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.models.catalogue.user_models import added_models
from core.models.runtime.disk_cache_limits import VARIABLE, Room, make_room, room_in
from core.progress import Progress, Steps
from gui.background.jobs import Jobs, Lane
from gui.dialogs.models.values import RoomSheet

if TYPE_CHECKING:
    from gui.dialogs.models.cache_panel import EncodingsPanel

Change = Callable[[Room], None]


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
        job = self._jobs.start("Looking at encodings", looking(self._folder, change), Lane.READING)
        job.finished.connect(self._show)
        job.failed.connect(self._complain)

    @Slot(object)
    def _show(self, room: Room) -> None:
        why = f"The variable {VARIABLE} says how much" if room.is_fixed else ""
        self._panel.show_room(RoomSheet(str(room), room.most, bool(room.taken), why))

    @Slot(object)
    def _limit(self, most: int) -> None:
        self.look(partial(_limited, most))

    @Slot()
    def _empty(self) -> None:
        self.look(_emptied)


def looking(cache_folder: Path, change: Change | None) -> Steps[Room]:
    """Change something, and look how many there are."""
    yield Progress(0, 0, "")
    room = room_in(cache_folder)
    if change is None:
        return room
    change(room)
    return room_in(cache_folder)


def _limited(most: int, room: Room) -> None:
    added_models().set_encoding_bytes(most)
    make_room(room.folder, most)


def _emptied(room: Room) -> None:
    make_room(room.folder, 0)
