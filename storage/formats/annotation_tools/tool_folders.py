"""Folders of annotation tools: written all or nothing; those of marked texts with a manifest are read too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

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
Files = Mapping[str, str]
"""Contents of files by name."""
_AT_ONCE = 50


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


def write_folder(
    study: Study,
    folder: Path,
    suffixes: tuple[str, ...],
    start: Callable[[StudyMarks, Manifest], tuple[Callable[[str, MarkedText], Files], Callable[[], Files]]],
) -> JobSteps[int]:
    """Write the study's marked texts into a folder, as `write_files` does.

    One subfolder per annotator has ``TOPIC.reference.AUTHOR`` and ``TOPIC.summary.SYSTEM`` with the suffixes.
    suffixes: of the files of a text; the name in the manifest has one if there is only one.
    start: returns a function that returns the files of a text and enters it into the manifest, and one that
    returns the files of the folder after that.
    Raises InputError if there is nothing to write.
    """
    marks = marks_of(study)
    if not marks.texts:
        raise InputError("Nothing is marked in the study's texts yet. Annotate or import something first.")
    manifest = manifests.manifest_of(marks)
    files_of, settings = start(marks, manifest)
    people, names = FileNames(), {text.annotator: FileNames() for text in marks.texts}
    folders = {name: people.reserve(name, "") for name in names}
    suffix = suffixes[0] if len(suffixes) == 1 else ""

    def files() -> Iterator[tuple[str, list[str]]]:
        for text in marks.texts:
            name = f"{folders[text.annotator]}/{names[text.annotator].reserve(text.key.stem, suffix)}"
            yield from ((one, [content]) for one, content in files_of(name, text).items())
        last = settings()
        yield from ((one, [content]) for one, content in last.items())
        yield manifests.NAME, [manifest.encode()]

    return (yield from write_files(folder, files(), total=len(marks.texts) * len(suffixes)))


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
