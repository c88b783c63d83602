"""Opening studies for commands that compute or write results, and who makes a change."""

from __future__ import annotations

from core.domain.annotator_filter import unknown_name_message
from core.errors import InputError
from core.files.study_address import StudyAddress
from core.ports import Study
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


def editor_id(study: Study, name: str) -> str | None:
    """Return the id of the annotator who makes a change; name: empty = nobody.

    Raises InputError for a name that the study does not have.
    """
    if not name:
        return None
    ids = {person.name: person.id for person in study.annotators.all()}
    if name not in ids:
        raise InputError(unknown_name_message("annotator", name, list(ids)))
    return ids[name]
