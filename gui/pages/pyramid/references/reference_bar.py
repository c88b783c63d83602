"""Controls above the references: layout, single reference, uncovered text."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QStackedWidget, QWidget

from core.domain.pyramid import UnitKind
from gui.pages.pyramid.references.reference_stack import MIN_WIDTH_PX, SIDE_BY_SIDE, STACKED, ReferenceStack
from gui.session.context import Context
from gui.style import icons
from gui.style.language import in_terms_of, plain_tip, tr
from gui.style.theme import MEDIUM, SMALL, TIGHT, px
from gui.widgets.buttons import ActionButton, link_button
from gui.widgets.controls.segmented_control import Segmented
from gui.widgets.controls.stepper import Stepper
from gui.widgets.layouts import Stretch, hbox

_LAYOUTS = ((STACKED, tr("Stacked"), "rows"), (SIDE_BY_SIDE, tr("Side by side"), "columns"))
_UNCOVERED = tr("Uncovered only")
_TEXT_FROM_PX = 470


class ReferenceBar(QWidget):
    """The row of controls above the references.

    Signals:
        stepped: go to the previous (-1) or next (+1) reference.
    """

    stepped = Signal(int)

    def __init__(self, kind: UnitKind = UnitKind.SCU) -> None:
        super().__init__()
        self.layouts = Segmented(tr("Layout of references"), [(key, title) for key, title, _ in _LAYOUTS])
        self.place, self.all_button = Stepper(tr("reference")), link_button(tr("Show all"))
        self.uncovered_box = QCheckBox(_UNCOVERED)
        self.uncovered_box.setAccessibleName(_UNCOVERED)
        self.uncovered_box.setToolTip(plain_tip(in_terms_of(kind, tr("Hide text that is covered by an SCU"))))
        self.previous_button = ActionButton("chevron-up", tr("Previous uncovered words"))
        self.next_button = ActionButton("chevron-down", tr("Next uncovered words"))
        self._pages = QStackedWidget()
        self._pages.addWidget(_left_aligned(self.layouts))
        self._pages.addWidget(_left_aligned(self.place, self.all_button))
        self._row = row = hbox(
            self._pages, Stretch(1), parent=self, margins=(MEDIUM, SMALL, MEDIUM, 0), spacing=TIGHT
        )
        for button in (self.uncovered_box, self.previous_button, self.next_button):
            row.addWidget(button)
        self.place.previous_button.clicked.connect(lambda: self.stepped.emit(-1))
        self.place.next_button.clicked.connect(lambda: self.stepped.emit(+1))

    @Slot(int, int)
    def show_alone(self, position: int, total: int) -> None:
        """Show which reference is displayed alone, counted from 1; 0 if all are displayed."""
        self._pages.setCurrentIndex(1 if position else 0)
        self.place.show_place("", "", position, total)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit(has_room=self.width() >= px(_TEXT_FROM_PX))

    def _fit(self, *, has_room: bool) -> None:
        """Label the layouts with text if it fits, else with icons."""
        style = Qt.ToolButtonStyle.ToolButtonTextOnly if has_room else Qt.ToolButtonStyle.ToolButtonIconOnly
        for key, title, icon in _LAYOUTS:
            button = self.layouts.button(key)
            button.setToolButtonStyle(style)
            button.setToolTip(plain_tip("" if has_room else title))
            icons.set_icon(button, icon)
        for text in [_UNCOVERED] if has_room else [tr("Uncovered"), ""]:  # at last an icon
            self.uncovered_box.setText(text)
            icons.set_icon(self.uncovered_box, "" if text else "eye-off")
            if self._row.minimumSize().width() <= self.width():
                break

    def minimumSizeHint(self) -> QSize:
        return QSize(px(MIN_WIDTH_PX), super().minimumSizeHint().height())


def _left_aligned(*widgets: QWidget) -> QWidget:
    """Return the widgets in a left-aligned row, at their preferred widths."""
    container = QWidget()
    hbox(*widgets, Stretch(1), parent=container, spacing=TIGHT)
    return container


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
