"""Decoding of .pyr and .pan files; all problems of a file are reported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from storage.formats.ducview.model import (
    NO_MATCH,
    NOTHING,
    Extra,
    File,
    FileAnnotation,
    FileContributor,
    FilePart,
    FilePyramid,
    FileScu,
    FileText,
)
from storage.formats.ducview.xml import Node, parse
from storage.formats.readers.fields import Problems

_DECLARATION = re.compile(rb"<!DOCTYPE\s+\w+\s*\[(.*?)\]\s*>", re.DOTALL)
_WEIGHT = re.compile(r"\((\d{1,9})\) ", re.ASCII)
_OFFSET = re.compile(r"\s*(\d{1,9})\s*", re.ASCII)


def decode(content: bytes, problems: Problems) -> File:
    """Read a file. Raises BadImport with every problem that makes it ambiguous."""
    document = parse(content, problems)
    root = document.root
    if root.tag not in ("pyramid", "peerAnnotation"):
        problems.place = f"line {root.line}"
        what = f"The root element is <{root.tag}>, not <pyramid> or <peerAnnotation>."
        problems.add("", what, "Choose a DUCView .pyr or .pan file.")
        problems.stop_if_any()
    body = _pyramid(root, problems) if root.tag == "pyramid" else _annotation(root, problems)
    problems.stop_if_any()
    return File(body, _declaration(content), document.before, document.after)


def _declaration(content: bytes) -> str:
    """Return the document type declaration, or an empty text if it cannot be reproduced."""
    declaration = _DECLARATION.search(content)
    try:
        return declaration.group(1).decode("ascii").replace("\r\n", "\n") if declaration else ""
    except UnicodeDecodeError:
        return ""


def _annotation(root: Node, problems: Problems) -> FileAnnotation:
    known = {"pyramid", "annotation", "score"}
    pyramid = _pyramid(_only(root, "pyramid", problems), problems)
    inner = _only(root, "annotation", problems)
    score = _at_most_one(root, "score", problems)
    names = [node.tag for node in score.elements] if score else []
    annotation = FileAnnotation(
        pyramid,
        _text(_only(inner, "text", problems), problems),
        _scus(inner, "peerscu", problems),
        {node.tag: node.text.strip() for node in score.elements} if score else None,
        _extra(root, known),
        _extra(inner, {"text", "peerscu"}),
        _extra(score, set(names)) if score else NOTHING,
    )
    _check_uids(annotation, problems)
    return annotation


def _check_uids(annotation: FileAnnotation, problems: Problems) -> None:
    known = {scu.uid for scu in annotation.pyramid.scus} | {NO_MATCH}
    for scu in annotation.scus:
        if scu.uid not in known and scu.contributors:
            problems.place = f"line {scu.line}, peerscu {scu.uid}"
            what = (
                "The pyramid in the file has no SCU with this uid, but the summary has contributors for it."
            )
            problems.add("uid", what, "Correct the uid, or move the contributors to another peerscu.")


def _pyramid(node: Node, problems: Problems) -> FilePyramid:
    regex = _at_most_one(node, "startDocumentRegEx", problems)
    scus = _scus(node, "scu", problems)
    return FilePyramid(
        _text(_only(node, "text", problems), problems),
        scus,
        regex.text if regex else None,
        _extra(regex, set()) if regex else NOTHING,
        _extra(node, {"startDocumentRegEx", "text", "scu"}),
    )


def _at_most_one(node: Node, tag: str, problems: Problems) -> Node | None:
    found = [child for child in node.elements if child.tag == tag]
    return _only(node, tag, problems) if found else None


def _only(node: Node, tag: str, problems: Problems) -> Node:
    """Return the single child with a tag, or an empty one and add a problem."""
    found = [child for child in node.elements if child.tag == tag]
    if len(found) != 1 and node.line:  # a missing parent was reported already
        problems.place = f"line {node.line}, <{node.tag}>"
        count = "no" if not found else f"{len(found)}"
        what = f"It contains {count} <{tag}>{'' if not found else ' elements'} instead of one."
        problems.add(tag, what, "Choose a file written by DUCView.")
    return found[0] if found else Node(tag)


def _text(node: Node, problems: Problems) -> FileText:
    lines = [child for child in node.elements if child.tag == "line"]
    extras = []
    for number, line in enumerate(lines):
        if line.elements:
            problems.place = f"line {line.line}, <line>"
            problems.add(
                "", f"It contains <{line.elements[0].tag}>; texts must be plain.", "Remove the element."
            )
        if extra := _extra(line, set()):
            extras.append((number, extra))
    return FileText(tuple(line.text for line in lines), _extra(node, {"line"}), tuple(extras))


def _scus(node: Node, tag: str, problems: Problems) -> tuple[FileScu, ...]:
    found: dict[str, FileScu] = {}
    for number, child in enumerate((c for c in node.elements if c.tag == tag), 1):
        uid = child.attributes.get("uid", "").strip()
        place = f"line {child.line}, {tag}[{number}]"
        problems.place = place
        if not uid:
            problems.add("uid", "The uid is missing.", "Add a unique number.")
        elif uid in found or (tag == "scu" and uid == NO_MATCH):
            what = "Another SCU has this uid." if uid in found else "0 is not a valid uid."
            problems.add("uid", f"{what} ({uid})", "Use a unique number.")
        found[uid or f"missing {number}"] = _scu(child, tag, uid, place, problems)
    return tuple(found.values())


def _scu(node: Node, tag: str, uid: str, place: str, problems: Problems) -> FileScu:
    known = {"uid", "label", "comment"}
    label, weight = node.attributes.get("label", ""), None
    if tag == "peerscu" and (prefix := _WEIGHT.match(label)):
        label, weight = label[prefix.end() :], int(prefix.group(1))
    contributors = []
    for number, child in enumerate((c for c in node.elements if c.tag == "contributor"), 1):
        problems.place = f"{place}, contributor[{number}]"
        contributors.append(_contributor(child, tag == "peerscu", problems))
    comment = node.attributes.get("comment", "")
    extra = _extra(node, {"contributor"}, known)
    return FileScu(uid, label, tuple(contributors), comment, weight, extra, node.line)


def _contributor(node: Node, may_be_bare: bool, problems: Problems) -> FileContributor:
    place = problems.place
    parts = []
    for number, child in enumerate((c for c in node.elements if c.tag == "part"), 1):
        problems.place = f"{place}, part[{number}]"
        parts.append(_part(child, problems))
    problems.place = place
    if not parts and not may_be_bare:
        what = "The contributor has no part, so its reference is unknown."
        problems.add("part", what, "Add a part with start and end, or remove the contributor.")
    label, comment = (node.attributes.get(name, "") for name in ("label", "comment"))
    extra = _extra(node, {"part"}, {"label", "comment"})
    return FileContributor(label, tuple(parts), comment, extra)


def _part(node: Node, problems: Problems) -> FilePart:
    start, end = (_offset(node.attributes, name, problems) for name in ("start", "end"))
    extra = _extra(node, set(), {"label", "start", "end"})
    return FilePart(node.attributes.get("label", ""), start, end, extra, node.line)


def _offset(attributes: Mapping[str, str], name: str, problems: Problems) -> int:
    value = attributes.get(name, "")
    found = _OFFSET.fullmatch(value)
    if found is None:
        what = f"{value[:40]!r} is not an offset." if value else "The offset is missing."
        problems.add(name, what, "Write an integer from 0.")
        return 0
    return int(found.group(1))


def _extra(node: Node, tags: Iterable[str], attributes: Iterable[str] = ()) -> Extra:
    """Return the contents of an element other than these tags and attributes."""
    known, named = set(tags), set(attributes)
    nodes, before = [], 0
    for child in node.children:
        if isinstance(child, Node):
            if child.is_element and child.tag in known:
                before += 1
            elif not (child.is_element and node.tag == "line"):
                nodes.append((before, child))
    others = {
        name: value
        for name, value in node.attributes.items()
        if name not in named or (name == "comment" and not value)
    }
    return Extra(others, tuple(nodes)) if others or nodes else NOTHING
