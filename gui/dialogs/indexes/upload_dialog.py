"""Dialog that asks for the server to upload an index to."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QLineEdit, QWidget

from core.retrieval.protocols import DEFAULT_MU
from gui.dialogs.indexes.values import UploadChoice
from gui.style.language import tr
from gui.style.theme import SMALL
from gui.widgets.dialog import BROAD, Dialog
from gui.widgets.label import Label

_LEAST_MU, _MOST_MU = 0.1, 1e6


class UploadDialog(Dialog):
    """Form for the address of a server and the ranking there. name: of the index here."""

    help_page = "indexes#elasticsearch"

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(tr("Upload {name} to a server", name=name), tr("Upload"), parent, width=BROAD)
        self.address_edit = QLineEdit()
        self.address_edit.setPlaceholderText(f"https://localhost:9200/{name.lower()}")
        self.mu_box = QDoubleSpinBox()
        self.mu_box.setDecimals(1)
        self.mu_box.setRange(_LEAST_MU, _MOST_MU)
        self.mu_box.setValue(DEFAULT_MU)
        self.replace_box = QCheckBox(tr("Replace another index of that name"))
        self.replace_box.setToolTip(tr("The old index is searched until this one is complete, then removed"))
        self._lay_out(name)
        self.address_edit.textChanged.connect(self._update)
        self._update()
        self.address_edit.setFocus()

    @property
    def choice(self) -> UploadChoice:
        """The address and the options."""
        return UploadChoice(
            self.address_edit.text().strip(), self.mu_box.value(), self.replace_box.isChecked()
        )

    @Slot()
    def _update(self) -> None:
        self.accept_button.setEnabled(bool(self.address_edit.text().strip()))

    def _lay_out(self, name: str) -> None:
        self.add_field(
            tr("Address"),
            self.address_edit,
            tr(
                "URL of an Elasticsearch server, version 8 or 9. The index is called {lower} there, "
                "or as the address ends.",
                lower=name.lower(),
            ),
        )
        self.add_field("Mu", self.mu_box, tr("Smoothing of the ranking. SERA needs the same value."))
        self.body.addWidget(self.replace_box)
        self.body.addSpacing(SMALL)
        self.body.addWidget(
            Label(
                tr(
                    "An API key or password is read from the environment, see Indexes in the help. An "
                    "interrupted upload continues where it stopped."
                ),
                wrap=True,
            )
        )


def ask_upload(name: str, parent: QWidget) -> UploadChoice | None:
    """Ask where to upload an index; None = cancelled."""
    dialog = UploadDialog(name, parent)
    return dialog.choice if dialog.exec() else None
