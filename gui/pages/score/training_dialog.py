"""Dialog with the options for training a metric."""

from __future__ import annotations

from PySide6.QtCore import QRegularExpression, Slot
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import QLineEdit, QSpinBox, QWidget

from core.operations.options import TrainRequest, listed_names
from gui.pages.score.values import OWN, TrainingChoices
from gui.style.language import tr
from gui.style.theme import SMALL, Type
from gui.widgets.controls.combo_box import ComboBox
from gui.widgets.controls.multi_choice import MultiChoice
from gui.widgets.dialog import Dialog
from gui.widgets.label import Label

_SETS = (
    ("s3-best", tr("Six S3 features")),
    ("s3-full", tr("S3 features and all of ROUGE")),
    (OWN, tr("Selected measures")),
)
_MOST_FOLDS = 1000


class TrainingDialog(Dialog):
    """Target judgement, features, folds and name of a model to train."""

    help_page = "metrics#metrics-learned-from-judgements-s3"

    def __init__(self, choices: TrainingChoices, parent: QWidget | None = None) -> None:
        super().__init__(tr("Train a metric"), tr("Train"), parent, icon="play")
        self._names = frozenset(choices.names)
        self.human_box = ComboBox(choices=[(choice.key, choice.title) for choice in choices.judgements])
        self.set_box = ComboBox(choices=_SETS)
        self.measures_box = MultiChoice(tr("Features"), tr("Choose measures"))
        self.measures_box.show_choices(choices.measures, ())
        self.folds_box = QSpinBox()
        self.folds_box.setRange(2, _MOST_FOLDS)
        self.folds_box.setValue(TrainRequest().folds)
        self.name_edit = QLineEdit(_free_name(self._names))
        self.name_edit.setValidator(
            QRegularExpressionValidator(QRegularExpression(choices.name_pattern), self)
        )
        self.taken_label = Label("", Type.SMALL, "warning", wrap=True)
        self._lay_out()
        self.set_box.currentIndexChanged.connect(self._plan_unknown)
        self.measures_box.chosen.connect(self._plan_unknown)
        self.name_edit.textChanged.connect(self._plan_unknown)
        self._plan_unknown()

    @property
    def request(self) -> TrainRequest:
        """The chosen request."""
        chosen = str(self.set_box.currentData())
        features = listed_names(self.measures_box.current) if chosen == OWN else chosen
        human = str(self.human_box.currentData())
        return TrainRequest(human, self.name_edit.text(), features, folds=self.folds_box.value())

    @Slot()
    def _plan_unknown(self) -> None:
        """Update the controls after a change."""
        self.measures_box.setVisible(self.set_box.currentData() == OWN)
        request = self.request
        is_taken = request.name in self._names
        warning = (
            tr("The model {name} of this study will be replaced.", name=request.name) if is_taken else ""
        )
        self.taken_label.setText(warning)
        self.taken_label.setVisible(is_taken)
        self.accept_button.setEnabled(bool(request.name and request.features))

    def _lay_out(self) -> None:
        self.add_field(
            tr("Target"), self.human_box, tr("Judgement to predict; summaries without it are skipped.")
        )
        self.add_field(tr("Features"), self.set_box)
        self.body.addWidget(self.measures_box)
        self.body.addSpacing(SMALL)
        self.add_field(
            tr("Cross-validation folds"),
            self.folds_box,
            tr("Each fold of topics is scored by a model trained on the other folds."),
        )
        self.add_field(
            tr("Name"), self.name_edit, tr("Letters, digits, - and _. Scores are named s3-NAME.score.")
        )
        self.body.addWidget(self.taken_label)


def ask_training(choices: TrainingChoices, parent: QWidget) -> TrainRequest | None:
    """Ask what to train; None = cancelled."""
    dialog = TrainingDialog(choices, parent)
    return dialog.request if dialog.exec() else None


def _free_name(names: frozenset[str]) -> str:
    return next(name for i in range(1, len(names) + 2) if (name := f"model-{i}") not in names)
