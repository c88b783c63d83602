"""Export of the open study, and merging of annotation packs and studies into it: ask, show, merge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from core.domain.annotation_merge import (
    MergeOutcome,
    MergeReport,
    conflict_sentence,
    detached_sentence,
    removal_sentence,
)
from core.errors import BadImport, InputError
from core.files.preferences import PreferencesFile
from core.ports import Study
from core.progress import JobSteps, Progress
from gui.background.jobs import JobQueue
from gui.results.table_and_figure_files import DATA_KINDS
from gui.session.context import Context
from gui.shell.study_opener import NamedPacks, StudyActions
from gui.style.language import tr
from gui.style.theme import Type
from gui.widgets.dialog import Dialog, MessageDialog
from gui.widgets.file_dialogs import ask_files
from gui.widgets.label import Label

Kinds = Sequence[tuple[str, str]]
"""Titles and endings of what can be written."""

JSON_LINES = tr("JSON lines (sacrerouge)"), ".jsonl"
NUGGETS, PACK = (tr("JSON lines"), ".jsonl"), (tr("Annotation pack"), ".pack")
EXPORTS: Mapping[str, tuple[str, Kinds]] = {
    "texts": (tr("texts"), (*DATA_KINDS, JSON_LINES)),
    "scores": (tr("scores"), (*DATA_KINDS, JSON_LINES)),
    "judgements": (tr("judgements"), (*DATA_KINDS, JSON_LINES)),
    "ratings": (tr("ratings"), (*DATA_KINDS, JSON_LINES)),
    "scales": (tr("scales"), DATA_KINDS),
    "spans": (tr("marked spans"), DATA_KINDS),
    "preferences": (tr("answers to comparisons"), DATA_KINDS),
    "comments": (tr("comments"), DATA_KINDS),
    "nuggets": (tr("nuggets"), (NUGGETS, *DATA_KINDS)),
    "annotations": (tr("annotations"), (PACK,)),
}
"""What of a study can be exported to one file: its name, and the formats."""
_FORMATS = {kind: kind[1][1:] for kind in (*DATA_KINDS, NUGGETS, PACK)} | {JSON_LINES: "sacrerouge"}
EXPORT_QUESTION = tr("Choose a folder for the pyramids")


def export_pyramids(context: Context, ask_folder: Callable[[str], Path | None]) -> None:
    """Ask for a folder and export all pyramids and matches as DUCView files.

    ask_folder: returns None if cancelled.
    """
    folder = ask_folder(EXPORT_QUESTION)
    if folder is None:
        return
    work = context.export("pyramids", "ducview", folder)
    job = context.jobs.start(tr("Writing pyramids"), work, JobQueue.FILES)
    job.finished.connect(
        lambda files: context.show_message(
            tr("{name} holds {files:,} files for DUCView.", name=folder.name, files=files)
        )
    )


def export_table(context: Context, what: str, ask_path: Callable[[str, str, Kinds], Path | None]) -> None:
    """Ask for a file and export texts, scores, judgements, ratings, scales, nuggets or annotations.

    ask_path: takes a title, a suggested name and file types; returns None if cancelled.
    """
    title, kinds = EXPORTS[what]
    suggested = f"{context.study.path.stem}-{what}{kinds[0][1]}"
    path = ask_path(tr("Export: {title}", title=title), suggested, kinds)
    if path is None:
        return
    kind = next(kind for kind in kinds if kind[1] == path.suffix.lower())
    work = context.export(what, _FORMATS[kind], path)
    job = context.jobs.start(tr("Exporting: {title}", title=title), work, JobQueue.FILES)
    job.finished.connect(
        lambda rows: context.show_message(
            tr("{name} holds all annotations of this study.", name=path.name)
            if what == "annotations"
            else tr("{name} holds %n rows of {title}.", "", rows, name=path.name, title=title)
        )
    )


MERGE_QUESTION = tr("Choose annotation packs or studies to merge")
_FILES = tr("Annotations (*.pack *.pyramidion);;All files (*)")
_LISTED = 8
_NEWS = {
    MergeOutcome.ADDED: tr("added"),
    MergeOutcome.UPDATED: tr("updated"),
    MergeOutcome.CONFLICT: tr("in conflict"),
}


@dataclass(frozen=True, slots=True)
class MergePlan:
    """Effect of a merge before it is made. problems: why it is refused, sentences; empty = it is not."""

    packs: NamedPacks
    report: MergeReport
    problems: tuple[str, ...] = ()


class MergeController(QObject):
    """Merges annotations into the open study; it lives as long as the window shows it.

    Signals:
        dialog_requested: a dialog to open.
    """

    dialog_requested = Signal(object)

    def __init__(
        self, context: Context, files: StudyActions, settings: PreferencesFile, window: QWidget
    ) -> None:
        super().__init__(window)
        self._context, self._files, self._settings, self._window = context, files, settings, window

    @Slot()
    def ask(self) -> None:
        """Ask for files, and show what merging them would change."""
        paths = ask_files(self._window, MERGE_QUESTION, _FILES)
        if not paths:
            return
        job = self._context.jobs.start(tr("Reading annotations"), self._plan(paths), JobQueue.FILES)
        job.finished.connect(self._show_plan)

    def _plan(self, paths: Sequence[Path]) -> JobSteps[MergePlan]:
        study = self._context.study
        try:
            packs = yield from self._files.read_packs(study.path, paths)
            yield Progress(len(paths), len(paths), "comparing")
            return MergePlan(packs, study.merge_annotations(packs, dry_run=True))
        except BadImport as error:
            return MergePlan([], MergeReport(), tuple(map(str, error.problems)))
        except InputError as error:
            return MergePlan([], MergeReport(), (str(error),))

    @Slot(object)
    def _show_plan(self, plan: MergePlan) -> None:
        if plan.problems:
            more = len(plan.problems) - _LISTED
            listed = [*plan.problems[:_LISTED], *([tr("and {more:,} more", more=more)] if more > 0 else [])]
            title = tr("These annotations cannot be merged")
            self.dialog_requested.emit(MessageDialog(title, "\n".join(listed), parent=self._window))
        elif not any(map(plan.report.count, _NEWS)):
            self.dialog_requested.emit(
                MessageDialog(
                    tr("Nothing to merge"),
                    tr("The study already has these annotations."),
                    parent=self._window,
                )
            )
        else:
            has_backup = isinstance(self._context.study.path, Path) and bool(self._settings.now.backups)
            dialog = MergeDialog(plan.report, self._window, has_backup=has_backup)
            dialog.accepted.connect(lambda: self._merge(plan.packs))
            self.dialog_requested.emit(dialog)

    def _merge(self, packs: NamedPacks) -> None:
        job = self._context.jobs.start(tr("Merging annotations"), self._merging(packs), JobQueue.FILES)
        job.finished.connect(self._merged)

    def _merging(self, packs: NamedPacks) -> JobSteps[MergeReport]:
        study: Study = self._context.study
        now = self._settings.now
        if now.backups and isinstance(study.path, Path):
            yield from self._files.backups.back_up(study.path, now.backups, now.backups_in)
        yield Progress(0, 0, "merging")
        return study.merge_annotations(packs)

    @Slot(object)
    def _merged(self, report: MergeReport) -> None:
        names = list(dict.fromkeys(work.annotator for work in report.works))
        whose = ", ".join(names[:3]) + (
            tr(" and {names} more", names=len(names) - 3) if len(names) > 3 else ""
        )
        self._context.show_message(
            tr("Merged the annotations of {whose}: {counts}.", whose=whose, counts=_counts(report, ""))
        )


class MergeDialog(Dialog):
    """The effect of a merge, before it is made. has_backup: the study is backed up first."""

    help_page = "merging"

    def __init__(self, report: MergeReport, parent: QWidget | None, *, has_backup: bool) -> None:
        super().__init__(tr("Merge annotations"), tr("Merge"), parent, icon="merge")
        names = list(dict.fromkeys(work.annotator for work in report.works))
        for name in names[:_LISTED]:
            self.body.addWidget(Label(f"{name}: {_counts(report, name)}", wrap=True))
        if len(names) > _LISTED:
            self.body.addWidget(Label(tr("and {names:,} more annotators", names=len(names) - _LISTED)))
        removals = sorted(report.works, key=lambda work: not work.is_loss)
        sentences = [
            *filter(None, map(removal_sentence, removals)),
            *map(conflict_sentence, report.conflicts),
            *map(detached_sentence, report.detached),
            *report.notes,
        ]
        for sentence in sentences[:_LISTED]:
            self.body.addWidget(Label(sentence, Type.SMALL, "warning", wrap=True))
        if len(sentences) > _LISTED:
            self.body.addWidget(
                Label(
                    tr("and {sentences:,} more remarks", sentences=len(sentences) - _LISTED),
                    Type.SMALL,
                    "warning",
                )
            )
        backup = tr("A backup is made first. ") if has_backup else ""
        note = tr(
            "{backup}Later versions replace earlier ones, and undo reverts merged work topic by topic.",
            backup=backup,
        )
        self.body.addWidget(Label(note, Type.SMALL, "muted", wrap=True))


def _counts(report: MergeReport, annotator: str) -> str:
    """Return what is new of an annotator, empty = of all, such as ``5 topics added, 1 topic updated``."""
    parts = []
    for outcome, word in _NEWS.items():
        count = sum(work.outcome is outcome and annotator in ("", work.annotator) for work in report.works)
        if count:
            parts.append(tr("%n topics", "", count) + f" {word}")
    return ", ".join(parts) or tr("nothing new")
