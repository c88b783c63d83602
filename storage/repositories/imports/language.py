"""The language of a study, detected from the texts that its first import brings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, exists, select

from core.errors import Problem
from core.ports import ImportContent
from core.text.languages import ENGLISH, LANGUAGE_SETTING, DetectedLanguage, detect_language, language_name
from storage.database.schema import Base, DocumentRow, ReferenceRow, SettingRow, SummaryRow
from storage.repositories.imports.plan import Plan

_TEXTS: Sequence[type[Base]] = (DocumentRow, ReferenceRow, SummaryRow)
_CHANGE = "`pyramidion language` and the Overview change it."


def plan(connection: Connection, incoming: ImportContent, planned: Plan) -> None:
    """Plan to store the language of the first texts of a study, and note what is not English.

    A study that has texts already keeps its language, also none: its metrics go on as before.
    """
    if not any(planned.new[row] for row in _TEXTS) or _has_texts(connection):
        return
    if connection.scalar(select(SettingRow.id).where(SettingRow.id == LANGUAGE_SETTING)) is not None:
        return
    found = detect_language(_contents(incoming))
    if found.code:
        row = {"id": LANGUAGE_SETTING, "value": found.code, "version": 1, "is_deleted": False}
        planned.new[SettingRow].append({**row, "edit_id": planned.edit_id})
    planned.notices += [Problem(incoming.source, "", "", *said) for said in _notices(found)]


def _has_texts(connection: Connection) -> bool:
    return any(connection.scalar(select(exists().select_from(row))) for row in _TEXTS)


def _contents(incoming: ImportContent) -> list[str]:
    texts = (
        text
        for topic in incoming.topics
        for kind in (topic.documents, topic.references, topic.summaries)
        for text in kind.values()
    )
    return [text.content for text in texts]


def _notices(found: DetectedLanguage) -> Iterator[tuple[str, str]]:
    """What was found and what follows from it."""
    if found.code not in ("", ENGLISH):
        yield (
            f"The texts are in {language_name(found.code)}, which is stored as the study's language.",
            f"Metrics read its words by default, and their signatures say so. {_CHANGE}",
        )
    if found.others:
        listed = ", ".join(
            f"{language_name(code)} ({share:.0%} of the letters)" for code, share in found.others
        )
        said = f"by {language_name(found.code)}, the language of most texts" if found.code else "as English"
        yield f"Texts are in other languages too: {listed}.", f"All are read {said}. {_CHANGE}"
