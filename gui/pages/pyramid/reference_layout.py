"""How the references of a page are laid out and walked through; remembered from study to study."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from gui.session.context import Context

if TYPE_CHECKING:
    from gui.pages.pyramid.reference_bar import ReferenceBar
    from gui.pages.pyramid.reference_stack import ReferenceStack

ALL_COVERED = "Every word of these references is covered."
NUMBERED = 9
"""How many references have a key of their own."""


class ReferenceReading(QObject):
    """Connects the bar of controls and the keys to the references."""

    def __init__(self, stack: ReferenceStack, bar: ReferenceBar, context: Context, page: str) -> None:
        super().__init__(stack)
        self._stack, self._bar, self._context = stack, bar, context
        kept = context.settings.now.reference_layout
        bar.layouts.choose(kept)
        stack.show_layout(kept)
        bar.layout_chosen.connect(self._lay_out)
        bar.uncovered_chosen.connect(lambda is_alone: stack.show_covered(not is_alone))
        bar.all_requested.connect(lambda: stack.show_alone(None))
        bar.stepped.connect(stack.step)
        stack.alone_changed.connect(bar.show_alone)
        context.selection.pointed.connect(self._point_at)
        self._offer_commands(page)

    @Slot(str)
    def _lay_out(self, layout: str) -> None:
        self._context.settings.change(reference_layout=layout)
        self._bar.layouts.choose(layout)
        self._stack.show_layout(layout)

    @Slot(str, int, int)
    def _point_at(self, text_id: str, start: int, end: int) -> None:
        """Show words that somebody points at elsewhere, in the whole text."""
        if self._stack.isVisible() and self._stack.section(text_id) is not None:
            self._bar.uncovered_box.setChecked(False)
            self._stack.point_at(text_id, (start, end))

    def _offer_commands(self, page: str) -> None:
        stack, bar, commands = self._stack, self._bar, self._context.commands
        for command, do in (
            ("reference.beside", self._change_layout),
            ("reference.uncovered", bar.uncovered_box.toggle),
            ("reference.next_uncovered", lambda: self._step_uncovered(+1)),
            ("reference.previous_uncovered", lambda: self._step_uncovered(-1)),
            ("reference.next", lambda: stack.step(+1)),
            ("reference.previous", lambda: stack.step(-1)),
            ("reference.alone", stack.toggle_alone),
            ("reference.all", lambda: stack.show_alone(None)),
        ):
            commands.bind(command, do, page)
        for number in range(1, NUMBERED + 1):
            commands.bind(f"reference.only_{number}", partial(self._show_only, number - 1), page)
        bar.next_button.follow(commands.action("reference.next_uncovered"))
        bar.previous_button.follow(commands.action("reference.previous_uncovered"))

    @Slot()
    def _change_layout(self) -> None:
        keys = self._bar.layouts.keys
        self._lay_out(keys[(keys.index(self._bar.layouts.current) + 1) % len(keys)])

    def _show_only(self, place: int) -> None:
        if place < len(self._stack.sections):
            self._stack.show_alone(None if place == self._stack.alone else place)
            self._stack.sections[place].text.setFocus()

    def _step_uncovered(self, by: int) -> None:
        if not self._stack.step_uncovered(by):
            self._context.show_message(ALL_COVERED)
