"""Opening of studies with their annotator."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from getpass import getuser
from pathlib import Path
from typing import TYPE_CHECKING

from core.domain.annotation_pack import AnnotationPack
from core.domain.annotator_filter import name_refusal
from core.domain.formats import ExportDescription
from core.domain.study import Annotator
from core.files.study_address import ServerAddress, StudyAddress
from core.ports import Study
from core.progress import JobSteps
from core.retrieval.index_store import IndexStore
from gui.dialogs.backups.view import BackupFile
from gui.dialogs.data_sets.presenter import DataSets
from gui.dialogs.import_data.presenter import Importer

if TYPE_CHECKING:
    from core.operations.evaluate import Evaluation

NamedPacks = list[tuple[str, AnnotationPack]]
"""Annotation packs with the names of their files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupFiles:
    """Functions for backups of studies; their last argument is the folder, None = next to the study.

    back_up: makes one and deletes those beyond a number.
    lines: lists them, checked, with the folders that were searched.
    restore: replaces a study by a file; returns where the replaced one is saved.
    study_of: the study that a file is a backup of, or the file itself.
    has_any: whether a study has one.
    """

    back_up: Callable[[Path, int, Path | None], JobSteps[Path | None]]
    lines: Callable[[Path, Path | None], JobSteps[tuple[list[BackupFile], str]]]
    restore: Callable[[Path, Path, Path | None], JobSteps[Path | None]]
    study_of: Callable[[Path], Path]
    has_any: Callable[[Path, Path | None], bool]


@dataclass(frozen=True, slots=True)
class ServerRequest:
    """A study on a server to open, or to create in an empty database.

    password: empty = the stored one. stores_password: in the keyring, once the study is open.
    """

    address: ServerAddress
    password: str = ""
    stores_password: bool = False
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class QuickEvaluation:
    """Functions of one quick evaluation.

    metrics: lists the names of metrics that can run here.
    evaluate: evaluates files with metrics. keep: copies what was evaluated last to a new study.
    close: deletes it.
    """

    metrics: Callable[[], JobSteps[Sequence[str]]]
    evaluate: Callable[[Sequence[Path], Sequence[str]], JobSteps[Evaluation]]
    keep: Callable[[Path], JobSteps[None]]
    close: Callable[[], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyActions:
    """Functions to create, open, check, import into and export from studies.

    open, open_server, make and make_sample are jobs that end with an open study. export: writes one kind
    of thing in a format to a path; a damaged study raises StudyDamaged before anything is written. models:
    the folder that downloaded models go to. indexes: the user's. damage: checks a study; returns what is
    damaged in it and what to do, empty = nothing. read_packs: reads annotation packs and studies to merge
    into a study. added_exports: those of other packages. data_sets: public ones, to be added to a study that
    can be changed, None = there is none. quick_evaluation: of files without a study.
    """

    open: Callable[[StudyAddress], JobSteps[Study]]
    open_server: Callable[[ServerRequest], JobSteps[Study]]
    make: Callable[[Path], JobSteps[Study]]
    make_sample: Callable[[Path], JobSteps[Study]]
    importer: Callable[[Study], Importer]
    export: Callable[[Study, str, str, Path], JobSteps[int]]
    models: Path
    indexes: Callable[[], IndexStore]
    backups: BackupFiles
    damage: Callable[[StudyAddress], JobSteps[str]]
    read_packs: Callable[[StudyAddress, Sequence[Path]], JobSteps[NamedPacks]]
    added_exports: Callable[[], Sequence[ExportDescription]]
    data_sets: Callable[[Study | None], DataSets]
    quick_evaluation: Callable[[], QuickEvaluation]


@dataclass(frozen=True, slots=True)
class OpenedStudy:
    """An open study and its annotator."""

    study: Study
    annotator: Annotator


def open_with_annotator(
    steps: JobSteps[Study], annotator: Callable[[StudyAddress], str], user: str
) -> JobSteps[OpenedStudy]:
    """Open a study and find its annotator.

    annotator: who annotated it on this computer last, empty = nobody. user: who probably uses the program.
    Else it is the user, if the study knows them or nobody; else its last editor, so that work is shown.
    The user is asked before the first edit, so nobody continues as a colleague unawares.

    Where nothing can be written, a newcomer would see empty pages: the first known annotator is taken then.
    """
    study = yield from steps
    people = study.annotators.all()
    known = [person.name for person in people]
    last = next((edit.annotator for edit in study.edits.history(limit=1) if edit.annotator in known), "")
    proposed = (annotator(study.path), user if user in known else last, user)
    name = next((one for one in proposed if one and not name_refusal(one, people)), login_name())
    if study.read_only and known and name not in known:
        name = known[0]
    return OpenedStudy(study, study.annotators.get_or_create(name))


def user_name(remembered: str) -> str:
    """Return the name to propose: the remembered one, else the user's full name, else the login."""
    return remembered or _full_name() or login_name()


def _full_name() -> str:
    """Return the user's full name on this computer, empty = none is stored."""
    try:
        import pwd
    except ImportError:  # on Windows
        return ""
    try:
        return pwd.getpwuid(os.getuid()).pw_gecos.split(",")[0].strip()
    except KeyError:
        return ""


def login_name() -> str:
    """The user's name on this computer, ``annotator`` where it has none."""
    try:
        return getuser()
    except (KeyError, OSError, ImportError):
        return "annotator"
