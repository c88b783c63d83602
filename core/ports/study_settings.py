"""Settings stored in a study, among them the language of its texts."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Protocol

from core.ports.changes import EditReceipt
from core.text.languages import LANGUAGE_SETTING, check_language


class StudySettings(Protocol):
    """Texts stored in a study by key, such as its annotation guidelines."""

    def setting(self, key: str, default: str = "") -> str:
        """Return the text of a key."""
        ...

    def setting_keys(self, prefix: str) -> Sequence[str]:
        """Return every key with a prefix, sorted."""
        ...

    def save_setting(self, key: str, value: str, annotator_id: str | None = None) -> Future[EditReceipt]:
        """Store a text as one edit. An edit with an annotator can be undone."""
        ...


def language_of(study: StudySettings) -> str:
    """Return the code of a study's language; empty = none is stored."""
    return study.setting(LANGUAGE_SETTING)


def set_language(study: StudySettings, code: str) -> Future[EditReceipt]:
    """Store a study's language, empty = none, as an edit without an annotator.

    Raises InputError for an unknown code.
    """
    return study.save_setting(LANGUAGE_SETTING, check_language(code) if code else "")
