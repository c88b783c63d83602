"""All dialogs of the program, and how each is opened."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication, QDialog
from shiboken6 import Shiboken

import gui
from core.domain.annotation_merge import MergedWork, MergeOutcome, MergeReport
from gui.dialogs.backups.view import ClosingDialog
from gui.dialogs.indexes.view import BuildDialog, UploadDialog
from gui.pages.compare.page.choice_controller import SystemsDialog
from gui.pages.compare.values import SystemChoice
from gui.pages.judges.view import RubricDialog
from gui.pages.score.training import TrainingDialog
from gui.pages.score.view import TrainingChoices
from gui.results.run_dialog import RunDialog
from gui.shell.exchange import MergeDialog
from gui.widgets.controls import Choice
from gui.widgets.dialog import BareDialog, Dialog, ToolDialog
from tests.gui.settled import is_settled

GENERAL = {BareDialog, Dialog, RunDialog, ToolDialog}
TABLE = "topic,system,text,rater,fluency\nD1,a,The dam broke.,Ann,4\nD1,b,A dam was emptied.,Ben,2\n"

Controller, Window = Any, Any
Opener = Callable[[Controller, Window, Any], object]
"""Given the controller, the window with the scored sample, and qtbot."""


def is_closed(dialog: QDialog) -> bool:
    """Return whether a dialog is closed, after which it is deleted."""
    return not Shiboken.isValid(dialog) or not dialog.isVisible()


def all_dialogs() -> Iterator[type[QDialog]]:
    """Yield every class of dialogs of the program."""
    for module in pkgutil.walk_packages(gui.__path__, "gui."):
        importlib.import_module(module.name)
    waiting = [QDialog]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            waiting.append(kind)
            if kind.__module__.startswith("gui.") and kind not in GENERAL:
                yield kind


def open_dialog(name: str, controller: Controller, window: Window, qtbot: Any) -> QDialog:
    """Open the dialog of a class on the window; return it when it has read what it shows."""
    OPENERS[name](controller, window, qtbot)

    def shown() -> list[QDialog]:
        tops = (one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog))
        return [one for one in tops if type(one).__name__ == name and one.isVisible()]

    qtbot.waitUntil(lambda: len(shown()) == 1)
    qtbot.waitUntil(lambda: is_settled(controller))
    (dialog,) = shown()
    dialog.activateWindow()
    qtbot.wait(20)
    return dialog


def _command(name: str, page: str = "") -> Opener:
    def trigger(controller: Controller, window: Window, qtbot: Any) -> None:
        if page:
            window.show_page(page)
            qtbot.waitUntil(lambda: is_settled(controller))
        controller.commands.action(name).trigger()

    return trigger


def _widget(make: Callable[[Window], QDialog]) -> Opener:
    """Show a dialog that the program runs by `exec`, or after a file was chosen."""
    return lambda controller, window, qtbot: make(window).open()


def _import(controller: Controller, window: Window, qtbot: Any) -> None:
    source = Path(controller.settings.path).with_name("table.csv")
    source.write_text(TABLE, "utf-8")
    controller.ask_import(source)


def _set_of_topics(name: str) -> Opener:
    def trigger(controller: Controller, window: Window, qtbot: Any) -> None:
        window.show_page("texts")
        qtbot.waitUntil(lambda: is_settled(controller))
        window.stack.currentWidget().topic_table.selectAll()
        controller.commands.action(name).trigger()

    return trigger


def _summary(controller: Controller, window: Window, qtbot: Any) -> None:
    window.show_page("compare")
    page, topic = window.stack.currentWidget(), controller.context.study.texts.topics()[0].id
    qtbot.waitUntil(lambda: page.figure.canvas is not None)  # the page has a current cell
    page.ranks.summary_opened.emit("lead", topic)


def _merge_report() -> MergeReport:
    lost = MergedWork("ko.pyramidion", "D1", "Ko", MergeOutcome.UPDATED, {"rating": 1}, {"rating": 4})
    return MergeReport(
        (lost, MergedWork("ko.pyramidion", "D2", "Ko", MergeOutcome.ADDED)), notes=("A note.",)
    )


def _build(window: Window) -> QDialog:
    return BuildDialog(["taken"], Path("s.pyramidion"), 16, lambda: None, list, window)


def _training(window: Window) -> QDialog:
    judgement, measure = Choice("coherence", "coherence"), Choice("rouge-1.f", "rouge-1.f")
    return TrainingDialog(TrainingChoices((judgement,), (measure,), ("model-1",)), window)


OPENERS: Mapping[str, Opener] = {
    "AnnotatorDialog": _command("annotator.choose"),
    "BuildDialog": _widget(_build),
    "ClosingDialog": _widget(partial(ClosingDialog, "Backing up sample.pyramidion")),
    "CommandPalette": _command("view.palette"),
    "CommentsDialog": _command("edit.comments", "pyramids"),
    "DataSetDialog": _command("study.data_set"),
    "ImportDialog": _import,
    "IndexesDialog": _command("score.indexes"),
    "KeyOverlay": _command("help.keys", "pyramids"),
    "LanguageDialog": _set_of_topics("topic.language"),
    "MergeDialog": _widget(lambda window: MergeDialog(_merge_report(), window, has_backup=True)),
    "MessageDialog": lambda controller, window, qtbot: controller.state("The file is not a study."),
    "ModelsDialog": _command("score.models"),
    "PlanDialog": _command("comparison.plan", "comparisons"),
    "QuickEvaluationDialog": lambda controller, window, qtbot: controller.ask_evaluation(),
    "RestoreDialog": _command("study.restore"),
    "RubricDialog": _widget(lambda window: RubricDialog(["summeval"], "gpt-x", window)),
    "ScalesDialog": _command("rating.scales", "ratings"),
    "SearchDialog": _command("edit.search"),
    "ServerDialog": lambda controller, window, qtbot: controller.ask_open_server(),
    "SetDialog": _set_of_topics("topic.set"),
    "SettingsDialog": _command("app.settings"),
    "SummarizeDialog": _command("texts.summarize"),
    "ProposeDialog": _command("suggest.propose"),
    "SummaryView": _summary,
    "SystemsDialog": _widget(
        lambda window: SystemsDialog(
            [
                SystemChoice(name, mean, True)
                for name, mean in (("lead", 3.5), ("last", 2.0), ("textrank", 4.0))
            ],
            "coherence",
            window,
        )
    ),
    "TopicList": _command("topic.list", "pyramids"),
    "TrainingDialog": _widget(_training),
    "UploadDialog": _widget(partial(UploadDialog, "pubmed")),
}
