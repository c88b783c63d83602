"""Detect the language of a study from the texts of its first import."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, exists, select

from core.domain.import_batch import ImportContent
from core.text.languages import (
    LANGUAGE_SETTING,
    detect_language,
)
from storage.database.schema import Base, DocumentRow, ReferenceRow, SettingRow, SummaryRow
from storage.repositories.imports.notices import contents, language_notices
from storage.repositories.imports.plan import Plan

_TEXTS: Sequence[type[Base]] = (DocumentRow, ReferenceRow, SummaryRow)


def plan(connection: Connection, incoming: ImportContent, planned: Plan) -> None:
    """Plan to store the language of the first texts of a study, and report other languages than English.

    A study that already has texts keeps its language or none, so that its scores stay comparable.
    """
    if not any(planned.new[row] for row in _TEXTS) or _has_texts(connection):
        return
    if connection.scalar(select(SettingRow.id).where(SettingRow.id == LANGUAGE_SETTING)) is not None:
        return
    detected = detect_language(contents(incoming))
    if detected.code:
        row = {"id": LANGUAGE_SETTING, "value": detected.code, "version": 1, "is_deleted": False}
        planned.new[SettingRow].append({**row, "edit_id": planned.edit_id})
    planned.notices += language_notices(incoming.source, detected)


def _has_texts(connection: Connection) -> bool:
    return any(connection.scalar(select(exists().select_from(row))) for row in _TEXTS)
