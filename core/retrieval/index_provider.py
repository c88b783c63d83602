"""Process-wide index provider, set by the entry point."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import MissingResource

if TYPE_CHECKING:
    from core.retrieval.protocols import IndexProvider, SearchIndex


@dataclass(frozen=True, slots=True)
class EmptyIndexProvider:
    """Provider used when none is set."""

    def names(self) -> Sequence[str]:
        return ()

    def open(self, name: str) -> SearchIndex:
        raise MissingResource(
            f"There is no index called {name!r}. Build it: pyramidion index build {name} FOLDER"
        )


_provider: list[Callable[[], IndexProvider]] = [EmptyIndexProvider]


def index_provider() -> IndexProvider:
    """Return the indexes of this process."""
    return _provider[0]()


def set_index_provider(indexes: Callable[[], IndexProvider]) -> None:
    """Set the provider of this process; it is called when an index is first needed."""
    _provider[0] = indexes
