"""What the list of indexes shows, and what is asked where one is built."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class IndexRow:
    """One index. size: bytes; words: how they are made; origin: what it was built from; problem: or empty."""

    name: str
    title: str
    documents: int
    tokens: int
    size: float
    words: str
    made: str
    origin: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class IndexDetails:
    """One index in full. lines: facts below each other. command: sends it to a server, empty = none does."""

    title: str
    fact: str
    lines: tuple[str, ...]
    problem: str = ""
    command: str = ""
    can_remove: bool = False


@dataclass(frozen=True, slots=True)
class Building:
    """An index that is being built. share: 0 to 1, None = not known yet; words: how far, and how long yet."""

    name: str
    share: float | None
    words: str


@dataclass(frozen=True, slots=True)
class BuildChoices:
    """What can be chosen where an index is built.

    taken: names that indexes have. name_pattern: of what one may be called. stemmers: keys with titles.
    tables: endings of tables. study: documents of the open one, 0 = none.
    """

    taken: tuple[str, ...]
    name_pattern: str
    stemmers: tuple[tuple[str, str], ...]
    tables: tuple[str, ...]
    study: int = 0


@dataclass(frozen=True, slots=True)
class BuildWish:
    """An index to build. from_study: the open study's documents too. columns: of tables, empty = as usual."""

    name: str
    sources: tuple[Path, ...]
    from_study: bool
    stemmer: str
    drops_stop_words: bool
    id_column: str = ""
    title_column: str = ""
    text_column: str = ""
