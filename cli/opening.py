"""Opening studies for commands that compute or write results."""

from __future__ import annotations

from pathlib import Path

from storage.study_file import StudyFile, open_study


def open_sound(path: Path) -> StudyFile:
    """Open a study. Raises StudyDamaged where its pages, keys or values are damaged, and as opening does."""
    study = open_study(path)
    try:
        study.verify()
    except BaseException:
        study.close()
        raise
    return study
