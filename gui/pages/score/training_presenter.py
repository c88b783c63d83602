"""Training of a metric on the study's judgements."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Slot

from core.comparison.judgements import judgements
from core.formatting.numbers import format_correlation
from core.metrics.base.learned_model import NAME_PATTERN
from core.metrics.learned.model_store import model_names, save_model
from core.operations.options import TrainRequest
from core.operations.train import train
from core.ports import Study
from core.progress import JobSteps, Progress
from core.scoring.study_resources import StudyResources
from core.stats.correlation import Coefficient, Level, correlate
from core.training.feature_selection import eligible_measures
from core.training.training import TrainingResult
from gui.background.jobs import JobQueue
from gui.pages.score.values import TrainingChoices
from gui.session.context import Context
from gui.style.language import tr
from gui.widgets.controls.multi_choice import Choice

AskTraining = Callable[[TrainingChoices], TrainRequest | None]
"""Ask what to train; None = nothing."""


class TrainingController(QObject):
    """Asks what to train, trains the model and stores it.

    ask: ask what to train; None = cancelled.
    """

    def __init__(self, context: Context, ask: AskTraining, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._ask = context, ask
        self._is_busy = False

    @Slot()
    def start(self) -> None:
        """Read the available judgements, then ask; one request at a time."""
        if self._is_busy:
            return
        self._is_busy = True
        job = self._context.jobs.start(tr("Reading judgements"), read_choices(self._context.study))
        job.finished.connect(self._choose)
        job.ended.connect(self._rest)

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

    @Slot()
    def _rest(self) -> None:
        self._is_busy = False

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
    return TrainingChoices(followed, measures, tuple(model_names(study)), NAME_PATTERN)


def training_message(trained: TrainingResult) -> str:
    """Return a sentence on the result of training."""
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
