"""Says on the Compare page how numbers came about, and how many systems or topics would tell more."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Slot

from gui.background.jobs import JobQueue
from gui.pages.compare.current_cell import CurrentCell
from gui.pages.compare.power import RequiredSizes, finding_needed, needed_text
from gui.pages.compare.table_content import TableContent
from gui.pages.compare.texts import formula_text
from gui.session.context import Context

Say = Callable[[str, Sequence[str]], None]
"""Says sentences below a title."""


class ExplanationController(QObject):
    """Answers questions about what is in sight. sheet, in_hand: what that is, None = nothing."""

    def __init__(
        self,
        context: Context,
        say: Say,
        sheet: Callable[[], TableContent | None],
        in_hand: Callable[[], CurrentCell | None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context, self._say = context, say
        self._sheet, self._in_hand = sheet, in_hand

    @Slot()
    def explain(self) -> None:
        """Say how the numbers in sight came about."""
        if (sheet := self._sheet()) is not None:
            self._say("How did these numbers come about?", formula_text(sheet))

    @Slot()
    def ask_how_many(self) -> None:
        """Find out how many systems or topics would tell the measure in hand from the best."""
        in_hand = self._in_hand()
        pair = in_hand.rivals() if in_hand is not None else None
        if in_hand is None or pair is None:
            self._context.show_message("There must be two measures with a correlation to be told apart.")
            return
        work = finding_needed(in_hand.numbers, in_hand.question, pair)
        job = self._context.jobs.start("Simulating studies", work, JobQueue.DRAWING)
        job.finished.connect(self._say_needed)

    @Slot(object)
    def _say_needed(self, needed: RequiredSizes) -> None:
        self._say("How many are needed?", needed_text(needed))
