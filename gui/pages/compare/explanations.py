"""Says on the Compare page how numbers came about, and how many systems or topics would tell more."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Slot

from gui.background.jobs import JobQueue
from gui.pages.compare.current_cell import CurrentCell
from gui.pages.compare.power import RequiredSizes, find_required_sizes, required_sizes_text
from gui.pages.compare.table_content import TableContent
from gui.pages.compare.texts import formula_text
from gui.session.context import Context

Say = Callable[[str, Sequence[str]], None]
"""Says sentences below a title."""


class ExplanationController(QObject):
    """Answers questions about what is in sight. content, cell: what that is, None = nothing."""

    def __init__(
        self,
        context: Context,
        say: Say,
        content: Callable[[], TableContent | None],
        cell: Callable[[], CurrentCell | None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context, self._say = context, say
        self._content, self._cell = content, cell

    @Slot()
    def explain(self) -> None:
        """Say how the numbers in sight came about."""
        if (content := self._content()) is not None:
            self._say("How did these numbers come about?", formula_text(content))

    @Slot()
    def estimate_required_sizes(self) -> None:
        """Find out how many systems or topics would tell the measure in hand from the best."""
        cell = self._cell()
        pair = cell.rivals() if cell is not None else None
        if cell is None or pair is None:
            self._context.show_message("There must be two measures with a correlation to be told apart.")
            return
        work = find_required_sizes(cell.numbers, cell.question, pair)
        job = self._context.jobs.start("Simulating studies", work, JobQueue.DRAWING)
        job.finished.connect(self._show_required_sizes)

    @Slot(object)
    def _show_required_sizes(self, needed: RequiredSizes) -> None:
        self._say("How many are needed?", required_sizes_text(needed))
