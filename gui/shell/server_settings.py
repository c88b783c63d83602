"""Settings page of the servers that may be contacted: addresses, where their keys are, prices."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QLocale, QSignalBlocker, Slot
from PySide6.QtWidgets import QDoubleSpinBox, QLineEdit, QWidget

from gui.item_models.table_model import Column
from gui.style.language import tr
from gui.style.theme import SMALL, Type, px
from gui.widgets.buttons import plain_button
from gui.widgets.controls import ComboBox
from gui.widgets.dialog import FormPage
from gui.widgets.label import Label
from gui.widgets.layouts import Stretch, hbox
from gui.widgets.lists.table_view import RowTable

NO_KEY, VARIABLE, KEYRING = "", "variable", "keyring"
"""Where the key of a server can be."""

_HEIGHT, _DIGITS, _DEAREST = 130, 4, 1e5
_UNKNOWN = -(10.0**-_DIGITS)
"""Number of a field that stands for no price."""


@dataclass(frozen=True, slots=True)
class ServerRow:
    """A server: its address, where its key is, the variable that holds it, prices of a million tokens.

    secret: the key itself where one was entered to be stored in the keyring; never shown.
    """

    url: str = ""
    key: str = NO_KEY
    variable: str = ""
    price_in: float = math.nan
    price_out: float = math.nan
    secret: str = ""


Store = Callable[[Sequence[ServerRow]], str]
"""Stores servers; returns why it cannot, empty = they are stored."""


class ServersPane(FormPage):
    """The servers, and the fields of the selected one, which change its row as they are typed into.

    problem: why the servers cannot be read; then none can be changed.
    """

    def __init__(self, servers: Sequence[ServerRow], store: Store, problem: str = "") -> None:
        super().__init__()
        self._servers, self._store = list(servers), store
        self.table = RowTable[ServerRow](
            tr("Servers"),
            [
                Column(tr("Address"), lambda s: s.url, cell_tip=lambda s: s.url),
                Column(tr("Key"), _key_text, cell_tip=_key_text),
                Column(tr("Price in"), lambda s: s.price_in, _price_text),
                Column(tr("Price out"), lambda s: s.price_out, _price_text),
            ],
            can_sort=False,
        )
        self.table.fit(stretch=0, widths={1: 150, 2: 90, 3: 100})
        self.table.setFixedHeight(px(_HEIGHT))
        self.add_button, self.remove_button = plain_button(tr("Add"), "plus"), plain_button(tr("Remove"))
        self.url_edit, self.variable_edit, self.secret_edit = QLineEdit(), QLineEdit(), QLineEdit()
        self.url_edit.setPlaceholderText("https://api.example.org/v1")
        self.variable_edit.setPlaceholderText("OPENAI_API_KEY")
        self.secret_edit.setEchoMode(QLineEdit.EchoMode.Password)
        self.secret_edit.setPlaceholderText(tr("Key; empty = as stored"))
        places = (NO_KEY, tr("None needed")), (VARIABLE, tr("In an environment variable"))
        self.key_box = ComboBox(tr("Key"), (*places, (KEYRING, tr("In the keyring of this computer"))), 14)
        self.price_in, self.price_out = _price_field(tr("Price in")), _price_field(tr("Price out"))
        self.problem_label = Label(problem, Type.SMALL, "error", wrap=True)
        self.problem_label.setVisible(bool(problem))
        self._lay_out()
        self.setEnabled(not problem)
        self.table.row_chosen.connect(self._show_current)
        self.add_button.clicked.connect(self.add)
        self.remove_button.clicked.connect(self.remove)
        for edit in (self.url_edit, self.variable_edit, self.secret_edit):
            edit.textEdited.connect(self._change)
        self.key_box.activated.connect(self._change)
        for field in (self.price_in, self.price_out):
            field.valueChanged.connect(self._change)
        self._show_rows(0)

    def _lay_out(self) -> None:
        buttons, key, prices = QWidget(), QWidget(), QWidget()
        hbox(self.add_button, self.remove_button, Stretch(1), parent=buttons, spacing=SMALL)
        hbox((self.key_box, 1), (self.variable_edit, 1), (self.secret_edit, 1), parent=key, spacing=SMALL)
        key.setFocusProxy(self.key_box)
        prompts, answers = Label(tr("Prompts")), Label(tr("Answers"))
        prompts.setBuddy(self.price_in)
        answers.setBuddy(self.price_out)
        named = prompts, (self.price_in, 1), answers, (self.price_out, 1)
        hbox(*named, parent=prices, spacing=SMALL)
        prices.setFocusProxy(self.price_in)
        self.variable_edit.setAccessibleName(tr("Name of the environment variable"))
        self.secret_edit.setAccessibleName(tr("Key to store in the keyring"))
        what = tr("Servers of language models and indexes that may be contacted. Keys are in no study.")
        self.add_part(Label(what, Type.SMALL, "muted", wrap=True))
        self.add_part(self.table)
        self.add_part(buttons)
        self.add_field(tr("Address"), self.url_edit)
        self.add_field(tr("Key"), key)
        self.add_field(tr("Price of a million tokens"), prices, tr("For estimates of what a run costs."))
        self.add_part(self.problem_label)

    def store(self) -> bool:
        """Store the servers; return whether that was possible. Else the reason is shown."""
        if not self.isEnabled():
            return True
        problem = self._store([one for one in self._servers if one != ServerRow()])
        self.problem_label.setText(problem)
        self.problem_label.setVisible(bool(problem))
        return not problem

    @Slot()
    def add(self) -> None:
        """Add a server, whose address is to be typed."""
        if ServerRow() not in self._servers:
            self._servers.append(ServerRow())
        self._show_rows(self._servers.index(ServerRow()))
        self.url_edit.setFocus()

    @Slot()
    def remove(self) -> None:
        """Remove the selected server."""
        at = self.table.currentIndex().row()
        del self._servers[at]
        self._show_rows(min(at, len(self._servers) - 1))

    @Slot()
    def _change(self) -> None:
        """Change the selected row as its fields are now; without one, add one."""
        at = self.table.currentIndex().row()
        if at < 0:
            at = len(self._servers)
            self._servers.append(ServerRow())
        self._servers[at] = replace(
            self._servers[at],
            url=self.url_edit.text().strip(),
            key=str(self.key_box.currentData()),
            variable=self.variable_edit.text().strip(),
            price_in=_price(self.price_in, self._servers[at].price_in),
            price_out=_price(self.price_out, self._servers[at].price_out),
            secret=self.secret_edit.text(),
        )
        self._show_rows(at)

    def _show_rows(self, at: int) -> None:
        """Show the rows, with one of them as the current one; -1 = none."""
        with QSignalBlocker(self.table):
            self.table.rows.set_rows(tuple(self._servers))
            self.table.setCurrentIndex(self.table.sorted.index(at, 0))
        self._show_current()

    @Slot()
    def _show_current(self) -> None:
        current = self.table.current or ServerRow()
        self.remove_button.setEnabled(self.table.current is not None)
        for edit, text in (
            (self.url_edit, current.url),
            (self.variable_edit, current.variable),
            (self.secret_edit, current.secret),
        ):
            if edit.text().strip() != text.strip():  # else the caret would jump
                edit.setText(text)
        self.key_box.choose(current.key)
        self.variable_edit.setVisible(current.key != KEYRING)
        self.variable_edit.setEnabled(current.key == VARIABLE)
        self.secret_edit.setVisible(current.key == KEYRING)
        for field, price in ((self.price_in, current.price_in), (self.price_out, current.price_out)):
            with QSignalBlocker(field):
                field.setValue(_UNKNOWN if math.isnan(price) else price)


def _price_field(name: str) -> QDoubleSpinBox:
    field = QDoubleSpinBox()
    field.setAccessibleName(name)
    field.setDecimals(_DIGITS)
    field.setRange(_UNKNOWN, _DEAREST)
    field.setSingleStep(0.05)
    field.setSpecialValueText(tr("Unknown"))
    field.setValue(_UNKNOWN)
    return field


def _price(field: QDoubleSpinBox, before: float) -> float:
    """Return the price in a field, NaN = unknown; the one before, with all its digits, if that is shown."""
    shown = field.value() if field.value() >= 0 else math.nan
    return before if round(before, _DIGITS) == shown else shown


def _price_text(price: float) -> str:
    return "" if math.isnan(price) else QLocale().toString(price, "g", 6)


def _key_text(server: ServerRow) -> str:
    return {NO_KEY: "", VARIABLE: server.variable, KEYRING: tr("Keyring")}[server.key]
