"""How studies are opened, and who annotates them then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from getpass import getuser
from pathlib import Path

from core.domain.study import Annotator
from core.ports import IndexStore, Study
from core.progress import Steps
from gui.presenters.importing import Importer


@dataclass(frozen=True, slots=True)
class StudyFiles:
    """How studies come to be, and what goes in and out of them.

    open, make and make_sample are jobs that end with an open study. export: writes one kind of thing in a
    format to a path. models: the folder that downloaded models go to. indexes: the user's.
    """

    open: Callable[[Path], Steps[Study]]
    make: Callable[[Path], Steps[Study]]
    make_sample: Callable[[Path], Steps[Study]]
    importer: Callable[[Study], Importer]
    export: Callable[[Study, str, str, Path], Steps[int]]
    models: Path
    indexes: Callable[[], IndexStore]


@dataclass(frozen=True, slots=True)
class Opened:
    """An open study and who annotates it."""

    study: Study
    annotator: Annotator


def opening(steps: Steps[Study], annotator: Callable[[Path], str]) -> Steps[Opened]:
    """Open a study and find its annotator: who it was here last, else its last editor, else the login."""
    study = yield from steps
    known = {person.name for person in study.annotators()}
    last = next((edit.annotator for edit in study.history(limit=1) if edit.annotator in known), "")
    return Opened(study, study.annotator(annotator(study.path) or last or login_name()))


def login_name() -> str:
    """The user's name on this computer, ``annotator`` where it has none."""
    try:
        return getuser()
    except (KeyError, OSError, ImportError):
        return "annotator"
