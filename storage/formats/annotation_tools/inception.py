"""INCEpTION: UIMA CAS documents in two custom layers, written with dkpro-cassis and read from XMI or JSON.

The layer PyramidionUnit holds the parts of contributors and matches, PyramidionSpan marked spans. Spans of
other layers become marked spans of a scale that is called like the layer.

Documents are read without their type system, and from WebAnno TSV 3 too, which has a line per token, with
columns for the features of layers. A cell holds ``_`` for no annotation, ``*`` for one without a value; ``|``
separates stacked annotations, and a number in brackets joins the tokens of one. Blanks between sentences are
not in the file. Offsets count UTF-16 units.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from pathlib import Path, PurePosixPath
from typing import Any

from core.domain.import_batch import ImportContent
from core.domain.pyramid import UnitKind
from core.domain.study import Span
from core.errors import InputError
from core.extras import require
from core.files.paths import access_errors, list_files
from core.ports import Study
from core.progress import JobSteps, Progress
from storage.formats.annotation_tools.study_marks import MarkedText, StudyMarks, TextKey, UnitMark
from storage.formats.annotation_tools.tool_folders import (
    MANIFEST,
    Files,
    FolderReader,
    Manifest,
    Spans,
    write_folder,
)
from storage.formats.annotation_tools.tool_import import ToolImport
from storage.formats.archive import has_members
from storage.formats.ducview import xml
from storage.formats.format_types import Export, Format, Options
from storage.formats.memory import ROW, json_size, xml_size
from storage.formats.offsets import OffsetUnit
from storage.formats.readers.fields import Problems, RepeatedKey, decoded, is_clean, opened, unique_keys
from storage.formats.readers.usage import Record, current

ANNOTATOR = "inception"
UNIT, SPAN = "webanno.custom.PyramidionUnit", "webanno.custom.PyramidionSpan"
SUFFIXES = (".zip", ".xmi", ".json", ".tsv")
TYPES = "TypeSystem.xml"
_STRING, _BOOLEAN = "uima.cas.String", "uima.cas.Boolean"
_FEATURES = {
    UNIT: {
        "kind": (_STRING, "scu or nugget"),
        "unit": (_STRING, "Id of the SCU or nugget; empty = outside the pyramid"),
        "label": (_STRING, "Label of the SCU or nugget"),
        "owner": (_STRING, "Annotator of the pyramid; empty = the one who marks"),
        "note": (_STRING, "Comment"),
        "part": (_STRING, "Parts with the same number before the point belong together, such as 2.1 and 2.2"),
        "partial": (_BOOLEAN, "The summary supports the nugget only in part"),
        "automatic": (_BOOLEAN, "Found automatically and not confirmed"),
    },
    SPAN: {
        "scale": (_STRING, "Rating scale"),
        "category": (_STRING, "Category of the scale, such as the kind of error"),
    },
}
_DESCRIPTIONS = {UNIT: "Part of an SCU or nugget in a text", SPAN: "Marked span of a rating scale"}
_DKPRO = "de.tudarmstadt.ukp.dkpro.core.api."
_NAMED = f"{_DKPRO}ner.type.NamedEntity"
_SILENT = ("uima.", f"{_DKPRO}segmentation.", f"{_DKPRO}metadata.")
_CATEGORY = ("value", "label", "category")
_INITIAL, _SERIALIZED = "INITIAL_CAS", ".ser"
_SNIFFED = 2**16
_SECOND = "Export the project again, with UIMA CAS XMI (XML 1.0) or WebAnno TSV v3.3 as secondary format."
_KEEPS = "They are kept in INCEpTION only."
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


def recognises(path: Path) -> bool:
    """Return whether a file or folder holds CAS documents."""
    with access_errors(path):
        if path.is_dir():
            is_exported = (path / MANIFEST).is_file() and (path / TYPES).is_file()
            return is_exported or any(file.suffix.lower() == ".xmi" for file in list_files(path))
        suffix = path.suffix.lower()
    if suffix in (".json", ".tsv"):
        try:
            with opened(path) as file:
                return is_document(path.name, file.read(_SNIFFED))
        except InputError:
            return False  # the reader reports the error
    return suffix == ".xmi" or (suffix == ".zip" and has_members(path, _may_hold))


def _may_hold(name: str) -> bool:
    return name.lower().endswith((*SUFFIXES, _SERIALIZED))


def write(study: Study, folder: Path, *, suffix: str) -> JobSteps[int]:
    """Write the study's marked texts as CAS documents into a folder, as `write_folder` does.

    suffix: ``.xmi`` or ``.json``. ``TypeSystem.xml`` has the layers.
    Raises MissingResource without dkpro-cassis.
    """
    return write_folder(study, folder, (suffix,), partial(_CasWriter, suffix))


class _CasWriter:
    """Documents, and the type system with their layers."""

    def __init__(self, suffix: str, marks: StudyMarks, manifest: Manifest) -> None:
        require("inception")
        import cassis

        self._cassis, self._suffix, self._manifest = cassis, suffix, manifest
        self._types = cassis.TypeSystem()
        for name, features in _FEATURES.items():
            made = self._types.create_type(name, "uima.tcas.Annotation", description=_DESCRIPTIONS[name])
            for feature, (kind, description) in features.items():
                self._types.create_feature(made, feature, kind, description=description)

    def files(self, name: str, text: MarkedText) -> Files:
        """Return a document, and enter its text into the manifest."""
        cas = self._cassis.Cas(self._types)
        try:
            cas.sofa_string, cas.sofa_mime = text.text.content, "text/plain"
            for kind, start, end, features in _annotations(text):
                cas.add(self._types.get_type(kind)(begin=start, end=end, **features))
            content = cas.to_xmi() if self._suffix == ".xmi" else cas.to_json()
        except ValueError as error:  # a control character, which XML cannot contain
            what = f"{name}: The text has a character that XML cannot contain."
            raise InputError(f"{what} Use --format inception-json.") from error
        self._manifest.add(name, text, [_features(mark) for mark in text.units if not mark.parts])
        return {name: content}

    def settings(self) -> Files:
        """Return the type system."""
        return {TYPES: self._types.to_xml()}


def _annotations(text: MarkedText) -> Iterator[tuple[str, int, int, dict[str, Any]]]:
    """Yield type, start, end and features of each part and marked span."""
    for number, mark in enumerate(text.units, 1):
        for place, (start, end) in enumerate(mark.parts, 1):
            yield UNIT, start, end, {**_features(mark), "part": f"{number}.{place}"}
    for rating in text.ratings:
        for start, end, category in rating.spans:
            yield SPAN, start, end, {"scale": rating.scale, "category": category}


def _features(mark: UnitMark) -> dict[str, Any]:
    texts = {"kind": str(mark.kind), "owner": mark.owner, "unit": mark.unit, "label": mark.label}
    return {**texts, "note": mark.comment, "partial": mark.is_partial, "automatic": not mark.is_confirmed}


def read(path: Path, options: Options, study: Study | None = None) -> JobSteps[ImportContent]:
    """Read a document, or a folder or archive of them. Raises BadImport with every problem.

    options: ``annotator`` of documents whose path names none.
    """
    reader = _Reader(ToolImport(path, study, options, ANNOTATOR))
    current().expected.append(f"*{TYPES}")
    for number, (name, content) in enumerate(reader.documents(path)):
        reader.read(name, content)
        if number % 20 == 0:
            yield Progress(number, 0, f"reading {name}")
    return reader.tool.finish()


class _Reader(FolderReader):
    def documents(self, path: Path) -> Iterator[tuple[str, bytes]]:
        """Yield the names and contents of documents."""
        serialized = []

        def takes(name: str) -> bool:
            if name.lower().endswith(_SERIALIZED):
                serialized.append(name)
            return name.lower().endswith(SUFFIXES) and not name.startswith("exportedproject")

        files = self.collect(path, takes)
        current().expected.append(f"*{_SERIALIZED}")
        for name in serialized:
            base = name.removesuffix(_SERIALIZED).replace("_ser/", "/")
            if not any(one.startswith(f"{base}.") for one in files) and Path(base).name != _INITIAL:
                self.tool.leave_out("documents in INCEpTION's own format (.ser)", _SECOND)
        for name, content in files.items():
            if len(files) > 1 and not is_document(name, content[:_SNIFFED]):
                current().leave(name)  # settings and logs of an exported project
            elif PurePosixPath(name).stem == _INITIAL:
                self.tool.leave_out("documents before annotation (INITIAL_CAS)", "They have no annotator.")
            else:
                yield name, content

    def read(self, name: str, content: bytes) -> None:
        """Read a document."""
        self.problems.place = "" if name == self.problems.file else name
        document = decode(name, content, self.problems)
        if document is None or document.text is None:
            return
        entry, text = self.manifest.texts.get(name), document.text
        key = entry.key if entry is not None else None
        if entry is None:
            equal = None if document.has_blanks else self.tool.texts_but_for_blanks(text)
            key = self.tool.find(text, self._stem(name, document), None if equal is None else list(equal))
            text = text if equal is None or key is None else equal[key]
        if key is None or self.tool.text(key, text, entry.sentences if entry is not None else None) is None:
            return
        annotator = entry.annotator if entry is not None else self._annotator(name)
        units, spans = self._marks(document, key)
        self.problems.place = "" if name == self.problems.file else name
        for features, parts in (*units, *((one, ()) for one in (entry.without_span if entry else ()))):
            self.tool.mark(key, annotator, _mark(features, annotator, parts))
        self.add_marks(key, annotator, entry, spans, {})
        self.tool.leave_out("annotations of other texts of the document", _KEEPS, document.others)
        count = sum(len(parts) for _, parts in units) + sum(map(len, spans.values()))
        self.file(name, key, annotator, count)

    def _stem(self, name: str, document: CasDocument) -> str:
        """Return the title or part of the path that names a text of the study, else the file's name."""
        titles = [str(one.features.get("documentTitle", "")) for one in document.annotations]
        candidates = [title for title in titles if title] + [*PurePosixPath(name).parts]
        stems = [stem for one in candidates for stem in (one, one.rpartition(".")[0])]
        return next((stem for stem in stems if self.tool.named(stem) is not None), PurePosixPath(name).stem)

    def _annotator(self, name: str) -> str:
        """Return whose document it is: in an exported project the file's name, else the folder's."""
        path = PurePosixPath(name)
        if self.tool.is_annotator_given:
            return self.tool.annotator()
        if {"annotation", "curation"} & set(path.parts[:-1]):
            return path.stem
        folder = path.parent.name
        return self.tool.annotator("" if folder.lower().endswith(".zip") else folder)

    def _marks(self, document: CasDocument, key: TextKey) -> tuple[list[_Unit], Spans]:
        """Return the units of a document, each with its features and parts, and its marked spans."""
        units: dict[tuple[str, ...], list[tuple[int, Span, Mapping[str, Any]]]] = {}
        spans: Spans = {}
        for number, one in enumerate(document.annotations):
            if one.type.startswith(_SILENT):
                continue
            self.problems.place = one.place
            if one.type.startswith(_DKPRO) and one.type != _NAMED:
                self.tool.leave_out("annotations of linguistic layers", _KEEPS)
                continue
            if {"Governor", "Dependent", "@Governor", "@Dependent"} & one.features.keys():
                self.tool.leave_out("relations", _KEEPS)
                continue
            if one.begin == one.end:
                self.tool.leave_out("annotations of no words", _KEEPS)
                continue
            features = current().record({one.name: Record(one.features)}, self.problems.file)[one.name]
            if (span := self.tool.span(key, one.begin, one.end, unit=OffsetUnit.UTF16)) is None:
                continue
            if one.type == UNIT:
                group, place = _group(features, number)
                units.setdefault(group, []).append((place, span, features))
            else:
                scale, category = _category(one, features)
                spans.setdefault(scale, []).append((*span, category))
        ordered = [sorted(found, key=lambda part: part[0]) for found in units.values()]
        return [(found[0][2], tuple(span for _, span, _ in found)) for found in ordered], spans


_Unit = tuple[Mapping[str, Any], tuple[Span, ...]]


def _group(features: Mapping[str, Any], number: int) -> tuple[tuple[str, ...], int]:
    """Return what the parts of a contributor or match have in common, and the place of a part."""
    group, point, place = _text(features, "part").partition(".")
    if not group or not point or not (place.isascii() and place.isdecimal()) or len(place) > 9:
        return (f"{number}",), 0
    names = (_text(features, name) for name in ("kind", "owner", "unit"))
    return (group, *names, "part"), int(place)


def _mark(features: Mapping[str, Any], annotator: str, parts: tuple[Span, ...]) -> UnitMark:
    kind = UnitKind.NUGGET if _text(features, "kind").lower() == UnitKind.NUGGET else UnitKind.SCU
    owner, unit, label, note = (_text(features, name) for name in ("owner", "unit", "label", "note"))
    flags = not _flag(features, "automatic"), _flag(features, "partial")
    return UnitMark(kind, owner or annotator, unit or label, label, parts, note, *flags)


def _category(one: CasAnnotation, features: Record) -> tuple[str, str]:
    """Return the scale and category of a marked span."""
    if one.type == SPAN:
        return _text(features, "scale") or "errors", _text(features, "category") or one.name
    texts = [name for name, value in features.without_notes().items() if isinstance(value, str) and value]
    chosen = next((name for name in (*_CATEGORY, *texts[: len(texts) == 1]) if name in texts), "")
    return one.name, _text(features, chosen) or one.name


def _text(features: Mapping[str, Any], name: str) -> str:
    value = features.get(name)
    return value if isinstance(value, str) else ""


def _flag(features: Mapping[str, Any], name: str) -> bool:
    return features.get(name) in (True, "true")


FORMAT = Format(
    "inception",
    "INCEpTION (UIMA CAS XMI, JSON, WebAnno TSV)",
    "Documents with annotations: a file, or an archive or folder of exported documents.",
    read,
    recognises,
    SUFFIXES,
    takes_folders=True,
    asks_annotator=True,
)
EXPORTS = tuple(
    Export(
        "annotations",
        f"inception-{title.casefold()}",
        "",
        f"A folder for INCEpTION with the same texts as UIMA CAS {title}, and the layers.",
        fill=partial(write, suffix=f".{title.casefold()}"),
    )
    for title in ("XMI", "JSON")
)
