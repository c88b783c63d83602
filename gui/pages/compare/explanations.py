"""Explanations on the Compare page: formulas and required sample sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Slot

from gui.background.jobs import JobQueue
from gui.pages.compare.current_cell import CurrentCell
from gui.pages.compare.power import RequiredSizes, find_required_sizes, required_sizes_text
from gui.pages.compare.table_content import TableContent
from gui.pages.compare.texts import formula_text
from gui.session.context import Context

ShowText = Callable[[str, Sequence[str]], None]
"""Display sentences below a title."""


class ExplanationController(QObject):
    """Explains what is displayed. content, cell: return it; None = nothing."""

    def __init__(
        self,
        context: Context,
        show_text: ShowText,
        content: Callable[[], TableContent | None],
        cell: Callable[[], CurrentCell | None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context, self._show_text = context, show_text
        self._content, self._cell = content, cell

    @Slot()
    def explain(self) -> None:
        """Display how the numbers are computed."""
        if (content := self._content()) is not None:
            self._show_text("How are these numbers computed?", formula_text(content))

    @Slot()
    def estimate_required_sizes(self) -> None:
        """Estimate how many systems or topics are required to separate the current measure from the best."""
        cell = self._cell()
        pair = cell.rivals() if cell is not None else None
        if cell is None or pair is None:
            self._context.show_message("At least two measures with a defined correlation are required.")
            return
        work = find_required_sizes(cell.numbers, cell.question, pair)
        job = self._context.jobs.start("Simulating studies", work, JobQueue.DRAWING)
        job.finished.connect(self._show_required_sizes)

    @Slot(object)
    def _show_required_sizes(self, needed: RequiredSizes) -> None:
        self._show_text("How many are needed?", required_sizes_text(needed))
