"""Parsing of file names with patterns such as `{topic}.{system}.pan`."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import regex

from core.errors import InputError

FIELDS = ("topic", "system", "annotator", "author")
SUFFIXES = (".pyr", ".pan")
USUAL = (
    "{topic}.pyr",
    "{topic}.{system}.pan",
    "{topic}_{system}.pan",
    "{topic}-{system}.pan",
    "{topic}/{system}.pan",
)
"""Default patterns; the one that fits the most files is used."""

LONGEST = 500
"""Maximum characters of a pattern."""

SECONDS = 2.0
"""Time limit in seconds for matching one name: many * in a row take very long."""

_FIELD = re.compile(r"\{(\w+)\}|(\*)")


@dataclass(frozen=True, slots=True)
class ParsedName:
    """Fields of a file name, empty = not contained."""

    topic: str
    system: str = ""
    annotator: str = ""
    author: str = ""


@dataclass(frozen=True)
class NamePattern:
    """A pattern of file names. text: as entered by the user."""

    text: str
    expression: regex.Pattern[str]

    def is_for(self, suffix: str) -> bool:
        """Return whether it can match files with this suffix."""
        return self.text.lower().endswith(suffix) or not self.text.lower().endswith(SUFFIXES)

    def read(self, path: str) -> ParsedName | None:
        """Return the fields of a file name, None = no match. path: below the folder, with slashes."""
        name = path if "/" in self.text else path.rpartition("/")[2]
        try:
            found = self.expression.fullmatch(name, timeout=SECONDS)
        except TimeoutError:
            raise InputError(
                f"The pattern {self.text!r} takes too long to match {name!r}. Use fewer * and fields."
            ) from None
        if found is None:
            return None
        values = {field: value.strip() for field, value in found.groupdict().items()}
        return ParsedName(**values) if all(values.values()) else None


def is_named(file: Path) -> bool:
    """Return whether a file has a DUCView suffix and is not hidden."""
    return file.suffix.lower() in SUFFIXES and not file.name.startswith(".") and file.is_file()


def patterns(listed: str) -> tuple[NamePattern, ...]:
    """Return patterns separated by semicolons. Raises InputError for one without a topic."""
    return tuple(_pattern(text.strip()) for text in listed.split(";") if text.strip())


def chosen_patterns(listed: str, paths: Collection[str], topics: Collection[str]) -> tuple[NamePattern, ...]:
    """Return the user's patterns, then default ones for the kinds of file they do not cover."""
    chosen = patterns(listed)
    suffixes = {suffix for pattern in chosen for suffix in SUFFIXES if pattern.is_for(suffix)}
    others = (
        pattern for pattern in default_patterns(paths, topics) if not any(map(pattern.is_for, suffixes))
    )
    return (*chosen, *others)


def default_patterns(paths: Collection[str], topics: Collection[str]) -> tuple[NamePattern, ...]:
    """Return the default patterns, best first: by number of known topics, then by number of files."""

    def merit(pattern: NamePattern) -> tuple[int, int]:
        named = [found for path in paths if (found := pattern.read(path)) is not None]
        return sum(found.topic in topics for found in named), len(named)

    return tuple(sorted(map(_pattern, USUAL), key=merit, reverse=True))


def read(path: str, known: Sequence[NamePattern]) -> ParsedName | None:
    """Return the fields from the first pattern that matches, or None."""
    return next((found for pattern in known if (found := pattern.read(path)) is not None), None)


def _pattern(text: str) -> NamePattern:
    if len(text) > LONGEST:
        raise InputError(f"The pattern has {len(text):,} characters; only {LONGEST} are allowed. Shorten it.")
    pieces, at, seen = [], 0, set()
    for match in _FIELD.finditer(text):
        pieces.append(re.escape(text[at : match.start()]))
        at = match.end()
        field = match.group(1)
        if match.group(2):
            pieces.append("[^/]*")
        elif field not in FIELDS:
            raise InputError(f"{{{field}}} is not a field. Available fields: {_listed()}.")
        else:
            pieces.append(f"(?P={field})" if field in seen else f"(?P<{field}>[^/]+)")
            seen.add(field)
    if "topic" not in seen:
        raise InputError(f"The pattern {text!r} contains no topic. Add {{topic}} at its place in the names.")
    rest = re.escape(text[at:])
    ending = "" if text.lower().endswith(SUFFIXES) else r"\.(?:pyr|pan)"
    return NamePattern(text, regex.compile("".join(pieces) + rest + ending, regex.IGNORECASE))


def _listed() -> str:
    return ", ".join(f"{{{field}}}" for field in FIELDS)
