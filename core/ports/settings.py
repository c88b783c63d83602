"""Protocol for the settings of a study."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Protocol

from core.ports.changes import EditReceipt


class SettingStore(Protocol):
    """Texts stored in a study by key, such as its annotation guidelines."""

    def get(self, key: str, default: str = "") -> str:
        """Return the text of a key."""
        ...

    def keys(self, prefix: str) -> Sequence[str]:
        """Return every key with a prefix, sorted."""
        ...

    def save(
        self, key: str, value: str, annotator_id: str | None = None, details: str = ""
    ) -> Future[EditReceipt]:
        """Store a text as one edit. An edit with an annotator can be undone. details: JSON stored with it."""
        ...
