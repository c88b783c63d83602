"""The indexes that this process may open; whoever begins it says how they are come by (storage knows)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import MissingResource

if TYPE_CHECKING:
    from core.retrieval.protocols import IndexProvider, SearchIndex


@dataclass(frozen=True, slots=True)
class EmptyIndexProvider:
    """Where nobody said which there are."""

    def names(self) -> Sequence[str]:
        return ()

    def open(self, name: str) -> SearchIndex:
        raise MissingResource(
            f"There is no index called {name!r}. Build it: pyramidion index build {name} FOLDER"
        )


_come_by: list[Callable[[], IndexProvider]] = [EmptyIndexProvider]


def index_provider() -> IndexProvider:
    """The indexes of this process."""
    return _come_by[0]()


def set_index_provider(indexes: Callable[[], IndexProvider]) -> None:
    """Let every tool of this process open these; nothing is asked before one is wanted."""
    _come_by[0] = indexes
