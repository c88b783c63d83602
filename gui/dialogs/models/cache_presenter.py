"""Presenter of the encoding cache: shows its size, sets its limit, clears it."""

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
    """Connects the panel to the cache folder, None = nothing is cached between runs.

    show_problem: shows an error.
    """

    def __init__(
        self,
        panel: EncodingsPanel,
        jobs: Jobs,
        folder: Path | None,
        show_problem: Callable[[Exception], None],
    ) -> None:
        super().__init__(panel)
        self._panel, self._jobs, self._folder, self._show_problem = panel, jobs, folder, show_problem
        panel.setVisible(folder is not None)
        panel.limit_chosen.connect(self._limit)
        panel.empty_button.clicked.connect(self._empty)

    def update(self, change: Change | None = None) -> None:
        """Apply a change, if any, and show the size of the cache."""
        if self._folder is None:
            return
        job = self._jobs.start(
            "Measuring the encoding cache", measure_cache(self._folder, change), JobQueue.READING
        )
        job.finished.connect(self._show)
        job.failed.connect(self._show_problem)

    @Slot(object)
    def _show(self, usage: CacheUsage) -> None:
        fixed_reason = f"The environment variable {VARIABLE} sets the limit" if usage.is_fixed else ""
        self._panel.show_cache(CacheDetails(str(usage), usage.most, bool(usage.taken), fixed_reason))

    @Slot(object)
    def _limit(self, most: int) -> None:
        self.update(partial(_set_limit, most))

    @Slot()
    def _empty(self) -> None:
        self.update(_delete_all)


def measure_cache(cache_folder: Path, change: Change | None) -> JobSteps[CacheUsage]:
    """Apply a change to the cache, if any, and measure the cache."""
    yield Progress(0, 0, "")
    usage = cache_usage(cache_folder)
    if change is None:
        return usage
    change(usage)
    return cache_usage(cache_folder)


def _set_limit(most: int, usage: CacheUsage) -> None:
    user_models().set_encoding_bytes(most)
    evict(usage.folder, most)


def _delete_all(usage: CacheUsage) -> None:
    evict(usage.folder, 0)
