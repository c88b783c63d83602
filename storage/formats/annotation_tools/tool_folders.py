"""Folders of annotation tools: written all or nothing; those of marked texts with a manifest are read too.

The manifest has what a tool does not show: names, order, sentences, scales. It names the text of each file;
without it texts are found by their content.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from core.domain.import_batch import ImportedFile
from core.domain.pyramid import UnitKind
from core.domain.ratings import Dimension, ScaleKind
from core.domain.study import Span
from core.errors import InputError
from core.files.atomic_write import atomic_folder, atomic_open
from core.files.file_names import FileNames
from core.json_schema import from_plain, to_plain
from core.ports import Study
from core.progress import JobSteps, Progress
from storage.formats.annotation_tools.study_marks import (
    Answer,
    MarkedText,
    Remark,
    StudyMarks,
    TextKey,
    TextKind,
    UnitList,
    marks_of,
)
from storage.formats.annotation_tools.tool_import import ToolImport
from storage.formats.archive import read_files
from storage.formats.memory import json_size
from storage.formats.readers.fields import Problems, RepeatedKey, unique_keys
from storage.formats.readers.usage import current

MANIFEST = "pyramidion.json"
Files = Mapping[str, str]
"""Contents of files by name."""
Spans = dict[str, list[tuple[int, int, str]]]
"""Marked spans, with their category, by scale."""
_FORMAT, _VERSION = "pyramidion annotations", 1
_AS_EXPORTED = "Export the annotations again, or remove the file; texts are then found by their content."
_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class ScaleEntry:
    """A scale of marked spans."""

    name: str
    categories: tuple[str, ...]
    question: str
    description: str
    required: bool

    def scale(self) -> Dimension:
        """Return the scale."""
        anchors = tuple((float(number), text) for number, text in enumerate(self.categories, 1))
        about = self.question, self.description, anchors, ScaleKind.SPANS, self.required
        return Dimension("", self.name, 0.0, 1.0, *about)


@dataclass(frozen=True, slots=True)
class TextEntry:
    """A file's text and annotator.

    without_span: records of units found in it that have no span.
    text: the text if its line ends are not those of the file, else empty.
    """

    topic: str
    kind: TextKind
    name: str
    annotator: str
    sentences: tuple[Span, ...] | None
    done: tuple[tuple[str, UnitKind], ...]
    rated: tuple[Remark, ...]
    without_span: tuple[Any, ...]
    text: str = ""

    @property
    def key(self) -> TextKey:
        """Names of the text."""
        return TextKey(self.topic, self.kind, self.name)


@dataclass(slots=True)
class Manifest:
    """Content of the file. texts: by path. types: names of a tool for scales and categories."""

    lists: list[UnitList]
    scales: list[ScaleEntry]
    texts: dict[str, TextEntry]
    types: dict[str, tuple[str, str]]
    format: str = _FORMAT
    version: int = _VERSION

    @classmethod
    def of(cls, marks: StudyMarks) -> Manifest:
        """Return the manifest of a study's marks, without files."""
        scales = [
            ScaleEntry(
                one.name,
                tuple(text for _, text in one.anchors),
                one.question,
                one.description,
                one.is_required,
            )
            for one in marks.scales
        ]
        return cls(marks.lists, scales, {}, {})

    def add(self, path: str, marked: MarkedText, without_span: Sequence[Any]) -> None:
        """Enter a marked text."""
        content = marked.text.content
        self.texts[path] = TextEntry(
            marked.key.topic,
            marked.key.kind,
            marked.key.name,
            marked.annotator,
            marked.text.sentence_spans,
            tuple(sorted(marked.done)),
            tuple(one.remark for one in marked.ratings),
            tuple(without_span),
            content if "\r" in content else "",
        )


def _decoded(content: bytes, problems: Problems) -> Manifest:
    """Read a manifest. Raises BadImport with one problem if it is not as it was written."""
    try:
        text = content.decode()
        problems.memory.check(json_size(text))
        record = json.loads(text, object_pairs_hook=unique_keys)
        found = from_plain(Manifest, record)
        if (found.format, found.version) != (_FORMAT, _VERSION):
            raise ValueError("another format or version")
        _note_use(current().record(record, MANIFEST), to_plain(found))
        return found
    except (ValueError, TypeError, AttributeError, RecursionError, RepeatedKey) as error:
        problems.place = MANIFEST
        what = f"The list of exported texts cannot be read: {str(error)[:80] or type(error).__name__}."
        problems.add("", what, _AS_EXPORTED)
        problems.stop_if_any()
        raise


def _note_use(given: Any, known: Any) -> None:
    """Note the keys of objects that are known."""
    if isinstance(known, dict):
        for key, value in known.items():
            _note_use(given.get(key), value)
    elif isinstance(known, list):
        for pair in zip(given, known, strict=True):
            _note_use(*pair)


def write_files(folder: Path, files: Iterable[tuple[str, Iterable[str]]], *, total: int = 0) -> JobSteps[int]:
    """Write files into a folder, all or nothing; returns their number. Raises InputError if it fails.

    files: names and pieces of content. total: number of files, 0 = few large ones.
    """
    count = 0
    with atomic_folder(folder) as part:
        for count, (name, pieces) in enumerate(files, 1):
            (part / name).parent.mkdir(parents=True, exist_ok=True)
            with atomic_open(part / name) as out:
                for number, piece in enumerate(pieces):
                    out.write(piece)
                    if number % _AT_ONCE == 0:
                        yield Progress(count if total else number, total, f"writing {name}")
    return count


class FolderWriter(Protocol):
    """Writes the files of a tool, by name."""

    def files(self, name: str, text: MarkedText) -> Files:
        """Return the files of a text, and enter it into the manifest."""

    def settings(self) -> Files:
        """Return the files of the folder, after those of all texts."""


def write_folder(
    study: Study,
    folder: Path,
    suffixes: tuple[str, ...],
    start: Callable[[StudyMarks, Manifest], FolderWriter],
) -> JobSteps[int]:
    """Write the study's marked texts into a folder, as `write_files` does.

    One subfolder per annotator has ``TOPIC.reference.AUTHOR`` and ``TOPIC.summary.SYSTEM`` with the suffixes.
    suffixes: of the files of a text; the name in the manifest has one if there is only one.
    Raises InputError if there is nothing to write.
    """
    marks = marks_of(study)
    if not marks.texts:
        raise InputError("Nothing is marked in the study's texts yet. Annotate or import something first.")
    manifest = Manifest.of(marks)
    writer = start(marks, manifest)
    people, names = FileNames(), {text.annotator: FileNames() for text in marks.texts}
    folders = {name: people.reserve(name, "") for name in names}
    suffix = suffixes[0] if len(suffixes) == 1 else ""

    def files() -> Iterator[tuple[str, list[str]]]:
        for text in marks.texts:
            name = f"{folders[text.annotator]}/{names[text.annotator].reserve(text.key.stem, suffix)}"
            yield from ((one, [content]) for one, content in writer.files(name, text).items())
        yield from ((one, [content]) for one, content in writer.settings().items())
        yield MANIFEST, [json.dumps(to_plain(manifest), ensure_ascii=False, indent=1)]

    return (yield from write_files(folder, files(), total=len(marks.texts) * len(suffixes)))


class FolderReader:
    """Reads folders of texts: the manifest first, then each text with its annotator."""

    def __init__(self, tool: ToolImport) -> None:
        self.tool, self.problems, self.manifest = tool, tool.problems, Manifest([], [], {}, {})

    def collect(self, path: Path, takes: Callable[[str], bool]) -> dict[str, bytes]:
        """Return the contents of files by name, without the manifest, which is read."""
        files: dict[str, bytes] = {}
        for name, content in read_files(path, takes, self.problems):
            self.problems.memory.take(2 * len(content))
            files[name] = content
        if (found := files.pop(MANIFEST, None)) is not None:
            self.manifest = _decoded(found, self.problems)
            for entry in self.manifest.scales:
                self.tool.scale(entry.scale())
            for number, one in enumerate(self.manifest.lists, 1):
                self.problems.place = f"{MANIFEST}, list {number}"
                self.tool.unit_list(one)
        return files

    def file(self, name: str, key: TextKey, annotator: str, count: int) -> None:
        """Add the interpretation of a file. count: number of its annotations."""
        is_summary = key.kind is TextKind.SUMMARY
        names = () if is_summary else (key.name,), key.name if is_summary else ""
        self.tool.files.append(ImportedFile(name, "annotations", key.topic, annotator, *names, count))

    def add_marks(
        self,
        key: TextKey,
        annotator: str,
        entry: TextEntry | None,
        spans: Spans,
        notes: Mapping[str, Iterable[str]],
    ) -> None:
        """Add an annotator's marked spans of a text, and what the manifest says of it. notes: by scale."""
        for owner, kind in entry.done if entry is not None else ():
            self.tool.done(key, annotator, owner, kind)
        for scale, note, is_flagged, is_rated in entry.rated if entry is not None else ():
            self.tool.rate(
                key, annotator, Answer(scale, ScaleKind.SPANS, None, "", (), note, is_flagged, is_rated)
            )
        for scale, own in spans.items():
            note = "\n".join(dict.fromkeys(filter(None, notes.get(scale, ()))))
            self.tool.rate(key, annotator, Answer(scale, ScaleKind.SPANS, spans=tuple(own), note=note))
