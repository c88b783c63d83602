"""Small dialogs: choose the annotator, settings, choose files, and a study on a server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QSpinBox, QStackedWidget, QWidget

from core.domain.annotator_filter import name_refusal
from core.errors import InputError
from core.files.preferences import MAX_BACKUPS, Preferences
from core.files.study_address import (
    EXAMPLE,
    SCHEME,
    PasswordInUrl,
    ServerAddress,
    is_server_url,
    parse_server_url,
)
from gui.shell.help.shortcut_settings import KeysPane
from gui.shell.server_settings import ServersPane
from gui.shell.study_opener import ServerRequest
from gui.style import reading_preferences
from gui.style.language import LANGUAGES, tr
from gui.style.theme import Type
from gui.widgets.buttons import plain_button
from gui.widgets.controls import ComboBox, Segmented
from gui.widgets.dialog import BROAD, Dialog, FormPage, within_screen
from gui.widgets.file_dialogs import STUDY_FILES, STUDY_SUFFIX, ask_files, ask_folder, ask_new_file
from gui.widgets.label import Label
from gui.widgets.layouts import extend, hbox, scrolled

SOURCES = tr(
    "Data sets (*.jsonl *.ndjson *.json *.csv *.tsv *.tab *.xlsx *.xlsm *.parquet *.gz "
    "*.zip *.xmi *.xml *.pyr *.pan);;All files (*)"
)
_EVALUATED = tr(
    "Tables and text files (*.csv *.tsv *.tab *.xlsx *.xlsm *.parquet *.jsonl *.ndjson "
    "*.json *.txt);;All files (*)"
)
_MAX_NAMES, _SETTINGS_HEIGHT = 3, 640
TEXT_PERCENTS = (90, 100, 110, 125, 150)


class _NameBox(ComboBox):
    """An editable combo box that leaves Enter to the dialog; Qt's would choose its first completion.

    Signals:
        entered: Enter was pressed.
    """

    entered = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        else:
            super().keyPressEvent(event)


class AnnotatorDialog(Dialog):
    """Dialog to choose the annotator of the next edits."""

    help_page = "first-steps#your-name"

    def __init__(
        self,
        names: Sequence[str],
        now: str,
        parent: QWidget | None = None,
        refusal: Callable[[str], str] = name_refusal,
    ) -> None:
        """refusal: why nobody can work under a name, empty = somebody can."""
        super().__init__(tr("Choose annotator"), tr("Continue"), parent, icon="user")
        self.name_box = _NameBox()
        self.name_box.entered.connect(self.accept_button.click)
        self.name_box.setEditable(True)
        self.name_box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.name_box.addItems(list(names))
        self.name_box.setCurrentIndex(self.name_box.findText(now, Qt.MatchFlag.MatchExactly))
        self.name_box.setCurrentText(now)
        self.name_box.currentTextChanged.connect(self._allow)
        self.add_field(
            tr("Name"),
            self.name_box,
            tr(
                "Everybody has their own pyramids, matches and ratings. Your name is recorded in the history."
            ),
        )
        self._known, self._refusal = frozenset(names), refusal
        self.new_label = Label("", Type.SMALL, wrap=True)
        self.body.addWidget(self.new_label)
        self._allow()
        self.name_box.setFocus(Qt.FocusReason.OtherFocusReason)
        if (field := self.name_box.lineEdit()) is not None:
            field.selectAll()

    @property
    def name(self) -> str:
        return self.name_box.currentText().strip()

    def _allow(self) -> None:
        """Refuse names that nobody can have; tell somebody new that they begin without annotations."""
        refusal = self._refusal(self.name)
        self.accept_button.setEnabled(bool(self.name and not refusal))
        is_new = bool(self.name and self._known and self.name not in self._known)
        known = ", ".join(sorted(self._known)) if len(self._known) <= _MAX_NAMES else tr("a name of the list")
        self.new_label.setText(
            refusal
            or tr(
                "{name} is new in this study and begins with empty pyramids, matches and ratings. To "
                "continue existing work, choose {known}.",
                name=self.name,
                known=known,
            )
            if is_new or refusal
            else ""
        )
        self.new_label.setVisible(bool(is_new or refusal))


class SettingsDialog(Dialog):
    """Dialog of the settings: appearance, backups, servers, shortcuts."""

    help_page = "settings"

    def __init__(
        self,
        now: Preferences,
        devices: Sequence[tuple[str, str]],
        keys: KeysPane | None = None,
        servers: ServersPane | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """devices: (name, title) of the compute devices. keys, servers: the pages of both."""
        super().__init__(tr("Settings"), tr("Apply"), parent, width=BROAD, icon="check")
        schemes = (("system", tr("Same as system")), ("light", tr("Light")), ("dark", tr("Dark")))
        self.scheme = Segmented(tr("Colours"), schemes)
        self.scheme.choose(now.theme if now.theme in ("light", "dark") else "system")
        self.size_box, self.device_box, self.language_box = ComboBox(), ComboBox(), ComboBox()
        self.language_box.offer(LANGUAGES.items(), now.language)
        self.reading_box, self.width_box = ComboBox(), ComboBox()
        self.size_box.offer([(n, f"{n} %") for n in TEXT_PERCENTS], now.text_percent)
        self.reading_box.offer([(n, f"{n} %") for n in reading_preferences.ZOOMS], now.reading_percent)
        widths = [(n, reading_preferences.line_width_text(n)) for n in reading_preferences.LINE_WIDTHS]
        self.width_box.offer(widths, now.line_width)
        named = [(name, title if title.lower() == name else f"{title} ({name})") for name, title in devices]
        self.device_box.offer([("auto", tr("Automatic")), *named], now.device)
        self.keys, self.servers = keys, servers
        self.backup_number = QSpinBox()
        self.backup_number.setRange(0, MAX_BACKUPS)
        self.backup_number.setSpecialValueText(tr("None"))
        self.backup_number.setValue(now.backups)
        self.backup_folder = QLineEdit(now.backup_folder)
        self.backup_folder.setPlaceholderText(tr("A folder “backups” next to each study"))
        self.folder_button = plain_button(tr("Choose…"), "folder")
        self.folder_button.clicked.connect(self._choose_folder)
        self._leaves = {
            "look": (tr("Appearance"), self._look()),
            "backups": (tr("Backups"), self._backups()),
            **({} if servers is None else {"servers": (tr("Servers"), servers)}),
            **({} if keys is None else {"keys": (tr("Shortcuts"), keys)}),
        }
        self.leaves = Segmented(tr("Settings"), [(key, title) for key, (title, _) in self._leaves.items()])
        self._stack = QStackedWidget()
        for _, leaf in self._leaves.values():
            self._stack.addWidget(scrolled(leaf))
        self.body.addWidget(self.leaves, 0, Qt.AlignmentFlag.AlignLeft)
        self.body.addWidget(self._stack, 1)
        self.resize(within_screen(self, BROAD, _SETTINGS_HEIGHT))
        self.leaves.chosen.connect(self.show_leaf)

    @property
    def chosen(self) -> tuple[str, int, str]:
        """Return color scheme, text size in percent and device."""
        return self.scheme.current, int(self.size_box.currentData()), str(self.device_box.currentData())

    @property
    def chosen_language(self) -> str:
        return str(self.language_box.currentData())

    @property
    def chosen_reading(self) -> tuple[int, int]:
        """Return reading text size in percent and characters per line."""
        return int(self.reading_box.currentData()), int(self.width_box.currentData())

    @property
    def chosen_backups(self) -> tuple[int, str]:
        """Return the number of backups of each study and their folder (empty = next to each study)."""
        return self.backup_number.value(), self.backup_folder.text().strip()

    @Slot(str)
    def show_leaf(self, key: str) -> None:
        """Show ``look``, ``backups``, ``servers`` or ``keys``."""
        self.leaves.choose(key)
        self._stack.setCurrentIndex(list(self._leaves).index(key))

    @Slot()
    def accept(self) -> None:
        """Close the dialog if the servers can be stored, else show why not."""
        if self.servers is None or self.servers.store():
            super().accept()
        else:
            self.show_leaf("servers")

    @Slot()
    def _choose_folder(self) -> None:
        if (folder := ask_folder(self, tr("Folder for backups"))) is not None:
            self.backup_folder.setText(str(folder))

    def _backups(self) -> QWidget:
        leaf = FormPage()
        leaf.add_field(
            tr("Number of backups"),
            self.backup_number,
            tr("Made hourly while you edit, and when a study is closed after edits. Older ones are deleted."),
        )
        folder = QWidget()
        hbox((self.backup_folder, 1), self.folder_button, parent=folder)
        leaf.add_field(tr("Folder for backups"), folder, tr("A folder on another disk protects better."))
        folder.setFocusProxy(self.backup_folder)
        self.backup_folder.setAccessibleName(tr("Folder for backups"))
        return leaf

    def _look(self) -> QWidget:
        leaf = FormPage()
        leaf.add_field(
            tr("Language"),
            self.language_box,
            tr("From the next start on. Results, files, the manual and messages on them are in English."),
        )
        leaf.add_field(tr("Colours"), self.scheme)
        leaf.add_field(tr("Interface text size"), self.size_box)
        leaf.add_field(tr("Reading text size"), self.reading_box)
        leaf.add_field(tr("Line width"), self.width_box)
        leaf.add_field(
            tr("Compute on"), self.device_box, tr("Affects the speed of neural metrics, not their scores.")
        )
        return leaf


def ask_study_to_make(parent: QWidget, suggested: str) -> Path | None:
    """Ask for the path of a new study; None = cancelled. The suffix is added if it is missing."""
    path, _ = ask_new_file(parent, tr("Save study as"), suggested, STUDY_FILES)
    return path if path is None or path.suffix == STUDY_SUFFIX else path.with_name(path.name + STUDY_SUFFIX)


def ask_evaluated_files(parent: QWidget) -> Sequence[Path]:
    """Ask for the files of a quick evaluation; none = cancelled."""
    return ask_files(parent, tr("Choose a table, or text files"), _EVALUATED)


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
        extend(self.body, self.store_box, self.new_box, self.problem_label)
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
