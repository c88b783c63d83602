"""Selection on the Match page: an SCU, or one unit of the displayed summary."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.domain.pyramid import Match
from gui.pages.match.edits import MatchEdits
from gui.pages.match.location import MatchLocation
from gui.session.annotation_session import annotation_session
from gui.session.context import Context

if TYPE_CHECKING:
    from gui.pages.match.view import MatchView


class MatchSelection(QObject):
    """Selects and highlights SCUs and units.

    is_active: returns whether the page is visible and displays the pyramid to match against.
    """

    def __init__(
        self,
        view: MatchView,
        context: Context,
        location: MatchLocation,
        edits: MatchEdits,
        is_active: Callable[[], bool],
    ) -> None:
        super().__init__(view)
        self._view, self._context, self._location, self._edits = view, context, location, edits
        self._session, self._is_active = annotation_session(context), is_active
        self._hovered = ""
        view.unit_chosen.connect(self.choose)
        view.unit_opened.connect(self.open)
        view.unit_hovered.connect(self.hover)
        view.scus.tree.scu_checked.connect(self.toggle_match)
        context.selection.scu_changed.connect(self._select_scu)
        context.selection.pointed.connect(self._point_at)

    def show(self, *, reveal: bool = False) -> None:
        """Show the selection; a unit that does not exist any more is deselected."""
        if self._unit(self._location.match_id) is None:
            self._location.match_id = ""
        self._view.show_selected(self._location.scu_id, self._location.match_id, reveal=reveal)

    @Slot(str)
    def choose(self, unit_id: str) -> None:
        """Select an SCU, or a unit with the SCU that it expresses."""
        location, unit = self._location, self._unit(unit_id)
        if unit is not None:
            location.match_id, location.scu_id = unit_id, unit.scu_id or ""
        else:
            location.match_id, location.scu_id = self._unit_at_caret(unit_id), unit_id
        if location.scu_id:
            self._context.selection.select(scu_id=location.scu_id)
        self.show(reveal=True)

    @Slot(str)
    def open(self, unit_id: str) -> None:
        """Go to the text of a unit."""
        unit = self._unit(unit_id)
        if unit is not None and unit.parts:
            self._view.text.point_at(unit.parts[0].span)

    @Slot(str)
    def hover(self, unit_id: str) -> None:
        """Highlight an SCU, or a unit and its SCU; empty for none."""
        if unit_id != self._hovered:
            self._hovered = unit_id
            unit = self._unit(unit_id)
            self._view.show_hovered(unit_id, (unit.scu_id or "") if unit is not None else unit_id)

    @Slot(str)
    def toggle_match(self, scu_id: str) -> None:
        """Select an SCU, and match it or remove its matches; this opens no references, so no row moves."""
        self.choose(scu_id)
        self._edits.toggle_match(scu_id)

    @Slot(str)
    def _select_scu(self, scu_id: str) -> None:
        is_other = scu_id != self._location.scu_id
        if is_other:
            self._location.scu_id, self._location.match_id = scu_id, ""
        if self._is_active():
            self.show(reveal=True)
            if is_other:
                self._view.scus.tree.show_details()

    @Slot(str, int, int)
    def _point_at(self, text_id: str, start: int, end: int) -> None:
        """Show a span that another page points at."""
        if self._view.isVisible() and text_id == self._location.summary_id:
            self._view.text.point_at((start, end))

    def _unit(self, unit_id: str) -> Match | None:
        if not unit_id or not self._session.topic_id:
            return None
        return next((match for match in self._edits.matches() if match.id == unit_id), None)

    def _unit_at_caret(self, scu_id: str) -> str:
        """Return the unit of an SCU at the text cursor; empty if the text is not focused or has none."""
        unit = self._edits.unit_at(self._view.text.caret, scu_id) if self._view.text.hasFocus() else None
        return unit.id if unit is not None else ""
