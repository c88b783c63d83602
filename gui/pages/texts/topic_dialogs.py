"""Dialogs for moving topics to a set, and for their language."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QWidget

from core.domain.name_checks import name_problem
from core.text.languages import LANGUAGE_NAMES, language_name
from gui.style.language import tr
from gui.widgets.controls.combo_box import ComboBox
from gui.widgets.dialog import Dialog
from gui.widgets.notice import Notice


class SetDialog(Dialog):
    """Choose a set of the study, or type the name of a new one."""

    help_page = "texts"
    chosen = Signal(str)

    def __init__(
        self, topics: str, known: Sequence[str], current: Sequence[str], parent: QWidget | None = None
    ) -> None:
        """topics: which topics, for the title. known: sets of the study. current: sets of the topics."""
        super().__init__(tr("Set of {topics}", topics=topics), tr("Save"), parent, icon="check")
        self.field = ComboBox()
        self.field.setEditable(True)
        self.field.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.field.addItems(["", *known])
        self.field.setCurrentText(current[0] if len(current) == 1 else "")
        self._is_chosen = len(current) == 1
        self.notice = Notice(lines=2)
        self.add_field(
            tr("Set"), self.field, tr("Topics of one set are compared with those of another. Empty = no set.")
        )
        self.body.addWidget(self.notice)
        self.field.editTextChanged.connect(self._edited)
        self.field.activated.connect(self._edited)
        self.accepted.connect(lambda: self.chosen.emit(self.name))
        line = self.field.lineEdit()
        if line is not None:
            names = ", ".join(name or tr("none") for name in current)
            line.setPlaceholderText("" if self._is_chosen else tr("Different sets: {names}", names=names))
            line.selectAll()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._check()

    @property
    def name(self) -> str:
        """The chosen name, empty = no set."""
        return self.field.currentText().strip()

    def _edited(self) -> None:
        self._is_chosen = True
        self._check()

    def _check(self) -> None:
        problem = name_problem(self.name) if self.name else ""
        self.notice.show_message(
            tr("A set cannot have this name. {problem}", problem=problem) if problem else ""
        )
        self.accept_button.setEnabled(self._is_chosen and not problem)


class LanguageDialog(Dialog):
    """Choose the language of topics: that of the study, or their own."""

    help_page = "texts"
    chosen = Signal(str)

    def __init__(
        self, topics: str, usual: str, current: Sequence[str], parent: QWidget | None = None
    ) -> None:
        """topics: which topics, for the title.

        usual: code of the study's language. current: codes that the topics have of their own, empty = none.
        """
        super().__init__(tr("Language of {topics}", topics=topics), tr("Save"), parent, icon="check")
        self.field = ComboBox()
        self.field.addItem(tr("That of the study: {name}", name=language_name(usual)), "")
        for code, name in sorted(LANGUAGE_NAMES.items(), key=lambda pair: pair[1]):
            self.field.addItem(name, code)
        self.field.setCurrentIndex(self.field.findData(current[0]) if len(current) == 1 else -1)
        self.add_field(
            tr("Language"),
            self.field,
            tr("It splits texts into sentences. Scores that depend on it have to be computed again."),
        )
        self.field.currentIndexChanged.connect(self._check)
        self.accepted.connect(lambda: self.chosen.emit(self.field.currentData()))
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._check()

    @Slot()
    def _check(self) -> None:
        self.accept_button.setEnabled(self.field.currentIndex() >= 0)
