"""Training of a metric on the study's judgements: its controller and its dialog."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QRegularExpression, Slot
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import QLineEdit, QWidget

from core.comparison.judgements import judgements
from core.formatting.numbers import format_correlation
from core.metrics.base.learned_model import NAME_PATTERN
from core.metrics.learned.model_store import model_names, save_model
from core.operations.options import TrainRequest, listed_names
from core.operations.train import train
from core.ports import Study
from core.progress import JobSteps, Progress
from core.scoring.study_resources import StudyResources
from core.stats.correlation import Coefficient, Level, correlate
from core.training.training import TrainingResult, eligible_measures
from gui.background.jobs import JobQueue, OneJob
from gui.pages.score.view import OWN, TrainingChoices
from gui.session.context import Context
from gui.style.language import tr
from gui.style.theme import Type
from gui.widgets.controls import Choice, ComboBox, MultiChoice, number_box
from gui.widgets.dialog import Dialog
from gui.widgets.label import Label

AskTraining = Callable[[TrainingChoices], TrainRequest | None]
"""Ask what to train; None = nothing."""


class TrainingController(QObject):
    """Asks what to train, trains the model and stores it.

    ask: ask what to train; None = cancelled.
    """

    def __init__(self, context: Context, ask: AskTraining, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._ask = context, ask
        self._reading = OneJob(context.jobs, self)

    @Slot()
    def start(self) -> None:
        """Read the available judgements, then ask; one request at a time."""
        if self._reading.current is None:
            work = read_choices(self._context.study)
            job = self._reading.start(tr("Reading judgements"), work, JobQueue.READING)
            job.finished.connect(self._choose)

    @Slot(object)
    def _choose(self, choices: TrainingChoices) -> None:
        if not choices.judgements:
            self._context.show_message(
                tr("There is nothing to train on yet: match or rate summaries of at least two topics first.")
            )
        elif (request := self._ask(choices)) is not None:
            work = train(self._context.study, request, self._context.settings.now.device)
            job = self._context.jobs.start(tr("Training {name}", name=request.name), work, JobQueue.SCORING)
            job.finished.connect(self._keep)

    @Slot(object)
    def _keep(self, trained: TrainingResult) -> None:
        write = save_model(self._context.study, trained.model)
        self._context.writes.track(write, lambda _: self._context.show_message(training_message(trained)))


def read_choices(study: Study) -> JobSteps[TrainingChoices]:
    """Read the judgements and measures that training can use."""
    yield Progress(0, 0, "")
    followed = tuple(
        Choice(ref.name, tr("{title} · {cells:,} summaries", title=ref.title, cells=ref.cells))
        for ref in judgements(study)
        if ref.cells
    )
    measures = tuple(Choice(name, name) for name in eligible_measures(study, StudyResources(study)))
    return TrainingChoices(followed, measures, tuple(model_names(study)))


def training_message(trained: TrainingResult) -> str:
    x, z = trained.predicted.values, trained.judged.values
    r = correlate(x, z, Level.GLOBAL, Coefficient.PEARSON)
    name = trained.model.name
    return tr(
        "{name} is trained: r = {value} with {human} over {n:,} summaries of held-out "
        "topics. Score with s3-{name} to compare it.",
        name=name,
        value=format_correlation(r.value),
        human=trained.model.human,
        n=r.n,
    )


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
        self.folds_box = number_box(tr("Cross-validation folds"), 2, _MOST_FOLDS, TrainRequest().folds)
        names = (f"model-{number}" for number in range(1, len(self._names) + 2))
        self.name_edit = QLineEdit(next(name for name in names if name not in self._names))
        self.name_edit.setValidator(QRegularExpressionValidator(QRegularExpression(NAME_PATTERN), self))
        self.taken_label = Label("", Type.SMALL, "warning", wrap=True)
        self.add_field(
            tr("Target"), self.human_box, tr("Judgement to predict; summaries without it are skipped.")
        )
        self.add_field(tr("Features"), self.set_box)
        self.body.insertWidget(self.body.count() - 1, self.measures_box)
        self.add_field(
            tr("Cross-validation folds"),
            self.folds_box,
            tr("Each fold of topics is scored by a model trained on the other folds."),
        )
        self.add_field(
            tr("Name"), self.name_edit, tr("Letters, digits, - and _. Scores are named s3-NAME.score.")
        )
        self.body.addWidget(self.taken_label)
        self.set_box.currentIndexChanged.connect(self._plan_unknown)
        self.measures_box.chosen.connect(self._plan_unknown)
        self.name_edit.textChanged.connect(self._plan_unknown)
        self._plan_unknown()

    @property
    def request(self) -> TrainRequest:
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


def ask_training(choices: TrainingChoices, parent: QWidget) -> TrainRequest | None:
    """Ask what to train; None = cancelled."""
    dialog = TrainingDialog(choices, parent)
    return dialog.request if dialog.exec() else None
