"""Dialog that lets a program propose annotations: what, of which topics, under which name, with settings."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QLineEdit, QWidget

from gui.results.run_dialog import RunDialog
from gui.results.values import SettingField
from gui.style.language import tr
from gui.style.theme import LARGE, MEDIUM, SMALL, TIGHT, Type
from gui.widgets.controls import ComboBox
from gui.widgets.label import Label, field_label
from gui.widgets.layouts import Gap, Stretch, extend, scrolled, vbox
from gui.widgets.notice import JobState

WIDTH, HEIGHT = 620, 680
TITLE = tr("Propose annotations")
_NOTE = tr("Nothing counts until a person accepts it. Earlier proposals of this name are replaced.")


class ProposeDialog(RunDialog):
    """Choose what is proposed, and run it."""

    help_page = "suggestions#pyramids-proposed-as-a-whole"

    def __init__(self, kinds: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        """kinds: what can be proposed, each with its title."""
        job = JobState(tr("Progress of the proposals"))
        job.stop_button.setToolTip(tr("Stop. What is proposed for finished topics is stored."))
        super().__init__(TITLE, (WIDTH, HEIGHT), tr("Propose"), job, parent)
        self.kind_box, self.topic_box, self.name_field = ComboBox(choices=kinds), ComboBox(), QLineEdit()
        self.about_label = Label("", Type.SMALL, "muted", wrap=True)
        self.requests_label = Label("", Type.SMALL, "muted", wrap=True)
        inner = QWidget()
        column = vbox(parent=inner, margins=(0, 0, MEDIUM, 0), spacing=SMALL)
        extend(column, field_label(tr("What"), self.kind_box), self.kind_box, self.about_label)
        extend(column, field_label(tr("Topics"), self.topic_box), self.topic_box)
        extend(column, field_label(tr("Name of the machine annotator"), self.name_field), self.name_field)
        extend(column, Gap(TIGHT), self.form, Stretch(1))
        note = Label(_NOTE, Type.SMALL, "muted", wrap=True)
        parts = (scrolled(inner), 1), self.requests_label, note, job, self.notice, self._buttons
        vbox(*parts, parent=self, margins=LARGE, spacing=MEDIUM)
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
        self.topic_box.offer((("", tr("All topics")), *topics), self.topic_id)

    def show_metric(self, name: str, about: str, fields: Sequence[SettingField]) -> None:
        """Show the settings of what makes the proposals. name: of its machine annotator by default."""
        self.about_label.setText(about)
        self.name_field.setPlaceholderText(name)
        self.form.show_fields(fields)

    def _show_busy(self) -> None:
        super()._show_busy()
        for widget in (self.kind_box, self.topic_box, self.name_field, self.form):
            widget.setEnabled(not self.job.is_busy)
