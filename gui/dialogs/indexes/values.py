"""Values shown and returned by the index dialogs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.retrieval.index_store import DEFAULT_PARTS, ArticlePart


@dataclass(frozen=True, slots=True)
class IndexRow:
    """One index.

    size: bytes. analysis: stemming and stop words. origin: sources it was built from.
    problem: why it cannot be used, empty = none.
    """

    name: str
    title: str
    documents: int
    tokens: int
    size: float
    analysis: str
    made: str
    origin: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class IndexDetails:
    """Details of one index.

    lines: facts, one per line. command: terminal command that uploads it to a server, empty = none.
    """

    title: str
    fact: str
    lines: tuple[str, ...]
    problem: str = ""
    command: str = ""
    can_remove: bool = False


@dataclass(frozen=True, slots=True)
class Building:
    """An index that is being built or uploaded.

    share: in [0, 1], None = unknown. text: current step and time left.
    """

    name: str
    share: float | None
    text: str
    is_upload: bool = False


@dataclass(frozen=True, slots=True)
class UploadChoice:
    """Destination of an upload of an index.

    address: URL of the server, with or without the name there. mu: smoothing of its ranking.
    replaces: another index of that name may be replaced.
    """

    address: str
    mu: float
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class BuildChoices:
    """Choices that the build dialog offers.

    taken: names of existing indexes. name_pattern: regular expression for names.
    stemmers: keys with titles. tables: file name suffixes of tables.
    study: number of documents of the open study, 0 = none.
    articles: file name suffixes of PubMed citations, PMC articles and their archives.
    """

    taken: tuple[str, ...]
    name_pattern: str
    stemmers: tuple[tuple[str, str], ...]
    tables: tuple[str, ...]
    study: int = 0
    articles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BuildChoice:
    """Sources and options of an index to build.

    from_study: include the documents of the open study. columns: of tables, empty = the usual names.
    parts: indexed parts of citations and articles.
    """

    name: str
    sources: tuple[Path, ...]
    from_study: bool
    stemmer: str
    drops_stop_words: bool
    id_column: str = ""
    title_column: str = ""
    text_column: str = ""
    parts: tuple[ArticlePart, ...] = DEFAULT_PARTS
