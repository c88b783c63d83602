"""Files of one text each in a folder that the user chose: names, links and content are checked."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from core.files.paths import is_within, list_files, printable_path
from storage.formats.readers.fields import LONGEST_LINE, Problems, decoded, is_clean, opened


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
    """Return whether a file is in a folder, following links, and its name is UTF-8; otherwise add a problem.

    folder: resolved.
    """
    if not is_readable(file, problems):
        return False
    if is_within(file, folder):
        return True
    what = f"It is a link to {printable_path(file.resolve())}, outside the folder."
    problems.add("", what, "Replace the link by the file.")
    return False


def files_in(path: Path, problems: Problems) -> list[tuple[str, Path]]:
    """Return the files of a folder by their places in it, without hidden ones and links that leave it."""
    found, inside = [], path.resolve()
    for file in list_files(path):
        problems.place = place = file.relative_to(path).as_posix()
        is_hidden = any(part.startswith(".") for part in place.split("/"))
        if not is_hidden and is_inside(file, inside, problems):
            found.append((place, file))
    problems.place = ""
    return found


def content_of(file: Path, problems: Problems, remedy: str) -> bytes | None:
    """Return a file's bytes, or None and add a problem with a remedy if it is too large."""
    with opened(file) as source:
        content: bytes = source.read(LONGEST_LINE + 1)
    if len(content) <= LONGEST_LINE:
        return content
    problems.add("", f"The file is larger than {LONGEST_LINE >> 20} MB.", remedy)
    return None


def text_of(
    file: Path, problems: Problems, *, other_encoding: Callable[[], None] | None = None
) -> str | None:
    """Return a file's UTF-8 text, or None and add a problem if it is invalid or too long.

    other_encoding: called for a text that is not UTF-8, which is read as Windows-1252; None = it is invalid.
    """
    content = content_of(file, problems, "Write one text per file.")
    if content is None:
        return None
    problems.memory.check(4 * len(content))
    text: str | None
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        if other_encoding is None:
            text = decoded(content, problems)  # adds the problem
        else:
            text = content.decode("windows-1252", "replace")
            other_encoding()
    if text is None or not is_clean(text, "", problems):
        return None
    return text.removeprefix("\ufeff")
