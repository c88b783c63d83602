"""Opening studies for commands that compute or write results, and who makes a change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import InputError
from core.names import resolve_name

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


def editor_id(study: Study, name: str, *, is_undo: bool = False) -> str | None:
    """Return the id of the annotator who makes a change; name: empty = nobody.

    is_undo: or whose edit is undone or redone, which may be that of a machine.
    Raises InputError for a name that the study does not have.
    """
    if not name:
        return None
    from core.domain.annotator_filter import name_refusal

    people = study.annotators.all()
    ids = {person.name: person.id for person in people}
    chosen = resolve_name("annotator", name, ids)
    if not is_undo and (refusal := name_refusal(chosen, people)):
        raise InputError(refusal)
    return ids[chosen]
