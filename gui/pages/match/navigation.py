"""Navigation between summaries, and between the unmatched passages of one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from gui.annotation.progress_rows import summary_order
from gui.pages.match.location import MatchLocation
from gui.pages.match.progress import MatchProgress
from gui.session.annotation_session import annotation_session
from gui.session.context import Context

if TYPE_CHECKING:
    from gui.pages.match.view import MatchView


class MatchNavigation(QObject):
    """Selects the next summary or passage."""

    def __init__(
        self, view: MatchView, context: Context, location: MatchLocation, progress: MatchProgress
    ) -> None:
        super().__init__(view)
        self._view, self._context, self._location, self._progress = view, context, location, progress
        self._session = annotation_session(context)
        view.cell_chosen.connect(self.go_to)
        view.next_requested.connect(self.go_to_next_undone)
        view.uncovered_requested.connect(lambda: self.step_uncovered(+1))
        view.left.panel.place.previous_button.clicked.connect(lambda: self.step_summary(-1))
        view.left.panel.place.next_button.clicked.connect(lambda: self.step_summary(+1))

    def commands(self) -> dict[str, Callable[[], None]]:
        """Return the handlers of the navigation commands."""
        return {
            "match.next_undone": self.go_to_next_undone,
            "match.next_flagged": self.go_to_next_flagged,
            "match.next_uncovered": lambda: self.step_uncovered(+1),
            "match.previous_uncovered": lambda: self.step_uncovered(-1),
            "match.previous_summary": lambda: self.step_summary(-1),
            "match.next_summary": lambda: self.step_summary(+1),
        }

    @Slot(str, str)
    def go_to(self, topic_id: str, summary_id: str) -> None:
        """Select a summary."""
        self._context.selection.select(topic_id=topic_id, summary_id=summary_id)

    @Slot()
    def go_to_next_undone(self) -> None:
        """Select the next summary that is not done, in any topic."""
        self._go_to_or_show(self._progress.next_undone(self._location.summary_id), "Every summary is done.")

    @Slot()
    def go_to_next_flagged(self) -> None:
        """Select the next flagged summary, in any topic."""
        self._go_to_or_show(self._progress.next_flagged(self._location.summary_id), "No summary is flagged.")

    def step_summary(self, by: int) -> None:
        """Select the previous (-1) or next (+1) summary."""
        order = (
            summary_order(self._session.topic, self._context.annotator.id) if self._session.topic_id else ()
        )
        if self._location.summary_id in order:
            index = order.index(self._location.summary_id) + by
            if 0 <= index < len(order):
                self.go_to(self._session.topic_id, order[index])

    def step_uncovered(self, by: int) -> None:
        """Select the next (+1) or previous (-1) unmatched text, wrapping around."""
        uncovered = self._view.text.uncovered()
        if not uncovered:
            self._context.show_message("The whole summary is matched.")
            return
        caret = self._view.text.caret
        if by > 0:
            span = next((span for span in uncovered if span[0] >= caret), uncovered[0])
        else:
            span = next((span for span in reversed(uncovered) if span[1] < caret), uncovered[-1])
        self._view.text.point_at(span)

    def _go_to_or_show(self, target: tuple[str, str] | None, message: str) -> None:
        if target is None:
            self._context.show_message(message)
        else:
            self.go_to(*target)
