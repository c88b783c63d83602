"""Panel of the table of measures with its choices, notices and footer."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QVBoxLayout, QWidget

from core.operations import options
from gui.pages.compare.table.measure_table import MeasureTree
from gui.pages.compare.values import MeasureTable
from gui.results.table_and_figure_files import COPY_FORMATS
from gui.style.language import plain_tip, tr
from gui.style.theme import SMALL, Type, px
from gui.widgets.buttons import SearchField, edits, icon_button, link_button, menu_button
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.layouts import hbox, vbox
from gui.widgets.panel import Panel

OPTIONS: tuple[tuple[str, str, Mapping[str, str]], ...] = (
    ("interval", tr("Intervals"), options.INTERVALS),
    ("interval_method", tr("Bootstrap intervals"), options.ENDS),
    ("test", tr("Comparison with the best"), {**options.TESTS, "none": tr("No test")}),
    ("family", tr("Measures tested"), options.FAMILIES),
    ("adjust", tr("Multiple testing"), options.ADJUSTMENTS),
    ("undefined", tr("Undefined coefficients"), options.UNDEFINED),
    (
        "common_topics",
        tr("Incomplete measures"),
        {"no": tr("Do not rank"), "yes": tr("Compare all on common topics")},
    ),
    ("include_experiments", tr("Measures of sweeps and recipes"), {"no": tr("Hide"), "yes": tr("Show")}),
    ("families", tr("Rows"), {"yes": tr("Group by family"), "no": tr("Single list")}),
)
"""Fields of the request and of the table, each with the titles of its values."""


_LARGE_TEXT = 100


class MeasurePanel(Panel):
    """The table with its controls.

    Signals:
        option_chosen: an option's key and value. filtered: the filter has changed.
        copy_requested: a format.
    """

    option_chosen = Signal(str, str)
    filtered = Signal()
    copy_requested = Signal(str)

    def __init__(self) -> None:
        super().__init__(tr("Measures"), hairline=False)
        self.options = ChoiceMenu("settings", tr("Intervals, tests and undefined values"))
        for key, title, choices in OPTIONS:
            self.options.add_choice(key, title, choices)
        self.search = SearchField(tr("Find a measure"))
        self.search.hide()
        self.table = MeasureTree()
        self.footer_label = ElidedLabel("", Type.SMALL, "muted")
        self.method_label = ElidedLabel("", Type.SMALL, "muted")
        self.legend = (
            Label("●", Type.SMALL, "accent"),
            Label(tr("not significantly different from the best"), Type.SMALL, "muted"),
        )
        self.formula_button = link_button(tr("Formula"))
        self.formula_button.setToolTip(tr("Show how these numbers are computed"))
        self._choosers = hbox(spacing=SMALL)
        holder = QWidget()
        self._choosers.setContentsMargins(0, 0, 0, 0)
        holder.setLayout(self._choosers)
        if px(_LARGE_TEXT) > 4 * _LARGE_TEXT // 3:  # choices with large texts do not fit next to buttons
            self.add(holder, padded=True)
        else:
            self.add_before_title(holder)
            self.title_label.hide()
        find = icon_button("filter", tr("Find a measure"))
        find.clicked.connect(self.focus_find)
        self.save_button = icon_button("download", tr("Save the table…"))
        self.report_button = icon_button("report", tr("Add the table to the report"))
        edits(self.report_button)
        copy = menu_button("copy", tr("Copy the table"), COPY_FORMATS, self.copy_requested.emit)
        for button in (find, self.options.button, copy, self.save_button, self.report_button):
            self.add_action(button)
        above = vbox(self.search, margins=(SMALL, 0, SMALL, SMALL), spacing=SMALL)
        self.add(above)
        self.add(self.table, 1)
        self.add_foot(self._foot())
        self.options.chosen.connect(self._option)
        self.search.filter_rows(self.table, self._find)
        self.table.copy_requested.connect(lambda: self.copy_requested.emit("tsv"))

    def add_chooser(self, widget: QWidget) -> None:
        """Add a choice of systems, topics or judgements to the header."""
        self._choosers.addWidget(widget)

    def show_table(self, table: MeasureTable) -> None:
        self.footer_label.setText(table.footer)
        self.method_label.setText(table.method)
        for part in self.legend:
            part.setVisible(bool(table.against_best[0]))
        self.table.show_table(table)

    def focus_find(self) -> None:
        self.search.show()
        self.search.focus_default()

    def _option(self, key: str, value: str) -> None:
        if key == "families":
            self.table.show_families(value == "yes")
        else:
            self.option_chosen.emit(key, value)

    def _find(self, text: str) -> None:
        self.table.measures.find(text)
        self.filtered.emit()

    def _foot(self) -> QVBoxLayout:
        upper = hbox((self.footer_label, 1), self.formula_button, spacing=SMALL)
        return vbox(upper, hbox((self.method_label, 1), *self.legend, spacing=SMALL), spacing=0)


class ChoiceMenu(QMenu):
    """A menu with one submenu per option, whose title shows the current value.

    Signals:
        chosen: an option's key and its new value.
    """

    chosen = Signal(str, str)

    def __init__(self, icon: str, name: str) -> None:
        self.button: QToolButton = icon_button(icon, name)
        super().__init__(self.button)
        self._titles: dict[str, str] = {}
        self._menus: dict[str, QMenu] = {}
        self.button.setMenu(self)
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)

    def add_choice(self, key: str, title: str, choices: Mapping[str, str]) -> None:
        """Add a choice; of its values, each with a title, the first is chosen."""
        menu = self.addMenu(title)
        group = QActionGroup(menu)
        for value, words in choices.items():
            action = menu.addAction(words)
            action.setCheckable(True)
            action.setData(str(value))
            group.addAction(action)
            action.triggered.connect(lambda _, value=str(value): self._pick(key, value))
        self._titles[key], self._menus[key] = title, menu
        self.choose(key, next(iter(choices)))

    def choose(self, key: str, value: str) -> None:
        """Set an option without a signal."""
        for action in self._menus[key].actions():
            if action.data() == value:
                action.setChecked(True)
                self._menus[key].setTitle(f"{self._titles[key]}: {action.text()}")

    def action(self, key: str, value: str) -> QAction:
        return next(action for action in self._menus[key].actions() if action.data() == value)

    def refuse(self, key: str, value: str, reason: str) -> None:
        """Disable one choice for a reason, which its tooltip gives; an empty reason enables it."""
        menu = self._menus[key]
        menu.setToolTipsVisible(True)
        for action in menu.actions():
            if action.data() == value:
                action.setEnabled(not reason)
                action.setToolTip(plain_tip(reason))

    def current(self, key: str) -> str:
        return next(str(a.data()) for a in self._menus[key].actions() if a.isChecked())

    def _pick(self, key: str, value: str) -> None:
        self.choose(key, value)
        self.chosen.emit(key, value)
