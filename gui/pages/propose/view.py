"""Dialog that lets a program propose annotations: what, of which topics, under which name, with settings."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from gui.results.settings_form import SettingsForm
from gui.results.values import SettingField
from gui.style.language import tr
from gui.style.theme import LARGE, MEDIUM, SMALL, Type
from gui.widgets.buttons import edits, plain_button, primary_button
from gui.widgets.controls import ComboBox
from gui.widgets.dialog import ToolDialog
from gui.widgets.label import Label
from gui.widgets.layouts import Stretch, hbox, scrolled, vbox
from gui.widgets.notice import JobState, Notice

WIDTH, HEIGHT = 620, 680
TITLE = tr("Propose annotations")


class ProposeDialog(ToolDialog):
    """Choose what is proposed, and run it.

    Signals:
        shown: the dialog became visible.
        kind_chosen: what is proposed.
    """

    is_kept = True
    help_page = "suggestions#pyramids-proposed-as-a-whole"
    shown = Signal()
    kind_chosen = Signal(str)

    def __init__(self, kinds: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        """kinds: what can be proposed, each with its title."""
        super().__init__(TITLE, (WIDTH, HEIGHT), parent)
        self.kind_box = ComboBox(choices=kinds)
        self.topic_box = ComboBox()
        self.name_field = QLineEdit()
        self.about_label = Label("", Type.SMALL, "muted", wrap=True)
        self.form = SettingsForm()
        self.requests_label = Label("", Type.SMALL, "muted", wrap=True)
        self.notice = Notice()
        self.job = JobState(tr("Progress of the proposals"))
        self.job.stop_button.setToolTip(tr("Stop. What is proposed for finished topics is stored."))
        self.close_button = plain_button(tr("Close"))
        self.run_button = primary_button(tr("Propose"), "play")
        edits(self.run_button)
        self._problem = ""
        inner = QWidget()
        column = vbox(parent=inner, margins=(0, 0, MEDIUM, 0), spacing=SMALL)
        for title, field in (
            (tr("What"), self.kind_box),
            (tr("Topics"), self.topic_box),
            (tr("Name of the machine annotator"), self.name_field),
        ):
            label = Label(title, Type.STRONG)
            label.setBuddy(field)
            field.setAccessibleName(title)
            column.addWidget(label)
            column.addWidget(field)
        column.addWidget(self.about_label)
        column.addWidget(self.form)
        column.addStretch(1)
        sentence = tr(
            "Nothing counts until a person accepts it. Earlier proposals of this name are replaced."
        )
        note = Label(sentence, Type.SMALL, "muted", wrap=True)
        buttons = hbox(Stretch(1), self.close_button, self.run_button, spacing=SMALL)
        parts = (scrolled(inner), 1), self.requests_label, note, self.job, self.notice, buttons
        vbox(*parts, parent=self, margins=LARGE, spacing=MEDIUM)
        self.kind_box.activated.connect(lambda _: self.kind_chosen.emit(self.kind))
        self.close_button.clicked.connect(self.reject)
        self.job.busy_changed.connect(self._show_busy)
        self._show_busy()

    @property
    def kind(self) -> str:
        """What is proposed."""
        return str(self.kind_box.currentData())

    @property
    def topic_id(self) -> str:
        """Id of the chosen topic, empty = all."""
        return str(self.topic_box.currentData() or "")

    def show_topics(self, topics: Sequence[tuple[str, str]]) -> None:
        """Offer all topics, or one of these, each an id and a name; the choice stays if it is there."""
        before = self.topic_id
        with QSignalBlocker(self.topic_box):
            self.topic_box.clear()
            for key, name in (("", tr("All topics")), *topics):
                self.topic_box.addItem(name, key)
            self.topic_box.setCurrentIndex(max(0, self.topic_box.findData(before)))

    def show_metric(self, name: str, about: str, fields: Sequence[SettingField]) -> None:
        """Show the settings of what makes the proposals. name: of its machine annotator by default."""
        self.about_label.setText(about)
        self.name_field.setPlaceholderText(name)
        self.form.show_fields(fields)

    def show_requests(self, fact: str) -> None:
        """Show what a language model would be asked; empty = nothing, or not counted yet."""
        self.requests_label.setText(fact)
        self.requests_label.setVisible(bool(fact))

    def show_problem(self, problem: str) -> None:
        """Show why nothing can be proposed; empty = it can."""
        self._problem = problem
        self.notice.show_message(problem)
        self._show_busy()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()

    @Slot()
    def _show_busy(self) -> None:
        is_running = self.job.is_busy
        self.run_button.setText(tr("Running…") if is_running else tr("Propose"))
        self.run_button.setEnabled(not is_running and not self._problem)
        for widget in (self.kind_box, self.topic_box, self.name_field, self.form):
            widget.setEnabled(not is_running)
