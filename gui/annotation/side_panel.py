"""Opening and closing of the side panel, remembered and shared by all pages that have one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from gui.session.context import Context

if TYPE_CHECKING:
    from gui.widgets.page import Page
    from gui.widgets.tabbed_panel import SidePanel

COMMAND = "view.side_panel"


class SidePanelToggle(QObject):
    """Connects a page's side panel to its command and to the preferences."""

    def __init__(self, view: Page, side: SidePanel, context: Context, page: str) -> None:
        super().__init__(view)
        self._side, self._settings = side, context.settings
        context.commands.bind(COMMAND, self._toggle, page)
        view.offer_side_panel(context.commands.action(COMMAND))
        side.set_open(self._settings.now.side_panel)
        side.open_changed.connect(self._save)
        view.shown.connect(self._apply)

    @Slot()
    def _toggle(self) -> None:
        self._side.set_open(not self._side.is_open)

    @Slot()
    def _apply(self) -> None:
        """Apply the state that was set on another page."""
        self._side.set_open(self._settings.now.side_panel)

    @Slot(bool)
    def _save(self, is_open: bool) -> None:
        self._settings.change(side_panel=is_open)
