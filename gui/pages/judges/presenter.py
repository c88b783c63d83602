"""Presenter of the Judges page, which compares judges with the annotators of ratings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from PySide6.QtCore import Slot

from core.comparison.judges.alignment import Disagreement, JudgedRatings, disagreements, reason_of
from core.domain.study import TopicTexts
from core.errors import InputError, MissingResource, PyramidionError
from core.experiments.analyses.judges import Judges
from core.experiments.inputs.development_topics import (
    TopicPart,
    development_topics,
    drawn_topics,
    keep_for_development,
    part_of,
)
from core.files.allowed_names import allowed_names
from core.files.atomic_write import atomic_write_bytes, check_writable
from core.files.study_address import command_argument
from core.formatting.tables import Cell
from core.metrics.judge.judge import LABEL, Judge
from core.metrics.judge.rubric import packaged_rubrics, rubric_text
from core.metrics.registry import parse
from core.models.runtime.devices import available_device
from core.operations.options import listed_names
from core.ports import SCORED_CHANGES, ChangeKind, ChangeSet, Study
from core.progress import JobSteps, Progress
from core.results.result import Result
from core.scoring.engine import RunReport, parse_config
from core.scoring.experiment_scores import score_and_promote
from core.scoring.plan import plan
from core.scoring.study_resources import StudyResources
from gui.background.jobs import JobQueue, OneJob
from gui.pages.judges.view import JudgesView, RubricDialog, people_text
from gui.results.result_content import resample_command, result_notes, result_parts
from gui.results.result_controller import DisplayedResult, RunPresenter
from gui.results.table_and_figure_files import AskPath
from gui.results.values import ResultDetails
from gui.session.context import Context
from gui.style.language import tr
from gui.widgets.controls import Choice

PAGE = "judges"
_NO_RESULT = tr("A judge, such as a language model, rates summaries on a scale that people use too.")
_DRAWN_SHARE = 5
"""One in this many topics is drawn for development."""
_TOPICS = (
    (TopicPart.AUTOMATIC, tr("Topics for tests")),
    (TopicPart.DEVELOPMENT, tr("Topics for development")),
    (TopicPart.ALL, tr("All topics")),
)
_CHANGES = SCORED_CHANGES | {ChangeKind.SETTINGS}


def build(context: Context) -> tuple[JudgesView, JudgesPresenter]:
    from gui.widgets.file_dialogs import ask_where_to_save

    view = JudgesView()
    return view, JudgesPresenter(view, context, partial(ask_where_to_save, view))


@dataclass(frozen=True, slots=True, eq=False)
class ComparedJudges:
    """A result with the ratings behind it. reason: why there is none, empty = there is one."""

    result: Result
    data: tuple[JudgedRatings, ...] = ()
    reason: str = ""


def compare(study: Study, experiment: Judges) -> JobSteps[ComparedJudges]:
    """Return what an experiment finds, without storing it, or why it cannot run."""
    try:
        if problem := experiment.missing_requirements(study):
            return ComparedJudges(Result(""), reason=problem)
        found, part = yield from experiment.alignments(study, StudyResources(study))
    except InputError as error:
        return ComparedJudges(Result(""), reason=str(error))
    return ComparedJudges(experiment.result(study, found, part), tuple(one.data for one in found))


def score_development(study: Study, judge: Judge, device: str) -> JobSteps[RunReport]:
    """Score the topics for development with a judge. Raises InputError if there are none."""
    names = part_of(study, TopicPart.DEVELOPMENT)[1]
    resources = StudyResources(study, device)
    ids = tuple(head.id for head in study.texts.topics() if head.name in names)
    planned = plan(study, [parse_config(judge.spec, resources)], resources, ids)
    if planned.refused:
        raise InputError(planned.refused[0].reason)
    return (yield from score_and_promote(study, planned, resources))


class JudgesPresenter(RunPresenter):
    """Hold the options, compare the judges, show the result and the disagreements of the current row.

    ask_path: asks where to save a file; returns None if the user cancels.
    """

    def __init__(self, view: JudgesView, context: Context, ask_path: AskPath) -> None:
        super().__init__(view, context, ask_path, PAGE)
        self._view = view
        self._experiment = Judges()
        self._compared: ComparedJudges | None = None
        self._shown: JudgedRatings | None = None
        self._reading = OneJob(context.jobs, self)
        self._topic: TopicTexts | None = None
        self._ask_path = ask_path
        self.ask_rubric: Callable[[RubricDialog], bool] = lambda dialog: bool(dialog.exec())
        self._scoring = OneJob(context.jobs, self)
        view.topics_box.offer([(str(part), title) for part, title in _TOPICS], str(TopicPart.AUTOMATIC))
        commands = context.commands
        view.shown.connect(self._open)
        view.judges_box.chosen.connect(lambda names: self._choose(judges=listed_names(names)))
        view.topics_box.chosen.connect(lambda topics: self._choose(topics=topics))
        view.epsilon_box.chosen.connect(lambda epsilon: self._choose(epsilon=float(epsilon)))
        view.result.table.row_chosen.connect(self._show_row)
        view.result.empty.primary.clicked.connect(lambda: self._context.show_page("score"))
        table = view.disagreements.table
        table.row_chosen.connect(self._read)
        table.row_opened.connect(self._go_to_texts)
        view.disagreements.open_button.clicked.connect(lambda: self._go_to_texts(table.current))
        view.rubric_button.clicked.connect(self.edit_rubric)
        commands.bind("judges.rubric", self.edit_rubric, PAGE)
        commands.bind("judges.report", self._results.add_to_report, PAGE)
        commands.bind("judges.draw", self._draw, PAGE)
        commands.bind("judges.keep", self._keep_current, PAGE)
        commands.bind("judges.no_split", lambda: self._split(()), PAGE)
        for command in ("judges.draw", "judges.keep", "judges.no_split"):
            view.split_menu.addAction(commands.action(command))
        self._context.changes.changed.connect(self._study_changed)
        self._results.show_empty(_NO_RESULT, can_run=False)
        self._show()

    # Options

    @Slot()
    def _open(self) -> None:
        """Show the split, and compare unless there is an answer."""
        heads = self._context.study.texts.topics()
        self._view.show_split(len(development_topics(self._context.study)), len(heads))
        self._show()
        if self._compared is None:
            self.run()

    def _choose(self, **options: Any) -> None:
        self._experiment = replace(self._experiment, **options)
        self._update(has_answer=True)

    @Slot(object)
    def _study_changed(self, changes: ChangeSet) -> None:
        if not changes.kinds & _CHANGES:
            return
        self._is_outdated = self._running.current is not None
        self._compared = None
        if self._view.isVisible():
            self._open()

    # Topics for development

    def _draw(self) -> None:
        """Keep one in five topics for development, drawn at random."""
        heads = self._context.study.texts.topics()
        try:
            drawn = drawn_topics(heads, max(1, len(heads) // _DRAWN_SHARE))
        except InputError as error:
            self._context.show_message(str(error))
            return
        self._split([head.name for head in drawn])

    def _keep_current(self) -> None:
        """Keep the topic of the current summary for development, or for tests if it is for development."""
        row = self._view.disagreements.table.current
        if row is None:
            self._context.show_message(tr("Choose a summary of the topic first."))
            return
        names = development_topics(self._context.study)
        kept = [name for name in names if name != row.topic]
        self._split(kept if row.topic in names else [*names, row.topic])

    def _split(self, names: Sequence[str]) -> None:
        if not self._context.may_manage("judges.draw"):
            return
        chosen = [head for head in self._context.study.texts.topics() if head.name in names]
        self._context.writes.track(
            keep_for_development(self._context.study, chosen, self._context.annotator.id)
        )

    # Rubrics

    @Slot()
    def edit_rubric(self) -> None:
        """Edit a copy of a rubric, store it as a file, and score topics for development with it."""
        judge = self._judge()
        own = judge.rubric if judge is not None else ""
        starts = list(dict.fromkeys([*([own] if own else []), *packaged_rubrics()]))
        dialog = RubricDialog(starts, judge.lm if judge is not None else "", self._view)
        dialog.start_box.chosen.connect(partial(self._start_rubric, dialog))
        self._start_rubric(dialog, starts[0])
        if not self.ask_rubric(dialog):
            return
        text, is_scored = dialog.text.toPlainText(), dialog.score_box.isChecked()
        path = self._ask_path(tr("Save the rubric"), "rubric.toml", [(tr("Rubric"), ".toml")])
        if path is None:
            return
        try:
            check_writable(path)
            atomic_write_bytes(path, text.encode())
        except InputError as error:
            self._context.show_message(str(error))
            return
        allowed_names().named(str(path))  # the user chose it
        if judge is not None and is_scored:
            self._try(replace(judge, rubric=str(path)))
        else:
            self._context.show_message(tr("Saved. Score with it: judge:rubric={path}", path=str(path)))

    def _start_rubric(self, dialog: RubricDialog, name: str) -> None:
        try:
            dialog.show_rubric(name, rubric_text(name))
        except (InputError, MissingResource) as error:
            dialog.show_rubric(name, "")
            dialog.state_label.setText(str(error))

    def _judge(self) -> Judge | None:
        """Return the metric of the judge whose row is current, None = another kind of judge."""
        if self._shown is None or not self._shown.signature.startswith(f"{LABEL}|"):
            return None
        try:
            metric = parse(self._shown.signature)
        except PyramidionError:
            return None
        return metric if isinstance(metric, Judge) else None

    def _try(self, judge: Judge) -> None:
        """Score the topics for development with a judge, then compare on them."""
        if self._scoring.current is not None or not self._context.may_edit():
            return
        device = available_device(self._context.settings.now.device)
        work = score_development(self._context.study, judge, device)
        job = self._scoring.start(tr("Judging with {rubric}", rubric=judge.rubric), work, JobQueue.SCORING)
        job.failed.connect(lambda error: self._context.show_message(str(error)))
        job.finished.connect(self._choose_development)

    @Slot()
    def _choose_development(self) -> None:
        view = self._view
        view.topics_box.setCurrentIndex(view.topics_box.findData(str(TopicPart.DEVELOPMENT)))
        self._choose(topics=str(TopicPart.DEVELOPMENT))

    # Comparison

    @Slot()
    def run(self) -> None:
        """Compare the judges with the current options."""
        if self._running.current is None:
            self._start(tr("Comparing judges"), compare(self._context.study, self._experiment))

    def _run_finished(self, compared: ComparedJudges) -> None:
        self._compared = compared
        if compared.reason:
            remedy = tr("Go to Score") if "score" in compared.reason.lower() else ""
            self._results.show_empty(f"{_NO_RESULT} {compared.reason}", can_run=False, remedy=remedy)
            self._show_disagreements(None)
            return
        self._offer(compared.data)
        parts = sorted(result_parts(compared.result), key=lambda part: not part.key.startswith("table"))
        test, *_, topics = compared.result.policy
        details = ResultDetails(
            compared.result.title, "", tuple(parts), result_notes(compared.result), f"{test} {topics}"
        )
        self._results.show(DisplayedResult(compared.result, details, PAGE, self._command()))
        self._show_disagreements(next(iter(compared.data), None))

    def _offer(self, data: Sequence[JudgedRatings]) -> None:
        """Offer the judges of a comparison of all."""
        if not self._experiment.judges:
            names = dict.fromkeys(one.judge for one in data)
            self._view.judges_box.show_choices([Choice(name, name) for name in names], ())

    # Disagreements

    @Slot(object)
    def _show_row(self, row: tuple[Cell, ...] | None) -> None:
        """Show the disagreements of the judge and rating of the current row of any table; None = stay."""
        cells = self._view.result.table.cells(row) if row is not None else {}
        key = cells.get("Judge"), cells.get("Rating")
        data = self._compared.data if self._compared is not None else ()
        found = next((one for one in data if (one.judge, one.human) == key), None)
        if found is not None and found is not self._shown:
            self._show_disagreements(found)

    def _show_disagreements(self, data: JudgedRatings | None) -> None:
        self._shown = data
        if data is None:
            self._view.disagreements.show_rows("", ())
            return
        self._view.disagreements.show_rows(f"{data.judge}, {data.human}", disagreements(data))

    @Slot(object)
    def _read(self, row: Disagreement | None) -> None:
        """Read the texts of a summary; None = none is chosen."""
        if row is None:
            return
        if self._topic is not None and self._topic.name == row.topic:
            self._show_texts(row)
            return
        job = self._reading.start(
            tr("Reading texts"), _texts(self._context.study, row.topic), JobQueue.READING
        )
        job.finished.connect(self._take_topic)

    @Slot(object)
    def _take_topic(self, topic: TopicTexts | None) -> None:
        self._topic = topic
        row = self._view.disagreements.table.current
        if topic is not None and row is not None and row.topic == topic.name:
            self._show_texts(row)

    def _show_texts(self, row: Disagreement) -> None:
        if self._topic is None:
            return
        system = row.system.partition(", rating.")[0]
        summaries = [text for text in self._topic.summaries if text.name == system]
        document, reference = tr("Document"), tr("Reference")
        texts = {tr("Summary"): text.content for text in summaries}
        texts |= {f"{document} {text.name}": text.content for text in self._topic.documents}
        texts |= {f"{reference} {text.name}": text.content for text in self._topic.references}
        if self._shown is not None:
            reason = reason_of(self._context.study, self._shown, self._topic.id, system)
            texts |= {tr("Judge's answer"): reason.answer} if reason.answer else {}
            texts |= {tr("Rubric"): reason.question} if reason.question else {}
        values = tr(
            "{system}: judge {judge:g}, people {people}",
            system=row.system,
            judge=row.judge,
            people=people_text(row),
        )
        self._view.disagreements.show_texts(values, texts)

    @Slot(object)
    def _go_to_texts(self, row: Disagreement | None) -> None:
        if row is None or self._topic is None or self._topic.name != row.topic:
            return
        system = row.system.partition(", rating.")[0]
        summary = next((text.id for text in self._topic.summaries if text.name == system), None)
        self._context.selection.select(topic_id=self._topic.id, summary_id=summary, system=system)
        self._context.show_page("texts")

    def _show(self) -> None:
        can_run = self._compared is None or not self._compared.reason
        self._view.show_running(self._running.current is not None, can_run)

    def _command(self) -> str:
        study = command_argument(self._context.study.path)
        return resample_command("experiment:judges", Judges(), self._experiment, study)


def _texts(study: Study, name: str) -> JobSteps[TopicTexts | None]:
    yield Progress(0, 0)
    topic_id = next((head.id for head in study.texts.topics() if head.name == name), None)
    return None if topic_id is None else study.texts.topic(topic_id)
