"""What a file's name tells of topic, system and people, by patterns such as `{topic}.{system}.pan`."""

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
"""Patterns that are tried where the user gives none; the one that fits the most files is taken."""

LONGEST = 500
"""Characters of a pattern."""

SECONDS = 2.0
"""How long one name may be compared with one pattern: many * in a row take very long."""

_FIELD = re.compile(r"\{(\w+)\}|(\*)")


@dataclass(frozen=True, slots=True)
class ParsedName:
    """What a file's name tells, empty = nothing."""

    topic: str
    system: str = ""
    annotator: str = ""
    author: str = ""


@dataclass(frozen=True)
class NamePattern:
    """How files are named. text: as the user wrote it."""

    text: str
    expression: regex.Pattern[str]

    def is_for(self, suffix: str) -> bool:
        """Whether it may name files that end so."""
        return self.text.lower().endswith(suffix) or not self.text.lower().endswith(SUFFIXES)

    def read(self, path: str) -> ParsedName | None:
        """What a file's name tells, None = it is named otherwise. path: below the folder, with slashes."""
        name = path if "/" in self.text else path.rpartition("/")[2]
        try:
            found = self.expression.fullmatch(name, timeout=SECONDS)
        except TimeoutError:
            raise InputError(
                f"The pattern {self.text!r} takes too long to compare with {name!r}. Use fewer * and fields."
            ) from None
        if found is None:
            return None
        values = {field: value.strip() for field, value in found.groupdict().items()}
        return ParsedName(**values) if all(values.values()) else None


def is_named(file: Path) -> bool:
    """Whether a file ends as DUCView's do, and is no hidden one."""
    return file.suffix.lower() in SUFFIXES and not file.name.startswith(".") and file.is_file()


def patterns(listed: str) -> tuple[NamePattern, ...]:
    """Patterns with semicolons between. Raises InputError on one that cannot tell a topic."""
    return tuple(_pattern(text.strip()) for text in listed.split(";") if text.strip())


def asked(listed: str, paths: Collection[str], topics: Collection[str]) -> tuple[NamePattern, ...]:
    """The user's patterns, then the usual ones for the kind of file that they say nothing of."""
    given = patterns(listed)
    said = {suffix for pattern in given for suffix in SUFFIXES if pattern.is_for(suffix)}
    others = (pattern for pattern in default_patterns(paths, topics) if not any(map(pattern.is_for, said)))
    return (*given, *others)


def default_patterns(paths: Collection[str], topics: Collection[str]) -> tuple[NamePattern, ...]:
    """The usual patterns, those first that name the most known topics, then those that fit most files."""

    def merit(pattern: NamePattern) -> tuple[int, int]:
        named = [found for path in paths if (found := pattern.read(path)) is not None]
        return sum(found.topic in topics for found in named), len(named)

    return tuple(sorted(map(_pattern, USUAL), key=merit, reverse=True))


def read(path: str, known: Sequence[NamePattern]) -> ParsedName | None:
    """What the first pattern that fits makes of a file's name, None = none fits."""
    return next((found for pattern in known if (found := pattern.read(path)) is not None), None)


def _pattern(text: str) -> NamePattern:
    if len(text) > LONGEST:
        raise InputError(f"The pattern has {len(text):,} characters; {LONGEST} are allowed. Shorten it.")
    pieces, at, seen = [], 0, set()
    for found in _FIELD.finditer(text):
        pieces.append(re.escape(text[at : found.start()]))
        at = found.end()
        field = found.group(1)
        if found.group(2):
            pieces.append("[^/]*")
        elif field not in FIELDS:
            raise InputError(f"{{{field}}} is no field of a pattern. There are: {_listed()}.")
        else:
            pieces.append(f"(?P={field})" if field in seen else f"(?P<{field}>[^/]+)")
            seen.add(field)
    if "topic" not in seen:
        raise InputError(
            f"The pattern {text!r} names no topic. Write {{topic}} where it stands in the names."
        )
    rest = re.escape(text[at:])
    ending = "" if text.lower().endswith(SUFFIXES) else r"\.(?:pyr|pan)"
    return NamePattern(text, regex.compile("".join(pieces) + rest + ending, regex.IGNORECASE))


def _listed() -> str:
    return ", ".join(f"{{{field}}}" for field in FIELDS)
