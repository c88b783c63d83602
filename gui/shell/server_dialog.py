"""Dialog to open or create a study on a server."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from core.errors import InputError
from core.files.study_address import (
    EXAMPLE,
    SCHEME,
    PasswordInUrl,
    ServerAddress,
    is_server_url,
    parse_server_url,
)
from gui.shell.study_opener import ServerRequest
from gui.style.language import tr
from gui.style.theme import Type
from gui.widgets.dialog import BROAD, Dialog
from gui.widgets.label import Label


class ServerDialog(Dialog):
    """Asks for the URL of a study on a server, and for a password where none is stored.

    proposed: the URL to start with, empty = none.
    """

    help_page = "servers"

    def __init__(self, proposed: str = "", parent: QWidget | None = None) -> None:
        super().__init__(tr("Study on a server"), tr("Open"), parent, width=BROAD, icon="open")
        self.url_edit, self.password_edit = QLineEdit(proposed), QLineEdit()
        self.url_edit.setPlaceholderText(EXAMPLE)
        self.password_edit.setEchoMode(QLineEdit.EchoMode.Password)
        self.password_edit.setPlaceholderText(tr("From PGPASSWORD, ~/.pgpass or the keyring"))
        self.store_box = QCheckBox(tr("Store the password in the keyring of this computer"))
        self.new_box = QCheckBox(tr("Create a new study in this database, which must be empty"))
        self.problem_label = Label("", Type.SMALL, "warning", wrap=True)
        self._address: ServerAddress | None = None
        self.add_field(
            "URL", self.url_edit, tr("The PostgreSQL database of the study. Its manager knows the URL.")
        )
        self.add_field(tr("Password"), self.password_edit)
        self.body.addWidget(self.store_box)
        self.body.addWidget(self.new_box)
        self.body.addWidget(self.problem_label)
        self.url_edit.textChanged.connect(self._check)
        self.password_edit.textChanged.connect(self._check)
        self.new_box.toggled.connect(
            lambda is_new: self.accept_button.setText(tr("Create") if is_new else tr("Open"))
        )
        self._check()
        (self.password_edit if proposed else self.url_edit).setFocus()

    @property
    def request(self) -> ServerRequest | None:
        """The study to open or create, None = the URL is not valid."""
        if self._address is None:
            return None
        password = self.password_edit.text()
        stores = self.store_box.isChecked() and bool(password)
        return ServerRequest(self._address, password, stores, self.new_box.isChecked())

    @Slot()
    def accept(self) -> None:
        """Close the dialog if the URL is valid, else show the problem."""
        text = self.url_edit.text().strip()
        try:
            self._address = parse_server_url(text if is_server_url(text) else f"{SCHEME}://{text}")
        except PasswordInUrl:
            self._refuse(tr("Remove the password from the URL and enter it below."))
        except InputError as error:
            self._refuse(str(error))
        else:
            super().accept()

    def _refuse(self, problem: str) -> None:
        self.problem_label.setText(problem)
        self.problem_label.show()
        self.url_edit.setFocus()

    @Slot()
    def _check(self) -> None:
        self.problem_label.hide()
        self.accept_button.setEnabled(bool(self.url_edit.text().strip()))
        self.store_box.setEnabled(bool(self.password_edit.text()))
