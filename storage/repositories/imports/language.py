"""Detect the language of a study from the texts of its first import."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, exists, select

from core.domain.import_batch import ImportContent
from core.errors import Problem
from core.text.languages import (
    ENGLISH,
    LANGUAGE_SETTING,
    UNDETERMINED,
    DetectedLanguage,
    detect_language,
    language_name,
)
from storage.database.schema import Base, DocumentRow, ReferenceRow, SettingRow, SummaryRow
from storage.repositories.imports.plan import Plan

_TEXTS: Sequence[type[Base]] = (DocumentRow, ReferenceRow, SummaryRow)
_CHANGE = "Change it on the Overview page or with `pyramidion language`."


def plan(connection: Connection, incoming: ImportContent, planned: Plan) -> None:
    """Plan to store the language of the first texts of a study, and report other languages than English.

    A study that already has texts keeps its language or none, so that its scores stay comparable.
    """
    if not any(planned.new[row] for row in _TEXTS) or _has_texts(connection):
        return
    if connection.scalar(select(SettingRow.id).where(SettingRow.id == LANGUAGE_SETTING)) is not None:
        return
    detected = detect_language(_contents(incoming))
    if detected.code:
        row = {"id": LANGUAGE_SETTING, "value": detected.code, "version": 1, "is_deleted": False}
        planned.new[SettingRow].append({**row, "edit_id": planned.edit_id})
    planned.notices += [Problem(incoming.source, "", "", *notice) for notice in _notices(detected)]


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


def _notices(detected: DetectedLanguage) -> Iterator[tuple[str, str]]:
    """Yield messages on the detected language and its effect."""
    if detected.code == UNDETERMINED:
        yield (
            "The texts are not in Latin letters, and there are too few words to tell the language.",
            f"Metrics read the words of every script and use no English stems or stop words. {_CHANGE}",
        )
    elif detected.code not in ("", ENGLISH):
        yield (
            f"The texts are in {language_name(detected.code)}; the study's language is set to that.",
            f"Metrics use it by default, as their signatures show. {_CHANGE}",
        )
    if detected.others:
        listed = ", ".join(
            f"{language_name(code)} ({share:.0%} of the letters)" for code, share in detected.others
        )
        treated = f"as {language_name(detected.code)}, the main language" if detected.code else "as English"
        yield f"Some texts are in other languages: {listed}.", f"All are treated {treated}. {_CHANGE}"
