"""Shared reader functions: files of limited size, checked fields, and collected problems."""

from __future__ import annotations

import codecs
import gzip
import io
import json
import math
import os
import re
import stat
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.domain.import_batch import NewText
from core.domain.name_checks import name_problem
from core.domain.study import join_sentences
from core.errors import MAX_PROBLEMS, BadImport, InputError, Problem
from core.files.paths import access_errors, escape_control_characters, printable_path
from core.numerals import parse_number, parse_whole, required_number
from core.progress import JobSteps, Progress
from storage.formats.memory import MemoryBudget, json_size
from storage.formats.readers.usage import Record, current

LONGEST_LINE = 64 * 2**20
"""Maximum bytes of a line; longer lines are not text tables and could fill the memory."""

Row = Mapping[str, Any]
"""One line of a file: values by the file's column names."""

UTF_8 = "utf-8"

ANY_ENCODING = "--encoding NAME"
"""Option that chooses the encoding of a text file."""

_BLANK = re.compile(r"\s*")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


@dataclass(slots=True)
class Problems:
    """All problems of one file, with the place that is being read.

    memory: memory budget of the import. skipped: numbers of skipped lines. notices: how the file was read.
    needs_encoding: some of the file is not in the encoding in which it is read.
    """

    file: str
    place: str = ""
    found: list[Problem] = field(default_factory=list)
    memory: MemoryBudget = field(default_factory=MemoryBudget)
    skipped: frozenset[int] = frozenset()
    notices: list[Problem] = field(default_factory=list)
    needs_encoding: bool = False

    def note(self, what: str, remedy: str, option: str = "") -> None:
        """Note once how the file was read. option: as of `Problem`."""
        texts = map(escape_control_characters, (what, remedy, option))
        notice = Problem(printable_path(self.file), "", "", *texts)
        if notice not in self.notices:
            self.notices.append(notice)

    def add(self, name: str, what: str, remedy: str, option: str = "", other_place: str = "") -> None:
        """Add a problem with a field at the current place. Raises BadImport when there are too many.

        option, other_place: as of `Problem`.
        """
        what, remedy, option = map(escape_control_characters, (what, remedy, option))
        file, place, field_name, other = map(printable_path, (self.file, self.place, name, other_place))
        self.found.append(Problem(file, place, field_name, what, remedy, option, other))
        if len(self.found) >= MAX_PROBLEMS:
            self.stop_if_any()

    def stop_if_any(self) -> None:
        """Raise BadImport with all problems, if any."""
        if self.found:
            raise BadImport(sorted(self.found, key=line_of))


def kind_of(path: Path) -> str:
    """Return the suffix of a file name in lower case, without that of its compression: ``.csv``."""
    return (path.with_suffix("") if path.suffix.lower() == ".gz" else path).suffix.lower()


LINES_TO_SKIP = "skip.lines"
"""Option with the numbers of skipped lines, separated by commas."""


def lines_to_skip(options: Mapping[str, str]) -> frozenset[int]:
    """Return the numbers of the lines to skip."""
    numbers = map(parse_whole, options.get(LINES_TO_SKIP, "").split(","))
    return frozenset(number for number in numbers if number is not None)


def scale_of(options: Mapping[str, str]) -> tuple[float, float]:
    """Return the limits of the rating scale, 1 to 5 by default. Raises InputError if they are no numbers."""
    try:
        return required_number(options.get("low", 1)), required_number(options.get("high", 5))
    except ValueError:
        raise InputError("The limits of a rating scale must be numbers, such as low=1 and high=5.") from None


def line_of(problem: Problem) -> int:
    """Return the line or row of a problem, 0 = not in a single one."""
    digits = problem.place.removeprefix("line ").removeprefix("row ")
    return parse_whole(digits) or 0


def lines(path: Path, problems: Problems, encoding: str = "") -> Iterator[tuple[int, str]]:
    """Yield line numbers (from 1) and lines of a text file, line ends included; ``.gz`` is decompressed.

    encoding: empty = UTF-8, which cannot be chosen.
    """
    if encoding not in ("", UTF_8):
        yield from _lines_in(encoding, path, problems)
        return
    with decompressed(path) as file:
        number = 0
        while chunk := file.readline(LONGEST_LINE + 1):
            number += 1
            problems.place = f"line {number}"
            if len(chunk) > LONGEST_LINE:
                problems.add(
                    "", f"The line is longer than {LONGEST_LINE >> 20} MB.", "Split the file by lines."
                )
                return
            is_skipped = number in problems.skipped  # it may be part of a multi-line record
            text = (
                chunk.decode("utf-8", "replace")
                if is_skipped
                else decoded(chunk, problems, can_choose=bool(encoding))
            )
            if text is not None:
                yield number, text.removeprefix("\ufeff") if number == 1 else text


def _lines_in(encoding: str, path: Path, problems: Problems) -> Iterator[tuple[int, str]]:
    """Yield line numbers and lines of a file in another encoding than UTF-8."""
    number = 0
    with decompressed(path) as file:
        text = io.TextIOWrapper(file, encoding, newline="\n")
        try:
            while line := text.readline(LONGEST_LINE + 1):
                number += 1
                problems.place = f"line {number}"
                if len(line) > LONGEST_LINE:
                    problems.add("", f"The line is longer than {LONGEST_LINE >> 20} MB.", "Split the file.")
                    return
                yield number, line.removeprefix("\ufeff") if number == 1 else line
        except UnicodeError as error:
            problems.place = f"line {number + 1}"
            what = f"It is not in {encoding.upper()} ({getattr(error, 'reason', error)})."
            problems.needs_encoding = True
            problems.add("", what, "Choose another encoding.", ANY_ENCODING)
        finally:
            with suppress(ValueError):
                text.detach()  # the file is closed by its own context


def opened(path: Path) -> Any:
    """Open a regular file for reading bytes. Raises InputError if it cannot be read.

    Pipes would block forever, and devices have no end. The file counts as used by the import.
    """
    current().opened.add(path)
    with access_errors(path):
        is_file = stat.S_ISREG(path.stat().st_mode) if path.exists() else True
    try:
        if is_file:  # checked again when open, because the file may be replaced meanwhile
            file = os.fdopen(os.open(path, os.O_RDONLY | _FLAGS), "rb")
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return file
            file.close()
    except OSError as error:
        raise InputError(
            f"{printable_path(path)} cannot be read: {error.strerror}. Check the name and your permissions."
        ) from error
    raise InputError(
        f"{printable_path(path)} is not a regular file (it is a folder, pipe or device). Choose a file."
    )


DAMAGED = (EOFError, zlib.error, gzip.BadGzipFile)
"""Errors of damaged or incomplete compressed files."""


@contextmanager
def decompressed(path: Path) -> Iterator[Any]:
    """Open a file for reading bytes, decompressed if its name ends in ``.gz``.

    Raises InputError if it cannot be read, also later, if it is damaged.
    """
    with opened(path) as file:
        if path.suffix.lower() != ".gz":
            yield file
            return
        try:
            with gzip.GzipFile(fileobj=file) as stream:
                yield stream
        except DAMAGED as error:
            raise InputError(
                f"{printable_path(path)} is damaged or incomplete ({error}). Copy or download it again."
            ) from error


_FLAGS = getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def decoded(chunk: bytes, problems: Problems, *, can_choose: bool = False) -> str | None:
    """Decode UTF-8; returns None and adds a problem if that fails.

    can_choose: the user can choose another encoding.
    """
    try:
        return chunk.decode("utf-8")
    except UnicodeDecodeError as error:
        what = f"Byte {error.start + 1} ({chunk[error.start]:#04x}) is not UTF-8."
        problems.needs_encoding = True
        if can_choose:
            problems.add("", what, *_other_encoding(chunk))
        else:
            problems.add("", what, "Save the file as UTF-8.")
        return None


def _other_encoding(chunk: bytes) -> tuple[str, str]:
    """Return how to read bytes that are not UTF-8, and the option for it."""
    if b"\x00" in chunk:
        return "Choose the encoding of the file, such as UTF-16.", "--encoding utf-16-le"
    return (
        "Choose the encoding of the file, such as Windows-1252 (Western Europe).",
        "--encoding windows-1252",
    )


def json_rows(
    path: Path,
    problems: Problems,
    take: Callable[[Record], None],
    encoding: str = "",
    *,
    notes_use: bool = True,
) -> JobSteps[None]:
    """Pass on each object of a JSONL file as it is read; a file may be larger than memory.

    A file may also contain one array of objects, or objects over several lines; it is read as a whole then.
    notes_use: keys that are never asked for are named at the end of the import.
    """
    usage, name = current(), printable_path(problems.file)

    def deliver(row: Row) -> None:
        take(usage.record(row, name) if notes_use else Record(row))

    if is_one_document(path, encoding):
        yield from _array_rows(path, problems, deliver, encoding)
        return
    size, read = max(path.stat().st_size, 1) if path.exists() else 1, 0
    for number, line in lines(path, problems, encoding):
        read += len(line)
        if number in problems.skipped:
            continue
        row = json_object(line, problems) if line.strip() else None
        if row is not None:
            deliver(row)
        if number % 50 == 0:
            yield Progress(read, size, f"reading {printable_path(path.name)}, line {number}")


def is_one_document(path: Path, encoding: str = "") -> bool:
    """Return whether a file of JSON is a list, or has objects over several lines, instead of one in each.

    Raises InputError if it cannot be read.
    """
    with decompressed(path) as file:
        try:
            start: str = codecs.getincrementaldecoder(encoding or UTF_8)("replace").decode(file.read(4096))
        except UnicodeError:  # UTF-16 and UTF-32 without their mark
            return False
    start = start.removeprefix("\ufeff")
    if start.lstrip().startswith("[") and kind_of(path) == ".json":
        return True
    lines_of = (line.strip() for line in start.split("\n"))
    first, second = (*[line for line in lines_of if line][:2], "", "")[:2]
    is_list = re.match(r"\[\s*(?:\{|$)", first) is not None
    is_cut = re.fullmatch(r'\{\s*"[^"]*"\s*:\s*(?:[\[{]|.*,)', first) is not None
    return is_list or is_cut or (first == "{" and second.startswith('"'))


def _array_rows(path: Path, problems: Problems, take: Callable[[Row], None], encoding: str) -> JobSteps[None]:
    """Pass on each object of a file with one JSON array; places are numbers of objects, from 1."""
    rows = _json_array(path, problems, encoding)
    for number, row in enumerate(rows, 1):
        problems.place = f"row {number}"
        if number in problems.skipped:
            continue
        if isinstance(row, dict):
            take(row)
        else:
            problems.add("", f"{_kind(row)} instead of an object.", 'Write objects, such as {"topic": ...}.')
        if number % 50 == 0:
            yield Progress(number, len(rows), f"reading {printable_path(path.name)}, row {number}")


def _json_array(path: Path, problems: Problems, encoding: str) -> list[Any]:
    """Return the values of a file with one JSON array, empty with a problem if it is damaged."""
    parts: list[bytes] = []
    with decompressed(path) as file:
        while chunk := file.read(LONGEST_LINE):
            problems.memory.check(4 * sum(map(len, parts)) + 4 * len(chunk))
            parts.append(chunk)
    content = b"".join(parts)
    try:
        is_other = encoding not in ("", UTF_8)
        text = content.decode(encoding) if is_other else decoded(content, problems, can_choose=bool(encoding))
    except UnicodeError:
        text = None
        problems.needs_encoding = True
        problems.add("", f"It is not in {encoding.upper()}.", "Choose another encoding.", ANY_ENCODING)
    if text is None:
        return []
    text = text.removeprefix("\ufeff")
    problems.memory.check(json_size(text))
    remedy = "Write one list of objects, or one object per line."
    try:
        value = _values(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        problems.add("", f"Not JSON: {error.msg} at {where}.", remedy)
    except RepeatedKey as error:
        problems.add(str(error)[:200], "The field occurs twice in one object.", "Remove one of the two.")
    except (RecursionError, ValueError):
        problems.add("", "The JSON is nested too deeply or contains too large a number.", remedy)
    else:
        if isinstance(value, list):
            return value
        problems.add("", "The file is not a list of objects.", remedy)
    return []


def _values(text: str) -> Any:
    """Return the value of a text, or a list of them if there are several one after the other."""
    decoder, found, at = json.JSONDecoder(object_pairs_hook=unique_keys), list[Any](), 0
    while at < len(text):
        at = _BLANK.match(text, at).end()  # type: ignore[union-attr]  # it matches nothing too
        if at < len(text) or not found:
            value, at = decoder.raw_decode(text, at)
            found.append(value)
    return found[0] if len(found) == 1 and isinstance(found[0], list) else found


def json_object(line: str, problems: Problems) -> Row | None:
    """Return the JSON object of a line, or None and add a problem."""
    problems.memory.check(json_size(line))
    try:
        value = json.loads(line, object_pairs_hook=unique_keys)
    except json.JSONDecodeError as error:
        problems.add("", f"Not JSON: {error.msg} at character {error.pos + 1}.", "Write one object per line.")
        return None
    except RepeatedKey as error:
        problems.add(str(error)[:200], "The field occurs twice in one object.", "Remove one of the two.")
        return None
    except (RecursionError, ValueError):
        problems.add(
            "",
            "The JSON is nested too deeply or contains too large a number.",
            "Write one flat object per line.",
        )
        return None
    if not isinstance(value, dict):
        problems.add("", "The line is not an object.", 'Write one object per line, such as {"topic": ...}.')
        return None
    return value


class RepeatedKey(Exception):
    """An object has two fields of the same name; JSON does not define which counts."""


def unique_keys(pairs: list[tuple[str, Any]]) -> Record:
    """Return the fields of an object, in linear time. Raises RepeatedKey."""
    found = Record(pairs)
    if len(found) < len(pairs):
        raise RepeatedKey(next(name for name, many in Counter(name for name, _ in pairs).items() if many > 1))
    return found


def text_field(row: Row, name: str, problems: Problems, *, required: bool = True) -> str:
    """Return a field's text; empty if missing or not a text, with a problem if required."""
    value = row.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if value is None or value == "":
        if required:
            problems.add(name, "The field is missing or empty.", "Fill in a value.")
        return ""
    if not isinstance(value, str):
        problems.add(name, f"{_kind(value)} instead of a text.", "Put it in quotes.")
        return ""
    return value if is_clean(value, name, problems) else ""


def name_field(row: Row, name: str, problems: Problems) -> str:
    """Return a required field's text if it is a valid name, else an empty text and add a problem."""
    text = text_field(row, name, problems)
    return text if text and is_name(text, name, problems) else ""


def is_name(text: str, name: str, problems: Problems) -> bool:
    """Return whether a text is a valid name; otherwise add a problem."""
    if fault := name_problem(text):
        problems.add(name, fault, "Correct the name; names are compared character by character.")
    return not fault


def is_clean(text: str, name: str, problems: Problems) -> bool:
    """Return whether a text can be stored; a NUL or an unpaired surrogate is a problem."""
    bad = _UNSTORABLE.search(text)
    if bad is None:
        return True
    what = "a NUL" if bad.group() == "\x00" else "an unpaired surrogate"
    problems.add(name, f"Character {bad.start() + 1} is {what}.", "Remove it; it is not a text character.")
    return False


def new_text(value: Any, name: str, problems: Problems) -> NewText | None:
    """Read a text given as a string, a list of sentences, or an object with `text`."""
    if isinstance(value, Mapping):
        value = value.get("text")
    if isinstance(value, str):
        return NewText(value) if is_clean(value, name, problems) else None
    if isinstance(value, Sequence) and all(isinstance(sentence, str) for sentence in value):
        if not all(is_clean(sentence, name, problems) for sentence in value):
            return None
        return NewText(*join_sentences(value))
    problems.add(name, f"{_kind(value)} instead of a text.", "Write a string or a list of sentences.")
    return None


def number_field(
    row: Row, name: str, problems: Problems, *, low: float = -math.inf, high: float = math.inf
) -> float | None:
    """Return a field's finite number, or None and add a problem if it is not a number or out of range."""
    value = row.get(name)
    number = parse_number(value)
    if number is None:
        quoted = "nothing" if value in (None, "") else repr(value)[:40]
        problems.add(
            name, f"{quoted} is not a number.", "Write a number with a decimal point, or leave it out."
        )
        return None
    if not low <= number <= high:
        what = f"{number:g} is outside the range {low:g} to {high:g}."
        problems.add(name, what, "Correct it, or remove the row.")
        return None
    return number


def list_field(row: Row, name: str, problems: Problems) -> Sequence[Any]:
    """Return a field's list, empty if missing; anything else is a problem."""
    value = row.get(name)
    if value is None:
        return ()
    if not isinstance(value, list):
        problems.add(name, f"{_kind(value)} instead of a list.", "Write a list, as [...].")
        return ()
    return value


def keep_same(
    known: dict[str, NewText], name: str, text: NewText, problems: Problems, label: Callable[[], str]
) -> None:
    """Store a text under a name; a different text with the same name is a problem."""
    first = known.setdefault(name, text)
    if first != text:
        what = "It occurs twice with different boundaries of sentences."
        if first.content != text.content:
            what = f"It occurs twice with different texts, {_difference(first.content, text.content)}."
        problems.add(label(), what, "Make them equal, or rename one.")


def _difference(first: str, second: str) -> str:
    """Return where two texts begin to differ, with both."""
    pairs = enumerate(zip(first, second, strict=False))
    at = next((place for place, (a, b) in pairs if a != b), min(len(first), len(second)))
    start = max(at - 10, 0)
    both = (" ".join(text[start : at + 20].split()) for text in (first, second))
    return "from character {} on: “{}” and “{}”".format(at + 1, *both)


_KINDS = {
    bool: "A boolean",
    int: "A number",
    float: "A number",
    list: "A list",
    dict: "An object",
    Record: "An object",
    str: "A text",
}


def _kind(value: Any) -> str:
    return "Nothing" if value is None else _KINDS.get(type(value), "Something else")
