"""Opening studies for commands that compute or write results, and who makes a change."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from core.errors import InputError

if TYPE_CHECKING:
    from core.files.study_address import StudyAddress
    from core.ports import Study
    from storage.study_file import StudyFile


def open_sound(path: StudyAddress) -> StudyFile:
    """Open a study. Raises StudyDamaged where its pages, keys or values are damaged, and as opening does."""
    from storage.study_file import open_study

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
    check_known("annotator", name, ids)
    return ids[name]


def check_known(
    kind: str, name: str, known: Collection[str], *, listed: Collection[str] | None = None
) -> None:
    """Raise InputError for a name that is not known, with similar names. listed: those to name, if others."""
    from core.domain.annotator_filter import unknown_name_message

    if name not in known:
        raise InputError(unknown_name_message(kind, name, list(known if listed is None else listed)))
