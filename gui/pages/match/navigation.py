"""Going from summary to summary, and through one of them."""

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
    """Selects what is to come to the front next."""

    def __init__(
        self, view: MatchView, context: Context, place: MatchLocation, progress: MatchProgress
    ) -> None:
        super().__init__(view)
        self._view, self._context, self._place, self._progress = view, context, place, progress
        self._front = annotation_session(context)
        view.cell_chosen.connect(self.go_to)
        view.next_requested.connect(self.go_to_next_undone)
        view.uncovered_requested.connect(lambda: self.step_uncovered(+1))
        view.left.panel.place.previous_requested.connect(lambda: self.step_summary(-1))
        view.left.panel.place.next_requested.connect(lambda: self.step_summary(+1))

    def commands(self) -> dict[str, Callable[[], None]]:
        """What the commands do that go somewhere."""
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
        """Select the next summary that is not done, on whatever topic."""
        self._go_or_tell(self._progress.next_undone(self._place.summary_id), "Every summary is done.")

    @Slot()
    def go_to_next_flagged(self) -> None:
        """Select the next flagged summary, on whatever topic."""
        self._go_or_tell(self._progress.next_flagged(self._place.summary_id), "No summary is flagged.")

    def step_summary(self, by: int) -> None:
        """Select the summary before (-1) or after (+1)."""
        order = summary_order(self._front.topic, self._context.annotator.id) if self._front.topic_id else ()
        if self._place.summary_id in order:
            place = order.index(self._place.summary_id) + by
            if 0 <= place < len(order):
                self.go_to(self._front.topic_id, order[place])

    def step_uncovered(self, by: int) -> None:
        """Select the next (+1) or previous (-1) words that are in no unit, going round."""
        bare = self._view.text.uncovered()
        if not bare:
            self._context.show_message("Every word of the summary is in a unit.")
            return
        caret = self._view.text.caret
        if by > 0:
            span = next((span for span in bare if span[0] >= caret), bare[0])
        else:
            span = next((span for span in reversed(bare) if span[1] < caret), bare[-1])
        self._view.text.point_at(span)

    def _go_or_tell(self, found: tuple[str, str] | None, otherwise: str) -> None:
        if found is None:
            self._context.show_message(otherwise)
        else:
            self.go_to(*found)
