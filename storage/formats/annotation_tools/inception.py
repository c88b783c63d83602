"""INCEpTION: UIMA CAS documents in two custom layers, written with dkpro-cassis and read from XMI or JSON.

The layer PyramidionUnit holds the parts of contributors and matches, PyramidionSpan marked spans. Spans of
other layers become marked spans of a scale that is called like the layer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from core.domain.import_batch import ImportContent
from core.domain.pyramid import UnitKind
from core.domain.study import Span
from core.errors import InputError, MissingResource
from core.files.paths import access_errors, list_files
from core.ports import Study
from core.progress import JobSteps, Progress
from storage.formats.annotation_tools import cas_files
from storage.formats.annotation_tools.cas_files import CasAnnotation, CasDocument, is_document
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
from storage.formats.format_types import Export, Format, Options
from storage.formats.offsets import OffsetUnit
from storage.formats.readers.fields import opened
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
_MISSING = (
    "Writing files for INCEpTION needs the package dkpro-cassis, which is not installed: "
    "pip install 'pyramidion[inception]'."
)


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
        try:
            import cassis
        except ImportError as error:
            raise MissingResource(_MISSING) from error
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
        document = cas_files.decode(name, content, self.problems)
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
