"""Texts that go with a study."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Protocol

from core.ports.changes import EditReceipt


class Settings(Protocol):
    """Texts kept with a study by key, as its guidelines."""

    def setting(self, key: str, default: str = "") -> str:
        """The text of a key."""
        ...

    def setting_keys(self, prefix: str) -> Sequence[str]:
        """Every key that begins so, by name."""
        ...

    def save_setting(self, key: str, value: str, annotator_id: str | None = None) -> Future[EditReceipt]:
        """Keep a text with the study, as one edit; an annotator's own can be undone."""
        ...
