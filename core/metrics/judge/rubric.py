"""Rubrics of judges: what is asked about a summary, on which scale, in TOML files."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache, partial
from importlib import resources
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.files.allowed_names import allowed_names
from core.names import resolve_name

_FOLDER = resources.files("resources") / "rubrics"
_PLACE = re.compile(r"\{(document|reference|summary|other|query|name|question|low|high|units|count|most)\}")
_MULTILINE = re.compile(r'"""(?:\\.|.)*?(?:"""|\Z)|\'\'\'.*?(?:\'\'\'|\Z)', re.DOTALL)
_CRITERIA = re.compile(r"\s*\[\[\s*criteria\s*\]\]")
_NAME = re.compile(r"[\w][\w -]{0,59}")
_KEYS = {"title", "about", "version", "mode", "prompt", "criteria", "labels"}
_CRITERION_KEYS = {"name", "question", "low", "high"}
_LARGEST = 200_000
_MOST_VALUES = 20
_LARGEST_NUMBER = 2**53


class Mode(StrEnum):
    """What is asked.

    RATING: a number on a scale. PAIRWISE: the better of two. CHECKLIST: yes or no. LABELS: one of some labels
    for each unit of a list. LIST: a list of units.
    """

    RATING = "rating"
    PAIRWISE = "pairwise"
    CHECKLIST = "checklist"
    LABELS = "labels"
    LIST = "list"


OF_SUMMARIES = (Mode.RATING, Mode.PAIRWISE, Mode.CHECKLIST)
"""Modes that give values of summaries."""


class RubricError(InputError):
    """A rubric that cannot be used. line: where, counted from 1; 0 = unknown."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class Criterion:
    """A question about a summary. low, high: ends of its scale of whole numbers, of ratings."""

    name: str
    question: str
    low: int = 1
    high: int = 5


@dataclass(frozen=True, slots=True)
class Rubric:
    """A rubric.

    version: raised where its texts change their meaning. digest: of the file's content. criteria: of modes
    that give values of summaries. labels: of the mode LABELS, with their values in [0, 1].
    """

    title: str
    about: str
    version: int
    mode: Mode
    prompt: str
    criteria: tuple[Criterion, ...]
    digest: str
    labels: tuple[tuple[str, float], ...] = ()

    @property
    def places(self) -> frozenset[str]:
        """Names of the texts that the prompt contains, such as ``document``."""
        return frozenset(_PLACE.findall(self.prompt))

    def values(self, criterion: Criterion) -> dict[str, float]:
        """Return the possible answers with their values."""
        if self.mode is Mode.PAIRWISE:
            return {"A": 1.0, "B": 0.0}
        if self.mode is Mode.CHECKLIST:
            return {"yes": 1.0, "no": 0.0}
        return {str(value): float(value) for value in range(criterion.low, criterion.high + 1)}

    def filled(self, criterion: Criterion | None, texts: dict[str, str]) -> tuple[str, str, str]:
        """Return the prompt in three parts; the document is the middle one, which may be cut.

        criterion: None = of a list. texts: by place. Braces within texts are no places.
        """
        own = (
            {}
            if criterion is None
            else {
                "name": criterion.name,
                "question": criterion.question,
                "low": str(criterion.low),
                "high": str(criterion.high),
            }
        )
        every = {**own, **texts}

        def fill(part: str) -> str:
            return _PLACE.sub(lambda found: every.get(found[1], ""), part)

        before, place, after = self.prompt.strip().partition("{document}")
        return (fill(before), every.get("document", "") if place else "", fill(after))


@cache
def packaged_rubrics(modes: tuple[Mode, ...] = OF_SUMMARIES) -> tuple[str, ...]:
    """Return the names of the program's rubrics of some modes."""
    return tuple(name for name in _names() if _packaged(name).mode in modes)


def find_rubric(name: str, modes: tuple[Mode, ...] = OF_SUMMARIES) -> Rubric:
    """Return a rubric by its name or TOML file.

    Raises InputError for an unknown name, a wrong file or another mode, NotAllowed for a file that only a
    study names.
    """
    rubric = _found(name)
    if rubric.mode not in modes:
        raise InputError(
            f"The rubric {name} has the mode {rubric.mode}, but here it is one of: {', '.join(modes)}. "
            f"Choose another rubric, such as {packaged_rubrics(modes)[0]}."
        )
    return rubric


def _found(name: str) -> Rubric:
    return _packaged(name) if name in _names() else read_rubric(rubric_text(name), name)


def rubric_text(name: str) -> str:
    """Return the text of a rubric by its name or TOML file; raises as `find_rubric` does."""
    if not name.endswith(".toml"):
        known = resolve_name("rubric", name, _names(), "or name a file that ends in .toml")
        return (_FOLDER / f"{known}.toml").read_text(encoding="utf-8")
    path = allowed_names().place(name)
    try:
        if path.stat().st_size > _LARGEST:
            raise InputError(f"{name} is larger than {_LARGEST:,} bytes, which no rubric is.")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The rubric {name} cannot be read: {error}.") from None


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(Path(one.name).stem for one in _FOLDER.iterdir() if one.name.endswith(".toml")))


@lru_cache(maxsize=16)
def _packaged(name: str) -> Rubric:
    return read_rubric(rubric_text(name), name)


def read_rubric(text: str, where: str) -> Rubric:
    """Return the rubric of a TOML text. where: its name, for errors. Raises RubricError with the line."""
    try:
        read = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also numbers and lists that Python does not read
        raise _no_toml(text, where, str(error)) from None
    wrong = partial(_wrong, text)
    if _is_huge(read):
        raise wrong("", f"The rubric {where} has a number beyond 2⁵³. Use smaller ones.")
    if unknown := sorted(set(read) - _KEYS):
        raise wrong(
            unknown[0], f"The rubric {where} has the unknown key {unknown[0]!r}. Known: {_listed(_KEYS)}."
        )
    mode, prompt = read.get("mode", "rating"), read.get("prompt")
    if mode not in tuple(Mode):
        raise wrong("mode", f"The rubric {where} has the mode {mode!r}. Use one of: {', '.join(Mode)}.")
    if mode in (Mode.LABELS, Mode.LIST):
        return _of_lists(read, text, where)
    if not isinstance(prompt, str) or "{summary}" not in prompt:
        raise wrong("prompt", f"The rubric {where} needs a text `prompt` that contains {{summary}}.")
    if "labels" in read:
        raise wrong("labels", f"The rubric {where} has labels, which belong to the mode labels.")
    if (mode == Mode.PAIRWISE) != ("{other}" in prompt):
        raise wrong(
            "prompt",
            f"The rubric {where}: the prompt of the mode pairwise contains {{other}}, and no other one does.",
        )
    listed = read.get("criteria")
    if not isinstance(listed, list) or not listed or not all(isinstance(one, dict) for one in listed):
        raise wrong("criteria", f"The rubric {where} needs at least one [[criteria]] with a name.")
    criteria = tuple(_criterion(one, where, partial(wrong, at=at)) for at, one in enumerate(listed))
    if len({one.name for one in criteria}) < len(criteria):
        raise wrong("criteria", f"The rubric {where} has two criteria of the same name. Rename one.")
    if mode == Mode.PAIRWISE and len(criteria) > 1:
        raise wrong("criteria", f"The rubric {where}: the mode pairwise has one criterion.")
    return _rubric(read, text, where, criteria, ())


def _of_lists(read: dict[str, Any], text: str, where: str) -> Rubric:
    """Return a rubric of the mode LABELS or LIST. Raises InputError."""
    mode, prompt, labels = read["mode"], read.get("prompt"), read.get("labels", {})
    wrong = partial(_wrong, text)
    needed = "{units}" if mode == Mode.LABELS else "{document}"
    if not isinstance(prompt, str) or needed not in prompt:
        raise wrong("prompt", f"The rubric {where} needs a text `prompt` that contains {needed}.")
    if "criteria" in read:
        raise wrong("criteria", f"The rubric {where} has the mode {mode}, which has no criteria.")
    if mode == Mode.LIST:
        if "labels" in read:
            raise wrong("labels", f"The rubric {where} has labels, which belong to the mode labels.")
        return _rubric(read, text, where, (), ())
    are_values = isinstance(labels, dict) and all(
        isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1
        for value in labels.values()
    )
    if not are_values or not 2 <= len(labels) <= _MOST_VALUES:
        raise wrong(
            "labels",
            f"The rubric {where} needs `labels` with values from 0 to 1, two or more, such as "
            "labels = {yes = 1, no = 0}.",
        )
    if len({label.casefold() for label in labels}) < len(labels):
        raise wrong("labels", f"The rubric {where} has two labels that differ in case only. Rename one.")
    return _rubric(read, text, where, (), tuple((label, float(value)) for label, value in labels.items()))


def _rubric(
    read: dict[str, Any],
    text: str,
    where: str,
    criteria: tuple[Criterion, ...],
    labels: tuple[tuple[str, float], ...],
) -> Rubric:
    version = read.get("version", 1)
    if not isinstance(version, int) or isinstance(version, bool):
        raise _wrong(text, "version", f"The rubric {where}: version is a whole number.")
    title, about = str(read.get("title", where)), str(read.get("about", ""))
    digest = hashlib.sha256(text.encode()).hexdigest()
    mode = Mode(read.get("mode", "rating"))
    return Rubric(title, about, version, mode, read["prompt"], criteria, digest, labels)


def _is_huge(value: Any) -> bool:
    """Return whether a value has whole numbers so large that Python may refuse to write them."""
    if isinstance(value, (dict, list)):
        return any(map(_is_huge, value.values() if isinstance(value, dict) else value))
    return isinstance(value, int) and abs(value) > _LARGEST_NUMBER


def _criterion(read: dict[str, Any], where: str, wrong: Callable[[str, str], RubricError]) -> Criterion:
    if unknown := sorted(set(read) - _CRITERION_KEYS):
        raise wrong(
            unknown[0],
            f"A criterion of the rubric {where} has the unknown key {unknown[0]!r}. Known: "
            f"{_listed(_CRITERION_KEYS)}.",
        )
    name, question = read.get("name"), read.get("question", "")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise wrong(
            "name",
            f"A criterion of the rubric {where} has the name {name!r}. Use letters, digits, blanks, - and _.",
        )
    low, high = read.get("low", 1), read.get("high", 5)
    ends_are_whole = all(isinstance(end, int) and not isinstance(end, bool) for end in (low, high))
    if not ends_are_whole or not 0 <= low < high <= low + _MOST_VALUES:
        raise wrong(
            "low" if "low" in read else "high",
            f"The criterion {name} of the rubric {where} goes from {low} to {high}. Use whole numbers from "
            f"0, the second one larger by at most {_MOST_VALUES}.",
        )
    return Criterion(name, str(question), low, high)


def _wrong(text: str, key: str, message: str, at: int = -1) -> RubricError:
    """Return an error with the line of a key, the last line of the text where it is missing.

    at: number of the criterion that has it, -1 = none has.
    """
    plain = _MULTILINE.sub(lambda found: "\n" * found[0].count("\n"), text)
    lines = plain.split("\n")
    begins = [place for place, line in enumerate(lines) if _CRITERIA.match(line)]
    first, last = (begins[at], [*begins, len(lines)][at + 1]) if 0 <= at < len(begins) else (0, len(lines))
    written = re.compile(rf"\s*(?:\[+\s*)?[\"']?{re.escape(key)}[\"']?\s*[=\]]")
    inside = [place for place in range(first, last) if key and written.match(lines[place])]
    line = (inside[0] if inside else first if at >= 0 else max(len(text.rstrip().split("\n")) - 1, 0)) + 1
    return RubricError(f"{message} (line {line})", line)


def _no_toml(text: str, where: str, reason: str) -> RubricError:
    found = re.search(r"at line (\d+)", reason)
    if found or "end of document" not in reason:
        line = int(found[1]) if found else 0
        return RubricError(f"The rubric {where} is no TOML: {reason}.", line)
    return _wrong(text, "", f"The rubric {where} is no TOML: {reason}.")


def _listed(keys: set[str]) -> str:
    return ", ".join(sorted(keys))
