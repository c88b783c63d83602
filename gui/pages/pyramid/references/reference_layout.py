"""Layout of the references and navigation between them. The layout is stored in the settings."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from gui.session.context import Context
from gui.style.language import tr

if TYPE_CHECKING:
    from gui.pages.pyramid.references.reference_bar import ReferenceBar
    from gui.pages.pyramid.references.reference_stack import ReferenceStack

ALL_COVERED = tr("Every word of these references is covered.")
NUMBERED = 9
"""Number of references with a shortcut of their own."""


class ReferenceLayoutController(QObject):
    """Connects the controls and the shortcuts to the references."""

    def __init__(self, stack: ReferenceStack, bar: ReferenceBar, context: Context, page: str) -> None:
        super().__init__(stack)
        self._stack, self._bar, self._context = stack, bar, context
        layout = context.settings.now.reference_layout
        bar.layouts.choose(layout)
        stack.show_layout(layout)
        bar.layouts.chosen.connect(self._lay_out)
        bar.uncovered_box.toggled.connect(lambda is_only: stack.show_covered(not is_only))
        bar.all_button.clicked.connect(lambda: stack.show_alone(None))
        bar.stepped.connect(stack.step)
        stack.alone_changed.connect(bar.show_alone)
        context.selection.pointed.connect(self._point_at)
        self._bind_commands(page)

    @Slot(str)
    def _lay_out(self, layout: str) -> None:
        self._context.settings.change(reference_layout=layout)
        self._bar.layouts.choose(layout)
        self._stack.show_layout(layout)

    @Slot(str, int, int)
    def _point_at(self, text_id: str, start: int, end: int) -> None:
        """Show text that another page points at, with covered text visible."""
        if self._stack.isVisible() and self._stack.section(text_id) is not None:
            self._bar.uncovered_box.setChecked(False)
            self._stack.point_at(text_id, (start, end))

    def _bind_commands(self, page: str) -> None:
        stack, bar, commands = self._stack, self._bar, self._context.commands
        for command, handler in (
            ("reference.beside", self._change_layout),
            ("reference.uncovered", bar.uncovered_box.toggle),
            ("reference.next_uncovered", lambda: self._step_uncovered(+1)),
            ("reference.previous_uncovered", lambda: self._step_uncovered(-1)),
            ("reference.next", lambda: stack.step(+1)),
            ("reference.previous", lambda: stack.step(-1)),
            ("reference.alone", stack.toggle_alone),
            ("reference.all", lambda: stack.show_alone(None)),
        ):
            commands.bind(command, handler, page)
        for number in range(1, NUMBERED + 1):
            commands.bind(f"reference.only_{number}", partial(self._toggle_only, number - 1), page)
        bar.next_button.follow(commands.action("reference.next_uncovered"))
        bar.previous_button.follow(commands.action("reference.previous_uncovered"))

    @Slot()
    def _change_layout(self) -> None:
        keys = self._bar.layouts.keys
        self._lay_out(keys[(keys.index(self._bar.layouts.current) + 1) % len(keys)])

    def _toggle_only(self, index: int) -> None:
        if index < len(self._stack.sections):
            self._stack.show_alone(None if index == self._stack.alone else index)
            self._stack.sections[index].text.setFocus()

    def _step_uncovered(self, by: int) -> None:
        if not self._stack.step_uncovered(by):
            self._context.show_message(ALL_COVERED)
