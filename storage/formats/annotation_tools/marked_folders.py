"""Folders of marked texts with a manifest, as written for and read from brat and INCEpTION."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from core.domain.import_batch import ImportedFile
from core.errors import InputError
from core.files.atomic_write import atomic_folder, atomic_open
from core.files.file_names import FileNames
from core.ports import Study
from core.progress import JobSteps, Progress
from storage.formats.annotation_tools import manifest as manifests
from storage.formats.annotation_tools.manifest import Manifest, TextEntry
from storage.formats.annotation_tools.study_marks import (
    MarkedText,
    StudyMarks,
    TextKey,
    TextKind,
    marks_of,
)
from storage.formats.annotation_tools.tool_import import ToolImport
from storage.formats.archive import read_files

Spans = dict[str, list[tuple[int, int, str]]]
"""Marked spans, with their category, by scale."""


class FolderWriter(Protocol):
    """Writer of a tool's files. suffix: of the name of a text in the manifest."""

    suffix: str

    def files(self, name: str, text: MarkedText) -> Mapping[str, str]:
        """Return the files of a text, by name, and enter the text into the manifest."""

    def settings(self) -> Mapping[str, str]:
        """Return the files of the folder, by name."""


def write_folder(
    study: Study, folder: Path, start: Callable[[StudyMarks, Manifest], FolderWriter]
) -> JobSteps[int]:
    """Write the study's marked texts into a folder, all or nothing; returns the number of files.

    One subfolder per annotator has ``TOPIC.reference.AUTHOR`` and ``TOPIC.summary.SYSTEM`` with the suffixes
    of the tool.
    Raises InputError if there is nothing to write or writing fails.
    """
    marks = marks_of(study)
    if not marks.texts:
        raise InputError("Nothing is marked in the study's texts yet. Annotate or import something first.")
    manifest = manifests.manifest_of(marks)
    writer, count = start(marks, manifest), 0
    people, files = FileNames(), {text.annotator: FileNames() for text in marks.texts}
    folders = {name: people.reserve(name, "") for name in files}

    def write(contents: Mapping[str, str]) -> int:
        for name, content in contents.items():
            with atomic_open(part / name) as out:
                out.write(content)
        return len(contents)

    with atomic_folder(folder) as part:
        for done, text in enumerate(marks.texts):
            own = folders[text.annotator]
            name = f"{own}/{files[text.annotator].reserve(text.key.stem, writer.suffix)}"
            (part / own).mkdir(exist_ok=True)
            count += write(writer.files(name, text))
            yield Progress(done, len(marks.texts), f"writing {name}")
        settings = writer.settings()
        count += write({manifests.NAME: manifest.encode(), **settings})
    return count


class FolderReader:
    """Reads folders of texts: the manifest first, then each text with its annotator."""

    def __init__(self, tool: ToolImport) -> None:
        self.tool, self.problems = tool, tool.problems
        self.manifest = Manifest([], [], {}, {})

    def collect(self, path: Path, takes: Callable[[str], bool]) -> dict[str, bytes]:
        """Return the contents of files by name, without the manifest, which is read."""
        files: dict[str, bytes] = {}
        for name, content in read_files(path, takes, self.problems):
            self.problems.memory.take(2 * len(content))
            files[name] = content
        if (found := files.pop(manifests.NAME, None)) is not None:
            self.manifest = manifests.decode(found, self.problems)
            for entry in self.manifest.scales:
                self.tool.scale(entry.scale())
            for number, one in enumerate(self.manifest.lists, 1):
                self.problems.place = f"{manifests.NAME}, list {number}"
                self.tool.unit_list(one)
        return files

    def file(self, name: str, key: TextKey, annotator: str, count: int) -> None:
        """Add the interpretation of a file. count: number of its annotations."""
        is_summary = key.kind is TextKind.SUMMARY
        names = () if is_summary else (key.name,), key.name if is_summary else ""
        self.tool.file(ImportedFile(name, "annotations", key.topic, annotator, *names, count))


def add_marks(
    tool: ToolImport,
    place: tuple[TextKey, str, TextEntry | None],
    spans: Spans,
    notes: Mapping[str, list[str]],
) -> None:
    """Add an annotator's marked spans of a text, and what the manifest says of it.

    place: the text, the annotator, and the entry of the manifest. notes: by scale.
    """
    key, annotator, entry = place
    for owner, kind in entry.done if entry is not None else ():
        tool.done(key, annotator, owner, kind)
    tool.rate_marked(key, annotator, spans, notes, entry.rated if entry is not None else ())
