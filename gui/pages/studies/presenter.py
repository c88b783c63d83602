"""Presenter of the Studies page, which compares measures across several studies."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Slot

from core.experiments.analyses.studies.study_files import StudyFilesResult, compare_study_files
from core.files.allowed_names import allowed_names
from core.files.study_address import StudyAddress, command_argument, is_server_url, resolved
from core.operations.options import CompareStudiesRequest
from core.ports import SCORED_CHANGES, ChangeSet
from core.stats.correlation import Coefficient, Level
from gui.pages.studies.view import StudiesView, StudyRow
from gui.results.result_content import result_parts
from gui.results.result_controller import RunPresenter
from gui.results.table_and_figure_files import AskPath
from gui.session.context import Context
from gui.style.language import tr
from gui.widgets.file_dialogs import ask_study_to_open, ask_where_to_save

PAGE = "studies"
AskStudy = Callable[[], Path | None]
"""Ask for a study file to add; returns None if the user cancels."""

_NO_RESULT = tr("Which metrics correlate best across data sets? Add more studies, then compare.")
_ADD = tr("Add studies…")
_OUTDATED = tr("The studies have changed. Compare them again.")


def build(context: Context) -> tuple[StudiesView, StudiesPresenter]:
    view = StudiesView()
    ask_path, ask_study = partial(ask_where_to_save, view), partial(ask_study_to_open, view)
    return view, StudiesPresenter(view, context, ask_path, ask_study)


class StudiesPresenter(RunPresenter):
    """Hold the list of studies, compare them, show the result.

    ask_path: asks where to save a file; returns None if the user cancels.
    """

    def __init__(self, view: StudiesView, context: Context, ask_path: AskPath, ask_study: AskStudy) -> None:
        super().__init__(view, context, ask_path, PAGE)
        self._view, self._ask_study = view, ask_study
        self._others: list[Path] = []
        self._request = CompareStudiesRequest()
        self._comparison = StudyFilesResult()
        commands = context.commands
        view.result.empty.primary.clicked.connect(self.add)
        view.shown.connect(self._show)
        view.add_button.clicked.connect(self.add)
        view.recent_chosen.connect(lambda path: self._add_files([path]))
        view.studies.dropped.connect(self._add_files)
        view.studies.removed.connect(self._remove_file)
        view.level_box.chosen.connect(lambda key: self._choose(level=Level(key)))
        view.coefficient_box.chosen.connect(lambda key: self._choose(coefficient=Coefficient(key)))
        view.judgements_box.chosen.connect(lambda names: self._choose(judgements=tuple(names)))
        view.common_box.toggled.connect(lambda is_common: self._choose(common_topics=is_common))
        commands.bind("studies.add", self.add, PAGE)
        commands.bind("studies.report", self._results.add_to_report, PAGE)
        self._context.changes.changed.connect(self._study_changed)
        self._results.show_empty(_NO_RESULT, can_run=False, remedy=_ADD)
        self._show()

    # Studies to compare

    @Slot()
    def add(self) -> None:
        """Ask for a study file and add it to the comparison."""
        if (path := self._ask_study()) is not None:
            self._add_files([path])

    @Slot(object)
    def _add_files(self, paths: Sequence[Path]) -> None:
        known = {resolved(path) for path in (self._context.study.path, *self._others)}
        for path in dict.fromkeys(path.resolve() for path in paths):
            if path in known:
                self._context.show_message(tr("{name} is already in the list.", name=path.name))
            else:
                self._others.append(path)
                allowed_names().named(str(path))
        self._discard_result()

    @Slot(object)
    def _remove_file(self, path: Path) -> None:
        self._others.remove(path)
        self._discard_result()

    @Slot(object)
    def _study_changed(self, changes: ChangeSet) -> None:
        if changes.kinds & SCORED_CHANGES and self._comparison.result is not None:
            self._discard_result()

    def _discard_result(self) -> None:
        """Discard the result: it no longer belongs to the listed studies."""
        had_result = self._comparison.result is not None
        before = self._comparison
        self._comparison = StudyFilesResult(before.facts, before.problems, before.judgements)
        self._is_outdated = self._running.current is not None
        sentence = _OUTDATED if had_result and self._others else _NO_RESULT
        has_others = bool(self._others)
        self._results.show_empty(sentence, can_run=has_others, remedy="" if has_others else _ADD)
        self._show()

    def _choose(self, **options: Any) -> None:
        self._request, before = replace(self._request, **options), self._comparison
        self._update(has_answer=before.result is not None or bool(before.refusal))

    @Slot()
    def run(self) -> None:
        """Read the studies and compare them."""
        if self._running.current is not None or not self._others:
            return
        work = compare_study_files(
            self._context.study,
            tuple(self._others),
            self._request.judgements,
            self._request.level,
            self._request.coefficient,
            on_common=self._request.common_topics,
        )
        self._start(tr("Comparing studies"), work)

    def _run_finished(self, comparison: StudyFilesResult) -> None:
        self._comparison, result = comparison, comparison.result
        if result is None:
            self._results.show_empty(comparison.refusal, can_run=False)
        else:
            self._display(result, result_parts(result), self._command())

    # Display

    @Slot()
    def _show(self) -> None:
        own, comparison = self._context.study.path, self._comparison
        paths: tuple[StudyAddress, ...] = (own, *self._others)
        rows = [
            StudyRow(
                path, comparison.facts.get(path, ""), comparison.problems.get(path, ""), is_own=path == own
            )
            for path in paths
        ]
        self._view.show_studies(rows, self._command())
        self._view.show_recent(self._recent())
        self._view.show_judgements(comparison.judgements, self._request.judgements)
        self._view.show_running(self._running.current is not None, bool(self._others))

    def _recent(self) -> list[Path]:
        """Return recently opened studies that are not in the list yet."""
        known = {resolved(self._context.study.path), *self._others}
        recent = (name for name in self._context.settings.now.recent if not is_server_url(name))
        paths = (Path(name) for name in recent)
        return [path for path in paths if path.resolve() not in known and path.exists()]

    def _command(self) -> str:
        own = self._context.study.path
        folder = own.parent.resolve() if isinstance(own, Path) else None
        others = [path.name if path.parent == folder else str(path) for path in self._others]
        chosen = self._request.arguments("level", "coefficient", "judgements", "common_topics")
        return shlex.join(["pyramidion", "compare", command_argument(own), *others, *chosen])
