"""Documents as INCEpTION exports them: UIMA CAS XMI and JSON 0.4.0, read without their type system, and TSV.

Offsets count UTF-16 units. WebAnno TSV 3 has a line per token, with columns for the features of layers. A
cell holds ``_`` for no annotation, ``*`` for one without a value; ``|`` separates stacked annotations, and a
number in brackets joins the tokens of one. Blanks between sentences are not in the file.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from storage.formats.ducview import xml
from storage.formats.memory import ROW, json_size, xml_size
from storage.formats.readers.fields import Problems, RepeatedKey, decoded, is_clean, unique_keys
from storage.formats.readers.usage import current

VIEW = "_InitialView"
_SOFA = "uima.cas.Sofa"
_STRUCTURES, _TYPE, _ID, _PLACE = "%FEATURE_STRUCTURES", "%TYPE", "%ID", "place in the file"
_KNOWN = {_STRUCTURES, "%TYPES", "%VIEWS"}
_XMLNS = "xmlns:"
_AGAIN = (
    "Export the document from INCEpTION as UIMA CAS JSON, as UIMA CAS XMI (XML 1.0) or as WebAnno TSV v3.3."
)
_HEAD = 200
_TSV = b"#FORMAT=WebAnno TSV 3"
_SPANS, _RELATIONS, _CHAINS, _TEXT = "#T_SP=", "#T_RL=", "#T_CH=", "#Text="
_ROLE = "ROLE_"
_NOTHING, _NO_VALUE = "_", "*"
_TOKEN = re.compile(r"[0-9]{1,9}-[0-9]{1,9}(?:\.[0-9]{1,9})?\t(?P<begin>[0-9]{1,9})-(?P<end>[0-9]{1,9})\t")
_STACKED = re.compile(r"(?<!\\)\|")
_JOINED = re.compile(r"(?<!\\)(?:\[(?P<id>[0-9_]+)\]|->(?P<link>[0-9]+-[0-9]+))\Z")
_ESCAPED = re.compile(r"\\(->|.)", re.DOTALL)
_SIGNS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b"}


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


def is_document(name: str, start: bytes) -> bool:
    """Return whether a file of this name that begins so is a document; CAS JSON may begin with settings."""
    if name.lower().endswith(".tsv"):
        return start.removeprefix(codecs.BOM_UTF8).startswith(_TSV)
    return not name.lower().endswith(".json") or any(
        key in start for key in (b'"%FEATURE_STRUCTURES"', b'"%TYPES"')
    )


def decode(name: str, content: bytes, problems: Problems) -> CasDocument | None:
    """Read a document; None and a problem if it is none."""
    before = len(problems.found)
    if (kind := name.lower().rpartition(".")[2]) == "json":
        found = _json(name, content, problems)
    else:
        found = _tsv(content, problems) if kind == "tsv" else _xmi(content, problems)
    if found is not None and found.text is None and len(problems.found) == before:
        problems.add("", "The document has no text.", _AGAIN)
    is_valid = found is not None and is_clean(found.text or "", "text", problems)
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


@dataclass(frozen=True, slots=True)
class _Layer:
    """A layer with the places of its columns, of those with a feature, and of those with targets of slots."""

    type: str
    kind: str
    columns: range
    features: dict[int, str]
    targets: frozenset[int]


@dataclass(slots=True)
class _Text:
    """The text so far; its length in UTF-16 units. sentence: the lines of the next one."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    sentence: list[str] = field(default_factory=list)

    def begin(self, at: int) -> bool:
        """Add the next sentence at an offset; returns False if that is impossible.

        Without a blank between two sentences, the line end of the first one is none.
        """
        if self.length == at + 1:
            self.parts[-1] = self.parts[-1][:-1]
            self.length = at
        if not 0 <= at - self.length <= sum(map(len, self.parts)) + len("".join(self.sentence)) + 1000:
            return False
        content = " " * (at - self.length) + "".join(f"{line}\n" for line in self.sentence)
        self.parts.append(content)
        self.length += len(content.encode("utf-16-le", "surrogatepass")) // 2
        self.sentence.clear()
        return True


def _tsv(content: bytes, problems: Problems) -> CasDocument | None:
    """Read a document; None and a problem if it is none."""
    text = decoded(content, problems)
    if text is None:
        return None
    found, layers, buffer = CasDocument(has_blanks=False), list[_Layer](), _Text()
    joined: dict[tuple[str, str], CasAnnotation] = {}
    file = problems.place
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        line = line.removesuffix("\r")
        problems.place = f"{file}, line {number}" if file else f"line {number}"
        if line.startswith((_SPANS, _RELATIONS, _CHAINS)):
            layers.append(_layer(line, layers))
        elif line.startswith(_TEXT):
            buffer.sentence.append(_unescaped(line.removeprefix(_TEXT)))
        elif line and not line.startswith("#"):
            token = _TOKEN.match(line)
            if token is None or (buffer.sentence and not buffer.begin(int(token["begin"]))):
                problems.add("", f"“{line[:40]}” is not a token of the text before it.", _AGAIN)
                return None
            problems.memory.take(ROW)
            span, cells = (int(token["begin"]), int(token["end"])), line.split("\t")[3:]
            for layer in layers:
                _add(found, joined, layer, span, cells, problems.place)
    problems.place = file
    found.text = "".join(buffer.parts) or None
    return found


def _layer(line: str, earlier: Sequence[_Layer]) -> _Layer:
    kind, _, rest = line.partition("=")
    name, *names = [one for one in rest.split("|") if one] or [""]
    start = earlier[-1].columns.stop if earlier else 0
    columns = range(start, start + max(1, len(names)))
    roles = {at for at, one in zip(columns, names, strict=False) if one.startswith(_ROLE)}
    targets = frozenset(at + 1 for at in roles)
    named = {at: one for at, one in zip(columns, names, strict=False) if at not in roles | targets}
    return _Layer(name, f"{kind}=", columns, named, targets)


def _add(
    found: CasDocument,
    joined: dict[tuple[str, str], CasAnnotation],
    layer: _Layer,
    span: tuple[int, int],
    cells: Sequence[str],
    place: str,
) -> None:
    """Add the annotations of a token in a layer, or extend those that began earlier."""
    own = [cells[at] if at < len(cells) else _NOTHING for at in layer.columns]
    columns = [_values(cell, at in layer.targets) for at, cell in zip(layer.columns, own, strict=True)]
    for stacked in zip_longest(*columns, fillvalue=(_NO_VALUE, "")):
        key = layer.type, next((name for _, name in stacked if name), "")
        known = joined.get(key) if key[1] and layer.kind != _RELATIONS else None
        if known is not None:
            known.end = span[1]
            continue
        features: dict[str, Any] = {"Governor": True} if layer.kind == _RELATIONS else {}
        for at, (value, _) in zip(layer.columns, stacked, strict=True):
            if value != _NO_VALUE and at in layer.features:
                features[layer.features[at]] = _unescaped(value)
            elif value != _NO_VALUE and layer.kind != _RELATIONS:
                features["slots"] = [value]
        one = CasAnnotation(layer.type, *span, features, place)
        found.annotations.append(one)
        if key[1]:
            joined[key] = one


def _values(cell: str, are_targets: bool) -> list[tuple[str, str]]:
    """Return the value of each stacked annotation of a cell, and what joins it with other tokens.

    are_targets: the cell has targets of slots, whose numbers are those of other annotations.
    """
    found = []
    for one in _STACKED.split(cell) if cell != _NOTHING else ():
        ends = None if are_targets else _JOINED.search(one)
        found.append((one[: ends.start()], ends["id"] or ends["link"]) if ends else (one, ""))
    return found


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda found: _SIGNS.get(found[1], found[1]), text)
