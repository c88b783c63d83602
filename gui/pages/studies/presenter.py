"""What the page of several studies does."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.experiments.analyses.study_files import SeveralFiles, comparing_files
from core.ports import ChangeKind, ChangeSet
from core.stats.correlation import Coefficient, Level
from gui.background.jobs import Job, JobQueue
from gui.pages.studies.values import StudyRow
from gui.results.result_content import result_notes, result_parts
from gui.results.result_controller import DisplayedResult, ResultController
from gui.results.table_and_figure_files import AskPath
from gui.results.values import ResultDetails
from gui.session.context import Context

if TYPE_CHECKING:
    from gui.pages.studies.view import StudiesView

PAGE = "studies"
AskStudy = Callable[[], Path | None]
"""Which study file is to be added, None = none."""

_CONCERNED = frozenset(
    {ChangeKind.TEXTS, ChangeKind.SCORES, ChangeKind.RATINGS, ChangeKind.MATCHES, ChangeKind.PYRAMIDS}
)
_NOTHING_YET = "Which measures follow people best whatever the data? Add further studies, then compare."
_CHANGED = "The studies have changed. Compare them again."


def build(context: Context) -> tuple[StudiesView, StudiesPresenter]:
    """The page and what works it."""
    from gui.pages.studies.view import StudiesView
    from gui.widgets.file_dialogs import ask_study_to_open, ask_where_to_save

    view = StudiesView()

    def ask(question: str, suggested: str, kinds: Sequence[tuple[str, str]]) -> Path | None:
        return ask_where_to_save(view, question, suggested, kinds)

    return view, StudiesPresenter(view, context, ask, lambda: ask_study_to_open(view))


class StudiesPresenter(QObject):
    """Keeps which studies are compared, compares them, shows what was found.

    ask_path: where to save, None = nowhere.
    """

    def __init__(self, view: StudiesView, context: Context, ask_path: AskPath, ask_study: AskStudy) -> None:
        super().__init__(view)
        self._view, self._context, self._ask_study = view, context, ask_study
        self._parts = ResultController(view.result, context, ask_path)
        self._others: list[Path] = []
        self._judgements: tuple[str, ...] = ()
        self._level, self._coefficient = Level.SYSTEM, Coefficient.PEARSON
        self._found = SeveralFiles()
        self._running: Job | None = None
        self._is_behind = False
        self._connect()
        self._parts.show_nothing(_NOTHING_YET, can_run=False)
        self._show()

    def _connect(self) -> None:
        view, commands = self._view, self._context.commands
        view.shown.connect(self._show)
        view.add_requested.connect(self.add)
        view.recent_chosen.connect(lambda path: self._take_in([path]))
        view.dropped.connect(self._take_in)
        view.removed.connect(self._leave_out)
        view.level_chosen.connect(self._choose_level)
        view.coefficient_chosen.connect(self._choose_coefficient)
        view.judgements_chosen.connect(self._choose_judgements)
        view.run_requested.connect(self.run)
        view.stop_requested.connect(self._stop)
        view.result.remedy_requested.connect(self._parts.show_notes)
        commands.bind("studies.add", self.add, PAGE)
        commands.bind("studies.run", self.run, PAGE)
        commands.bind("studies.save", self._parts.save, PAGE)
        commands.bind("studies.report", self._parts.add_to_report, PAGE)
        commands.bind("edit.copy_table", lambda: self._parts.copy("tsv"), PAGE)
        self._context.changes.changed.connect(self._heed)

    # Which studies

    @Slot()
    def add(self) -> None:
        """Ask for a study file and take it in."""
        if (path := self._ask_study()) is not None:
            self._take_in([path])

    @Slot(object)
    def _take_in(self, paths: Sequence[Path]) -> None:
        known = {path.resolve() for path in (self._context.study.path, *self._others)}
        for path in dict.fromkeys(path.resolve() for path in paths):
            if path in known:
                self._context.show_message(f"{path.name} is in the comparison already.")
            else:
                self._others.append(path)
        self._change()

    @Slot(object)
    def _leave_out(self, path: Path) -> None:
        self._others.remove(path)
        self._change()

    @Slot(object)
    def _heed(self, changes: ChangeSet) -> None:
        if changes.kinds & _CONCERNED and self._found.result is not None:
            self._change()

    def _change(self) -> None:
        """What was found is of other studies now."""
        was_there = self._found.result is not None
        self._found = SeveralFiles(self._found.facts, self._found.problems, self._found.judgements)
        self._is_behind = self._running is not None
        sentence = _CHANGED if was_there and self._others else _NOTHING_YET
        self._parts.show_nothing(sentence, can_run=bool(self._others))
        self._show()

    # How they are compared

    @Slot(str)
    def _choose_level(self, key: str) -> None:
        self._level = Level(key)
        self._ask_again()

    @Slot(str)
    def _choose_coefficient(self, key: str) -> None:
        self._coefficient = Coefficient(key)
        self._ask_again()

    @Slot(object)
    def _choose_judgements(self, names: Sequence[str]) -> None:
        self._judgements = tuple(names)
        self._ask_again()

    def _ask_again(self) -> None:
        """Compare anew where something is shown, for the answer to another question must not stay."""
        self._is_behind = self._running is not None
        self._show()
        if self._found.result is not None or self._found.refusal:
            self.run()

    @Slot()
    def run(self) -> None:
        """Read the studies and compare them."""
        if self._running is not None or not self._others:
            return
        self._is_behind = False
        work = comparing_files(
            self._context.study, tuple(self._others), self._judgements, self._level, self._coefficient
        )
        self._running = self._context.jobs.start("Comparing studies", work, JobQueue.RESAMPLING)
        self._running.finished.connect(self._take)
        self._running.ended.connect(self._end)
        self._show()

    @Slot()
    def _stop(self) -> None:
        self._is_behind = False
        if self._running is not None:
            self._running.cancel()

    @Slot(object)
    def _take(self, found: SeveralFiles) -> None:
        if self._is_behind:
            return
        self._found = found
        if found.result is None:
            self._parts.show_nothing(found.refusal, can_run=False)
        else:
            sheet = ResultDetails(
                found.result.title, "", result_parts(found.result), result_notes(found.result),
                " ".join(found.result.policy),
            )  # fmt: skip
            self._parts.show(DisplayedResult(found.result, sheet, "studies", self._command()))

    @Slot()
    def _end(self) -> None:
        self._running = None
        self._show()
        if self._is_behind:
            self.run()

    # Showing

    @Slot()
    def _show(self) -> None:
        own, found = self._context.study.path, self._found
        lines = [
            StudyRow(path, found.facts.get(path, ""), found.problems.get(path, ""), is_own=path == own)
            for path in (own, *self._others)
        ]
        self._view.show_studies(lines, self._command())
        self._view.show_recent(self._recent())
        self._view.show_judgements(found.judgements, self._judgements)
        self._view.show_running(self._running is not None, bool(self._others))

    def _recent(self) -> list[Path]:
        """Studies that were open lately and take no part yet."""
        known = {self._context.study.path.resolve(), *self._others}
        paths = (Path(path) for path in self._context.settings.now.recent)
        return [path for path in paths if path.resolve() not in known and path.exists()]

    def _command(self) -> str:
        """What does the same on the command line."""
        own = self._context.study.path
        beside = own.parent.resolve()
        others = [path.name if path.parent == beside else str(path) for path in self._others]
        words = ["pyramidion", "compare", own.name, *others]
        if self._level is not Level.SYSTEM:
            words += ["--level", self._level.value]
        if self._coefficient is not Coefficient.PEARSON:
            words += ["--coefficient", self._coefficient.value]
        words += [word for name in self._judgements for word in ("--human", name)]
        return shlex.join(words)
