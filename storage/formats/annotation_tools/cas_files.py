"""UIMA CAS documents as INCEpTION exports them: XMI and JSON 0.4.0, read without their type system.

Offsets count UTF-16 units.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from storage.formats.ducview import xml
from storage.formats.memory import json_size, xml_size
from storage.formats.readers.fields import Problems, RepeatedKey, is_clean, unique_keys
from storage.formats.readers.usage import current

VIEW = "_InitialView"
_SOFA = "uima.cas.Sofa"
_STRUCTURES, _TYPE, _ID, _PLACE = "%FEATURE_STRUCTURES", "%TYPE", "%ID", "place in the file"
_KNOWN = {_STRUCTURES, "%TYPES", "%VIEWS"}
_XMLNS = "xmlns:"
_AGAIN = "Export the document from INCEpTION as UIMA CAS JSON, or as UIMA CAS XMI (XML 1.0)."
_HEAD = 200


@dataclass(slots=True)
class CasAnnotation:
    """An annotation of a text. type: its full name. features: without its place. place: in the file."""

    type: str
    begin: Any
    end: Any
    features: Mapping[str, Any]
    place: str

    @property
    def name(self) -> str:
        """The last part of its type's name."""
        return self.type.rpartition(".")[2]


@dataclass(slots=True)
class CasDocument:
    """A text with its annotations.

    others: number of annotations of other texts of the document.
    has_blanks: False = blanks between sentences may be others in the document.
    """

    text: str | None = None
    annotations: list[CasAnnotation] = field(default_factory=list)
    others: int = 0
    has_blanks: bool = True


def is_cas_json(start: bytes) -> bool:
    """Return whether a file that begins so is CAS JSON."""
    return b'"%FEATURE_STRUCTURES"' in start or b'"%TYPES"' in start


def decode(name: str, content: bytes, problems: Problems) -> CasDocument | None:
    """Read a document; None and a problem if it is none."""
    before = len(problems.found)
    found = _json(name, content, problems) if name.lower().endswith(".json") else _xmi(content, problems)
    if found is not None and found.text is None and len(problems.found) == before:
        problems.add("sofaString", "The document has no text.", _AGAIN)
    is_valid = found is not None and found.text is not None and is_clean(found.text, "sofaString", problems)
    return found if is_valid and len(problems.found) == before else None


def _xmi(content: bytes, problems: Problems) -> CasDocument | None:
    if b"1.1" in content[:_HEAD].partition(b"?>")[0]:
        problems.add("", "The file is XML 1.1, which is not read.", _AGAIN)
        return None
    problems.memory.check(xml_size(content))
    root = xml.parse(content, problems, "INCEpTION").root
    if root.tag.rpartition(":")[2] != "XMI":
        problems.add("", f"The file is {root.tag[:40]}, not XMI.", _AGAIN)
        return None
    spaces = {name.removeprefix(_XMLNS): url for name, url in root.attributes.items() if _XMLNS in name}
    structures = [
        {**node.attributes, _TYPE: _type(node.tag, spaces), _PLACE: f"line {node.line}"}
        for node in root.elements
    ]
    for one in structures:
        one |= {name: _whole(one[name]) for name in ("begin", "end") if name in one}
    return _document(structures, ("xmi:id", "sofa"), problems)


def _document(structures: Iterable[dict[str, Any]], keys: tuple[str, str], problems: Problems) -> CasDocument:
    """Return the text and the annotations in feature structures. keys: of an id, and of the id of a text."""
    found, sofas = CasDocument(), {}
    file = f"{problems.place}, " if problems.place else ""
    own, of = keys
    annotations = []
    for one in structures:
        if one.get(_TYPE) == _SOFA:
            sofas[str(one.get(own))] = one.get("sofaID")
            if one.get("sofaID") == VIEW and isinstance(one.get("sofaString"), str):
                found.text = one["sofaString"]
        elif one.get(of) is not None and {"begin", "end"} <= one.keys():
            annotations.append(one)
    for one in annotations:
        if sofas.get(str(one.pop(of)), VIEW) != VIEW:
            found.others += 1
            continue
        kind, begin, end, place = (one.pop(name, "") for name in (_TYPE, "begin", "end", _PLACE))
        one.pop(own, None)
        found.annotations.append(CasAnnotation(str(kind), begin, end, one, f"{file}{place}"))
    return found


def _type(tag: str, spaces: Mapping[str, str]) -> str:
    """Return the name of a type: its namespace is http:///PACKAGE.ecore, with slashes for dots."""
    prefix, _, name = tag.rpartition(":")
    package = spaces.get(prefix, "").removeprefix("http:///").removesuffix(".ecore").replace("/", ".")
    return f"{package}.{name}" if package else name


def _whole(text: str) -> Any:
    """Return the number of an attribute, or its text if it is none; it is checked with the span."""
    is_number = len(text) < 20 and text.isascii() and text.removeprefix("-").isdecimal()
    return int(text) if is_number else text


def _json(name: str, content: bytes, problems: Problems) -> CasDocument | None:
    try:
        text = content.decode()
        problems.memory.check(json_size(text))
        record = json.loads(text, object_pairs_hook=unique_keys)
        structures = record.without_notes()[_STRUCTURES]
        if isinstance(structures, Mapping):
            structures = list(structures.values())
        structures = [dict(one) for one in structures]
        current().record({key: record[key] for key in record.keys() - _KNOWN}, name)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, RepeatedKey) as error:
        what = f"The file is not UIMA CAS JSON 0.4.0: {str(error)[:60] or type(error).__name__}."
        problems.add("", what, _AGAIN)
        return None
    for number, one in enumerate(structures, 1):
        one[_PLACE] = f"feature structure {one.get(_ID, number)}"
    return _document(structures, (_ID, "@sofa"), problems)
