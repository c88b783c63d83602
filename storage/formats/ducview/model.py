"""What a .pyr and a .pan file hold, as values; whatever is not known is kept in its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.domain.study import Span
from storage.formats.ducview.xml import Node

NO_MATCH = "0"
"""The uid of the peer SCU that gathers what is not in the pyramid; no SCU has it."""

NO_MATCH_LABEL = "All non-matching SCUs go here"
JOINT = "..."
"""What stands between the parts in a contributor's label."""


@dataclass(frozen=True, slots=True)
class Extra:
    """What an element holds beside what is known.

    nodes: unknown elements, comments and instructions, each with the number of known children before it.
    """

    attributes: Mapping[str, str] = field(default_factory=dict)
    nodes: tuple[tuple[int, Node], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.attributes or self.nodes)


NOTHING = Extra()


@dataclass(frozen=True, slots=True)
class FileText:
    """A text by its lines. line_extras: what single lines hold beside their text, by their number from 0."""

    lines: tuple[str, ...]
    extra: Extra = NOTHING
    line_extras: tuple[tuple[int, Extra], ...] = ()

    @property
    def content(self) -> str:
        """The text that offsets count in."""
        return "\n".join(self.lines)


@dataclass(frozen=True, slots=True)
class FilePart:
    """A span with the words that it is said to hold. line: where it stands in the file."""

    label: str
    start: int
    end: int
    extra: Extra = NOTHING
    line: int = field(default=0, compare=False)

    @property
    def span(self) -> Span:
        return self.start, self.end


@dataclass(frozen=True, slots=True)
class FileContributor:
    """An expression of an SCU."""

    label: str
    parts: tuple[FilePart, ...]
    comment: str = ""
    extra: Extra = NOTHING


@dataclass(frozen=True, slots=True)
class FileScu:
    """An SCU, or a peer SCU, which has the SCU's weight in front of its label (None = it has not)."""

    uid: str
    label: str
    contributors: tuple[FileContributor, ...] = ()
    comment: str = ""
    weight: int | None = None
    extra: Extra = NOTHING
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class FilePyramid:
    """A pyramid over the text of all references. regex: where each reference begins, None = not said."""

    text: FileText
    scus: tuple[FileScu, ...] = ()
    regex: str | None = None
    regex_extra: Extra = NOTHING
    extra: Extra = NOTHING


@dataclass(frozen=True, slots=True)
class FileAnnotation:
    """What one summary expresses, with the pyramid. score: DUCView 1.5's numbers by name, None = not there.

    extra: of the whole, inner: of the annotation itself, score_extra: of the scores.
    """

    pyramid: FilePyramid
    text: FileText
    scus: tuple[FileScu, ...]
    score: Mapping[str, str] | None = None
    extra: Extra = NOTHING
    inner: Extra = NOTHING
    score_extra: Extra = NOTHING


@dataclass(frozen=True, slots=True)
class File:
    """A whole file.

    declaration: the document type's own lines, empty = DUCView's. before, after: what stands around the root.
    """

    body: FilePyramid | FileAnnotation
    declaration: str = ""
    before: tuple[Node, ...] = ()
    after: tuple[Node, ...] = ()

    @property
    def pyramid(self) -> FilePyramid:
        return self.body if isinstance(self.body, FilePyramid) else self.body.pyramid


def shown(text: str, span: Span) -> str:
    """A span's words as DUCView writes them: line feeds left out."""
    return text[span[0] : span[1]].replace("\n", "")


def joined(text: str, spans: tuple[Span, ...]) -> str:
    """The label of a contributor with these spans: their words in the order of the text."""
    return JOINT.join(shown(text, span) for span in sorted(spans))
