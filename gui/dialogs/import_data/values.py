"""Values shown by the import dialog."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.import_batch import ImportedFile, KindCounts
from gui.style.language import tr


@dataclass(frozen=True, slots=True)
class RoleChoice:
    """Something that a column can be taken as.

    about: what it is, with an example.
    named: what its name is of, such as ``dimension``; empty = it has none. needs_name: the name is required.
    hint: what an empty name means.
    """

    key: str
    title: str
    about: str = ""
    named: str = ""
    needs_name: bool = False
    help: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class ColumnRow:
    """A column of a file with its first values, and what it is taken as.

    role: key of a `RoleChoice`, or in words if there is no choice; empty = not used.
    detail: the name that belongs to the role.
    question: what is unclear about it, empty = nothing. why: the reason of the guess.
    path: the keys of the objects that it is in, and its own; empty = its name alone.
    """

    name: str
    values: tuple[str, ...] = ()
    role: str = ""
    detail: str = ""
    question: str = ""
    is_guessed: bool = False
    why: str = ""
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableLayout:
    """Reading options of the table of a source.

    parts: sheets or splits; part: the one that is read; part_title: what they are called.
    has_encoding, has_separator: the file is a text, or one with separated cells.
    needs_encoding: it is not in the encoding in which it was read; there are no columns then.
    needs_topics: no column names the topic, so that rows may be topics.
    """

    columns: tuple[ColumnRow, ...] = ()
    choices: tuple[RoleChoice, ...] = ()
    parts: tuple[str, ...] = ()
    part: str = ""
    part_title: str = tr("Sheet")
    has_encoding: bool = False
    has_separator: bool = False
    needs_encoding: bool = False
    needs_topics: bool = False


@dataclass(frozen=True, slots=True)
class CountRow(KindCounts):
    """Numbers of items of one kind. by: who made them, such as ``14 systems``."""

    by: str = ""

    @property
    def sentence(self) -> str:
        """The numbers in words: ``1,364 by 14 systems, 20 unchanged, 3 left out``."""
        by = tr(" by {by}", by=self.by) if self.by else ""
        others = ((self.unchanged, tr("unchanged")), (self.left_out, tr("left out")))
        return ", ".join((f"{self.added:,}{by}", *(f"{many:,} {what}" for many, what in others if many)))


@dataclass(frozen=True, slots=True)
class PreviewText:
    """A text of a topic, shortened. title: its kind and name. numbers: its ratings and scores in words."""

    title: str
    content: str
    numbers: str = ""


@dataclass(frozen=True, slots=True)
class PreviewTopic:
    """A topic of an import with its first texts. about: title, query and set. more: further texts."""

    name: str
    about: str = ""
    texts: tuple[PreviewText, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """Result of reading a source without importing it.

    counts: new and existing items by kind.
    different: items that differ from the study's and are not changed there.
    problems: problems that prevent the import, one per cause. problem_count: their number.
    files: contents of each of several files.
    notices: unusual content and how it was interpreted.
    skipped: the problems of skipped rows, one per cause. skipped_count: the number of rows.
    topics: the first topics.
    mapping: the document of the import mapping by which the source is read, empty = by none.
    rows: number of rows of the table, 0 = unknown.
    table: how the source is read, if it is a table.
    assumed_annotator: of what names no annotator, empty = nobody. needs_annotator: the user must name them.
    """

    counts: tuple[CountRow, ...] = ()
    different: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    files: Sequence[ImportedFile] = ()
    notices: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    topics: tuple[PreviewTopic, ...] = ()
    mapping: str = ""
    rows: int = 0
    table: TableLayout | None = None
    assumed_annotator: str = ""
    needs_annotator: bool = False
    problem_count: int = 0
    skipped_count: int = 0

    @property
    def can_import(self) -> bool:
        is_clear = not self.problems and not self.needs_annotator
        return is_clear and any(row.added for row in self.counts)

    @property
    def verb(self) -> str:
        """The label of the button that imports: what there is most of."""
        most = max(self.counts, key=lambda row: row.added, default=CountRow("", 0, 0, 0))
        if self.can_import:
            return tr("Import {counted}", counted=counted(most.added, most.kind))
        return tr("Import")


def counted(number: int, kind: str) -> str:
    """Return a number with its noun: ``2 matches``, ``1 match``."""
    if number != 1:
        return f"{number:,} {kind}"
    for many, one in (("ies", "y"), ("ches", "ch"), ("s", "")):
        if kind.endswith(many):
            return f"1 {kind.removesuffix(many)}{one}"
    return f"1 {kind}"
