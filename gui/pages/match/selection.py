"""What is selected on the page of matches: an SCU, or one unit of the summary in front."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from core.domain.pyramid import Match
from gui.pages.match.edits import MatchEdits
from gui.pages.match.location import MatchLocation
from gui.session.annotation_session import annotation_session
from gui.session.context import Context

if TYPE_CHECKING:
    from gui.pages.match.view import MatchView


class MatchSelection(QObject):
    """Selects, lights up, goes to.

    is_in_front: whether the page is shown with the pyramid that it matches against.

    Signals:
        chosen: another SCU or unit may be selected now.
    """

    chosen = Signal()

    def __init__(
        self,
        view: MatchView,
        context: Context,
        place: MatchLocation,
        edits: MatchEdits,
        is_in_front: Callable[[], bool],
    ) -> None:
        super().__init__(view)
        self._view, self._context, self._place, self._edits = view, context, place, edits
        self._front, self._is_in_front = annotation_session(context), is_in_front
        self._hovered = ""
        view.unit_chosen.connect(self.choose)
        view.unit_opened.connect(self.open)
        view.unit_hovered.connect(self.hover)
        view.scu_checked.connect(self.check)
        context.selection.scu_changed.connect(self._select_scu)
        context.selection.pointed.connect(self._point_at)

    def show(self, *, reveal: bool = False) -> None:
        """Show what is selected; a unit that is gone is not any more."""
        if self._unit(self._place.match_id) is None:
            self._place.match_id = ""
        self._view.show_selected(self._place.scu_id, self._place.match_id, reveal=reveal)
        self.chosen.emit()

    @Slot(str)
    def choose(self, unit_id: str) -> None:
        """Select an SCU, or a unit with the SCU that it expresses."""
        place, unit = self._place, self._unit(unit_id)
        if unit is not None:
            place.match_id, place.scu_id = unit_id, unit.scu_id or ""
        else:
            place.match_id, place.scu_id = self._unit_clicked(unit_id), unit_id
        if place.scu_id:
            self._context.selection.select(scu_id=place.scu_id)
        self.show(reveal=True)

    @Slot(str)
    def open(self, unit_id: str) -> None:
        """Go to a unit's words."""
        unit = self._unit(unit_id)
        if unit is not None and unit.parts:
            self._view.text.point_at(unit.parts[0].span)

    @Slot(str)
    def hover(self, unit_id: str) -> None:
        """Light up an SCU, or a unit with its SCU; empty = none."""
        if unit_id != self._hovered:
            self._hovered = unit_id
            unit = self._unit(unit_id)
            self._view.show_hovered(unit_id, (unit.scu_id or "") if unit is not None else unit_id)

    @Slot(str)
    def check(self, scu_id: str) -> None:
        """Select an SCU and do what its check box does."""
        self.choose(scu_id)
        self._edits.check(scu_id)

    @Slot(str)
    def _select_scu(self, scu_id: str) -> None:
        if scu_id != self._place.scu_id:
            self._place.scu_id, self._place.match_id = scu_id, ""
        if self._is_in_front():
            self.show(reveal=True)

    @Slot(str, int, int)
    def _point_at(self, text_id: str, start: int, end: int) -> None:
        """Show words that somebody points at elsewhere."""
        if self._view.isVisible() and text_id == self._place.summary_id:
            self._view.text.point_at((start, end))

    def _unit(self, unit_id: str) -> Match | None:
        if not unit_id or not self._front.topic_id:
            return None
        return next((match for match in self._edits.matches() if match.id == unit_id), None)

    def _unit_clicked(self, scu_id: str) -> str:
        """The unit of an SCU that the caret stands in, if the text has the keyboard; empty = none."""
        under = self._edits.unit_at(self._view.text.caret, scu_id) if self._view.text.hasFocus() else None
        return under.id if under is not None else ""
