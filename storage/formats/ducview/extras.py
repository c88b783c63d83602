"""JSON representation of the contents of a file that the study does not model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from storage.formats.ducview.model import NOTHING, Extra, FileText
from storage.formats.ducview.xml import Node


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
