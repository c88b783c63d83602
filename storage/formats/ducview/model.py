"""Contents of .pyr and .pan files as values; unknown contents are preserved in place, and kept as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.domain.study import Span
from storage.formats.ducview.xml import Node

NO_MATCH = "0"
"""The uid of the peer SCU for contributors without a match; no SCU has it."""

NO_MATCH_LABEL = "All non-matching SCUs go here"
JOINT = "..."
"""Separator of the parts in a contributor's label."""


@dataclass(frozen=True, slots=True)
class Extra:
    """Unknown contents of an element.

    nodes: unknown elements, comments and instructions, each with the number of known children before it.
    """

    attributes: Mapping[str, str] = field(default_factory=dict)
    nodes: tuple[tuple[int, Node], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.attributes or self.nodes)


NOTHING = Extra()


@dataclass(frozen=True, slots=True)
class FileText:
    """A text by its lines. line_extras: unknown contents of single lines, by their number from 0."""

    lines: tuple[str, ...]
    extra: Extra = NOTHING
    line_extras: tuple[tuple[int, Extra], ...] = ()

    @property
    def content(self) -> str:
        """The text that offsets refer to."""
        return "\n".join(self.lines)


@dataclass(frozen=True, slots=True)
class FilePart:
    """A span with its stated words. line: in the file."""

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
    """An SCU, or a peer SCU, whose label starts with the SCU's weight (None = no weight)."""

    uid: str
    label: str
    contributors: tuple[FileContributor, ...] = ()
    comment: str = ""
    weight: int | None = None
    extra: Extra = NOTHING
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class FilePyramid:
    """A pyramid over the text of all references. regex: start of each reference, None = not given."""

    text: FileText
    scus: tuple[FileScu, ...] = ()
    regex: str | None = None
    regex_extra: Extra = NOTHING
    extra: Extra = NOTHING


@dataclass(frozen=True, slots=True)
class FileAnnotation:
    """The matches in one summary, with the pyramid. score: DUCView 1.5's scores by name, None = none.

    extra: unknown contents of the root, inner: of the annotation, score_extra: of the scores.
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
    """A complete file.

    declaration: lines of the document type, empty = DUCView's. before, after: contents around the root.
    """

    body: FilePyramid | FileAnnotation
    declaration: str = ""
    before: tuple[Node, ...] = ()
    after: tuple[Node, ...] = ()

    @property
    def pyramid(self) -> FilePyramid:
        return self.body if isinstance(self.body, FilePyramid) else self.body.pyramid


def span_text(text: str, span: Span) -> str:
    """Return a span's words as DUCView writes them, without line feeds."""
    return text[span[0] : span[1]].replace("\n", "")


def joined(text: str, spans: tuple[Span, ...]) -> str:
    """Return the label of a contributor with these spans: their words in text order."""
    return JOINT.join(span_text(text, span) for span in sorted(spans))


def without_blanks(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record without empty values."""
    return {key: value for key, value in record.items() if value not in (None, "", {}, [], False)}


def pack_extra(extra: Extra) -> dict[str, Any]:
    """Return the unknown contents of an element as JSON, empty if there are none."""
    nodes = [[place, pack_node(node)] for place, node in extra.nodes]
    return without_blanks({"attributes": dict(extra.attributes), "nodes": nodes})


def unpack_extra(record: Any) -> Extra:
    """Restore unknown contents from `pack_extra`."""
    if not record:
        return NOTHING
    nodes = tuple((place, unpack_node(node)) for place, node in record.get("nodes", ()))
    return Extra(record.get("attributes", {}), nodes)


def pack_node(node: Node) -> list[Any]:
    """Return an element, comment or instruction as JSON."""
    children = [child if isinstance(child, str) else pack_node(child) for child in node.children]
    return [node.tag, dict(node.attributes), children]


def unpack_node(record: Any) -> Node:
    """Restore a node from `pack_node`."""
    tag, attributes, children = record
    return Node(tag, attributes, tuple(c if isinstance(c, str) else unpack_node(c) for c in children))


def pack_text(text: FileText) -> dict[str, Any]:
    """Return the unknown contents of a text as JSON."""
    lines = [[number, pack_extra(extra)] for number, extra in text.line_extras]
    return without_blanks({"extra": pack_extra(text.extra), "lines": lines})


def unpack_text(content: str, record: Any) -> FileText:
    """Restore a text with its unknown contents."""
    record = record or {}
    lines = tuple((number, unpack_extra(extra)) for number, extra in record.get("lines", ()))
    return FileText(tuple(content.split("\n")), unpack_extra(record.get("extra")), lines)
