"""What the study does not know of a file, as values that can stand in JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from storage.formats.ducview.model import NOTHING, Extra, FileText
from storage.formats.ducview.xml import Node


def without_blanks(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record without what says nothing."""
    return {key: value for key, value in record.items() if value not in (None, "", {}, [], False)}


def pack_extra(extra: Extra) -> dict[str, Any]:
    """What an element held beside, empty where that is nothing."""
    nodes = [[place, pack_node(node)] for place, node in extra.nodes]
    return without_blanks({"attributes": dict(extra.attributes), "nodes": nodes})


def unpack_extra(record: Any) -> Extra:
    """The extra that `pack_extra` made a record of."""
    if not record:
        return NOTHING
    nodes = tuple((place, unpack_node(node)) for place, node in record.get("nodes", ()))
    return Extra(record.get("attributes", {}), nodes)


def pack_node(node: Node) -> list[Any]:
    """An element, comment or instruction."""
    children = [child if isinstance(child, str) else pack_node(child) for child in node.children]
    return [node.tag, dict(node.attributes), children]


def unpack_node(record: Any) -> Node:
    """The node that `pack_node` made a record of."""
    tag, attributes, children = record
    return Node(tag, attributes, tuple(c if isinstance(c, str) else unpack_node(c) for c in children))


def pack_text(text: FileText) -> dict[str, Any]:
    """What a text held beside its lines."""
    lines = [[number, pack_extra(extra)] for number, extra in text.line_extras]
    return without_blanks({"extra": pack_extra(text.extra), "lines": lines})


def unpack_text(content: str, record: Any) -> FileText:
    """A text of that content with what it held beside."""
    record = record or {}
    lines = tuple((number, unpack_extra(extra)) for number, extra in record.get("lines", ()))
    return FileText(tuple(content.split("\n")), unpack_extra(record.get("extra")), lines)
