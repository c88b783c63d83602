"""What an import asks and tells."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FormatRow:
    """A format that can be read.

    is_folder: it takes a folder. has_columns: its columns can be mapped. names_files: it takes many files,
    whose names say what they are. takes_documents: source documents may lie in a folder of their own.
    names_texts: it names texts that may lie outside of its folder. has_rows: bad rows can be skipped.
    """

    name: str
    title: str
    about: str
    is_folder: bool = False
    has_columns: bool = False
    names_files: bool = False
    takes_documents: bool = False
    names_texts: bool = False
    has_rows: bool = False


@dataclass(frozen=True, slots=True)
class CountRow:
    """How many of one kind of thing an import would add, and how many the study has already."""

    what: str
    added: int
    equal: int


@dataclass(frozen=True, slots=True)
class FileRow:
    """What one of an import's files is taken for. authors: of its references."""

    file: str
    topic: str
    system: str
    annotator: str
    authors: str


@dataclass(frozen=True, slots=True)
class PreviewTextRow:
    """A text of an import to read, or a topic as the heading of its texts (is_text: False)."""

    title: str
    content: str
    is_text: bool = True


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """What an import would do: counts, what differs and stays as it is, or the problems that forbid it.

    files: what each of several files is taken for. notices: what is odd, and how it was taken.
    skipped: a problem for each row that is left out. texts: those of the first topics.
    """

    counts: tuple[CountRow, ...] = ()
    different: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    files: tuple[FileRow, ...] = ()
    notices: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    texts: tuple[PreviewTextRow, ...] = ()

    @property
    def can_import(self) -> bool:
        return not self.problems and any(line.added for line in self.counts)
