"""The models: which are here, what they take, how to get the others."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QVBoxLayout, QWidget

from gui.dialogs.models.cache_panel import EncodingsPanel
from gui.dialogs.models.model_list import ModelList
from gui.dialogs.models.values import DownloadState, ModelDetails, ModelRow
from gui.style.theme import LARGE, MEDIUM, SMALL, Type, px
from gui.style.tooltips import plain_tip
from gui.widgets.buttons import SearchField, link_button, plain_button, primary_button
from gui.widgets.label import ElidedLabel, Label
from gui.widgets.notice import Notice
from gui.widgets.panel import Panel
from gui.widgets.progress_bar import ProgressBar

WIDTH, HEIGHT = 1040, 680


class ModelsDialog(QDialog):
    """A list of models under their roles, and one of them in full with what can be done about it.

    Signals:
        row_shown: the key of the row that is looked at. download_requested, choosing_requested,
        forget_requested: for the model in full. cancel_requested: of the download under way.
        folder_requested, file_requested: another model is to be added. offline_chosen: forbid the network?
    """

    row_shown = Signal(object)
    download_requested = Signal()
    choosing_requested = Signal()
    forget_requested = Signal()
    cancel_requested = Signal()
    folder_requested = Signal()
    file_requested = Signal()
    offline_chosen = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Models")
        self.setAccessibleName("Models")
        self.resize(px(WIDTH), px(HEIGHT))
        self.list = ModelList()
        self.search = SearchField("Find a model or a paper")
        self.notice = Notice(can_close=True)
        self.folder_button = plain_button("Add a folder…", "plus")
        self.file_button = plain_button("Add word vectors…", "plus")
        self.close_button = plain_button("Close")
        self.offline_box = QCheckBox("Work offline")
        self.offline_box.setAccessibleName("Work offline")
        self.offline_box.setToolTip("Fetch nothing from the network, even if asked to")
        self.folder_button.setToolTip("A model's folder of your own, checked before it is taken")
        self.file_button.setToolTip("A file of word2vec, GloVe or fastText")
        self.sheet = _Sheet()
        self.encodings = EncodingsPanel()
        self._panel = Panel("Models", hairline=False)
        self._lay_out()
        self.list.row_chosen.connect(self.row_shown)
        self.search.textChanged.connect(self.list.models.find)
        self.sheet.download_button.clicked.connect(self.download_requested)
        self.sheet.choose_button.clicked.connect(self.choosing_requested)
        self.sheet.forget_button.clicked.connect(self.forget_requested)
        self.sheet.cancel_button.clicked.connect(self.cancel_requested)
        self.folder_button.clicked.connect(self.folder_requested)
        self.file_button.clicked.connect(self.file_requested)
        self.offline_box.clicked.connect(self.offline_chosen)
        self.close_button.clicked.connect(self.reject)

    def begin(self) -> None:
        """Come to the front."""
        self.show()
        self.raise_()
        self.activateWindow()
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_models(self, rows: Sequence[ModelRow], fact: str) -> None:
        """List these models; the current one stays."""
        self.list.models.set_rows(rows)
        self._panel.set_fact(fact)
        if self.list.current_key is None and rows:
            self.list.choose(rows[0].key)

    def show_sheet(self, sheet: ModelDetails, fetching: DownloadState | None) -> None:
        """Show one model in full, and the download under way."""
        self.sheet.show_sheet(sheet, fetching)

    def show_offline(self, is_offline: bool, why: str) -> None:
        """Show whether downloads are forbidden, and why; empty = they are not."""
        self.offline_box.setChecked(is_offline)
        self.sheet.forbid(why)

    def choose(self, key: str) -> None:
        """Put a row in front."""
        self.list.choose(key)

    def complain(self, sentence: str) -> None:
        """Say what did not work; empty = nothing."""
        self.notice.say(sentence)

    def _lay_out(self) -> None:
        find = QHBoxLayout()
        find.setContentsMargins(SMALL, 0, SMALL, SMALL)
        find.addWidget(self.search)
        self._panel.add(find)
        self._panel.add(self.list, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(SMALL)
        buttons.addWidget(self.folder_button)
        buttons.addWidget(self.file_button)
        buttons.addStretch(1)
        buttons.addWidget(self.offline_box)
        buttons.addSpacing(MEDIUM)
        buttons.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(LARGE, LARGE, LARGE, LARGE)
        column.setSpacing(MEDIUM)
        column.addWidget(self.notice)
        column.addWidget(self._panel, 1)
        column.addWidget(self.sheet)
        column.addWidget(self.encodings)
        column.addLayout(buttons)


class _Sheet(Panel):
    """One model: what is known of it, and what can be done."""

    def __init__(self) -> None:
        super().__init__("Model")
        self.download_button = primary_button("Download", "download")
        self.choose_button = plain_button("I have it…", "folder")
        self.copy_button = link_button("Copy command")
        self.forget_button = link_button("Forget")
        self.cancel_button = plain_button("Cancel")
        self.choose_button.setToolTip("Say where it lies; it is checked and stays there")
        self.copy_button.setToolTip("What does the same in a terminal")
        self.forget_button.setToolTip("Take it off the list; its files stay")
        self.lines_label = Label("", Type.BODY, "text", wrap=True)
        self.lines_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.bar = ProgressBar("Download")
        self.words_label = ElidedLabel("", Type.SMALL, "muted")
        self._command = self._why_not = ""
        for button in (self.copy_button, self.forget_button):
            self.add_action(button)
        for control in (self.choose_button, self.download_button, self.cancel_button):
            self.add_action(control)
        self.copy_button.clicked.connect(self._copy)
        words = QVBoxLayout()
        words.setSpacing(SMALL)
        words.addWidget(self.lines_label)
        words.addWidget(self.bar)
        words.addWidget(self.words_label)
        self.add(words, padded=True)

    def show_sheet(self, sheet: ModelDetails, fetching: DownloadState | None) -> None:
        """Show this model, and the download under way where it is its own."""
        is_own = fetching is not None and fetching.name == sheet.name
        self._command = sheet.command
        self.set_title(sheet.title)
        self.set_fact(sheet.fact)
        self.lines_label.setText("\n".join(sheet.lines))
        self.copy_button.setVisible(bool(sheet.command))
        self.forget_button.setVisible(sheet.can_forget)
        self.choose_button.setVisible(sheet.can_choose and not is_own)
        self.download_button.setVisible(sheet.can_download and not is_own)
        why_not = self._why_not or ("" if fetching is None else "Another download is under way.")
        self.download_button.setEnabled(not why_not)
        self.download_button.setToolTip(plain_tip(why_not))
        for part in (self.bar, self.words_label, self.cancel_button):
            part.setVisible(is_own)
        if fetching is not None and is_own:
            self.words_label.setText(fetching.words)
            self.bar.show_share(fetching.share)

    def forbid(self, why: str) -> None:
        """Say why nothing may be downloaded, empty = it may be; shown with the next model."""
        self._why_not = why

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._command)
