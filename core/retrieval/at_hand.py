"""The indexes that this process may open; whoever begins it says which (storage knows where they are)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import MissingResource
from core.retrieval.ports import Indexes, SearchIndex


@dataclass(frozen=True, slots=True)
class NoIndexes:
    """Where nobody said which there are."""

    def names(self) -> Sequence[str]:
        return ()

    def open(self, name: str) -> SearchIndex:
        raise MissingResource(
            f"There is no index called {name!r}. Build it: pyramidion index build {name} FOLDER"
        )


_NONE: Indexes = NoIndexes()
_at_hand: list[Indexes] = []


def indexes_at_hand() -> Indexes:
    """The indexes of this process."""
    return _at_hand[-1] if _at_hand else _NONE


def put_at_hand(indexes: Indexes) -> None:
    """Let every tool of this process open these; another process gets them with its first task."""
    _at_hand[:] = [indexes]
