"""Text folders in the layout of DUC and TAC: documents/TOPIC/*, references/TOPIC.AUTHOR, "
"summaries/TOPIC.SYSTEM."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from core.domain.import_batch import ImportContent, NewText
from core.errors import InputError
from core.files.paths import access_errors, is_within, list_files, printable_path
from core.progress import JobSteps, Progress
from storage.formats.format_types import Format, without_study
from storage.formats.readers.draft import ImportDraft
from storage.formats.readers.fields import LONGEST_LINE, Problems, decoded, is_clean, opened

FOLDERS = ("documents", "references", "summaries")

_ONE_PER_LINE = (".summary", ".label")
"""File extensions in the layout of Lite2Pyramid and REALSumm."""

_ONE_PER_FILE = (
    "Write one text per file, as summaries/TOPIC.SYSTEM, or use a table with the columns topic, system and "
    "text."
)


def read(path: Path, options: Mapping[str, str]) -> JobSteps[ImportContent]:
    """Read a folder of UTF-8 files, one text each. Raises BadImport with every problem."""
    with access_errors(path):
        is_one = any((path / name).is_dir() for name in FOLDERS)
    if not is_one:
        raise InputError(
            f"{path} contains none of the folders {', '.join(FOLDERS)}. Choose the folder that contains them."
        )
    problems = Problems(path.name)
    _check_layout(path, problems)
    draft = ImportDraft(printable_path(path.name), problems)
    inside = path.resolve()
    files = [file for name in FOLDERS for file in _files(path / name)]
    for done, file in enumerate(files):
        problems.place = file.relative_to(path).as_posix()
        if is_readable(file, problems) and is_inside(file, inside, problems):
            _read_file(file, file.relative_to(path), draft)
        if done % 50 == 0:
            yield Progress(done, len(files), f"reading {printable_path(file.name)}")
    return draft.finish()


def _check_layout(path: Path, problems: Problems) -> None:
    """Add a problem for everything next to the three folders, because it would be ignored."""
    if (path / "SCUs.txt").is_file():
        raise InputError(
            f"{printable_path(path)} is a Lite2Pyramid or REALSumm folder (SCUs.txt, and "
            "summaries/SYSTEM.summary with one summary per line). Choose the format lite2pyramid."
        )
    with access_errors(path):
        others = sorted(entry for entry in path.iterdir() if not entry.name.startswith("."))
        strays = [entry for entry in others if entry.name not in FOLDERS or not entry.is_dir()]
        folders = {entry for entry in strays if entry.is_dir()}
    for entry in strays:
        problems.place = entry.name
        kind = "folder" if entry in folders else "file"
        what = f"The {kind} is not part of the layout documents/TOPIC/*, references/TOPIC.AUTHOR, "
        problems.add(
            "", f"{what}summaries/TOPIC.SYSTEM.", f"Move the {kind} out of {printable_path(path.name)}."
        )


def _files(folder: Path) -> list[Path]:
    """Return every file below a folder, sorted, without hidden ones; empty if there is no such folder."""
    files = list_files(folder) if folder.is_dir() else []
    return [file for file in files if not file.name.startswith(".")]


def _read_file(file: Path, relative: Path, draft: ImportDraft) -> None:
    folder, *inner = relative.parts
    if file.suffix.lower() in _ONE_PER_LINE:
        what = f"A {file.suffix} file contains a system's summaries of all topics, one per line."
        draft.problems.add("", what, _ONE_PER_FILE)
        return
    if folder != "documents" and len(inner) > 1:
        what = f"The file is in a subfolder of {folder}."
        draft.problems.add("", what, f"Move it to {folder}/; its name contains topic and owner.")
        return
    if folder == "documents":
        if len(inner) < 2:
            draft.problems.add("", "The file is not in a topic's folder.", "Move it to documents/TOPIC/.")
            return
        topic, name = inner[0], Path(*inner[1:]).as_posix()
    else:
        topic, _, name = Path(*inner).as_posix().removesuffix(".txt").rpartition(".")
        if not topic or not name:
            owner = "AUTHOR" if folder == "references" else "SYSTEM"
            draft.problems.add(
                "", "The name contains no topic.", f"Rename it to TOPIC.{owner}, such as D0801.A."
            )
            return
    text = text_of(file, draft.problems)
    if text is not None:
        add = {"documents": draft.document, "references": draft.reference, "summaries": draft.summary}[folder]
        add(topic, name, NewText(text))


def is_readable(file: Path, problems: Problems) -> bool:
    """Return whether a file's name is UTF-8; otherwise add a problem."""
    try:
        os.fspath(file).encode()
    except UnicodeEncodeError:
        what = "The file name is not valid UTF-8."
        problems.add("", what, f"Rename the file; in Latin-1 its name is {_as_latin_1(file)!r}.")
        return False
    return True


def _as_latin_1(file: Path) -> str:
    return os.fsencode(file.name).decode("latin-1")


def is_inside(file: Path, folder: Path, problems: Problems) -> bool:
    """Return whether a file is in a folder, following links; otherwise add a problem. folder: resolved."""
    if is_within(file, folder):
        return True
    what = f"It is a link to {printable_path(file.resolve())}, outside the folder."
    problems.add("", what, "Replace the link by the file.")
    return False


def text_of(file: Path, problems: Problems) -> str | None:
    """Return a file's UTF-8 text, or None and add a problem if it is invalid or too long."""
    with opened(file) as source:
        content = source.read(LONGEST_LINE + 1)
    if len(content) > LONGEST_LINE:
        problems.add("", f"The file is larger than {LONGEST_LINE >> 20} MB.", "Write one text per file.")
        return None
    text = decoded(content, problems)
    if text is None or not is_clean(text, "", problems):
        return None
    return text.removeprefix("\ufeff")


def _recognises(path: Path) -> bool:
    with access_errors(path):
        return path.is_dir() and any((path / name).is_dir() for name in FOLDERS)


FORMAT = Format(
    "folders",
    "Text folders",
    "documents/TOPIC/*, references/TOPIC.AUTHOR and summaries/TOPIC.SYSTEM, one text per file.",
    without_study(read),
    _recognises,
)
