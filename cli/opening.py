"""Opening studies for commands that compute or write results."""

from __future__ import annotations

from core.files.study_address import StudyAddress
from storage.study_file import StudyFile, open_study


def open_sound(path: StudyAddress) -> StudyFile:
    """Open a study. Raises StudyDamaged where its pages, keys or values are damaged, and as opening does."""
    study = open_study(path)
    try:
        study.verify()
    except BaseException:
        study.close()
        raise
    return study
