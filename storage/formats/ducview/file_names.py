"""Parsing of file names with patterns such as `{topic}.{system}.pan`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import regex

from core.errors import InputError
from core.files.file_names import fitting, is_reserved
from core.ports import ScoringInputs

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

_DUPLICATE = re.compile(r"~\d+$")
"""What the export adds to a name that another file has."""

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


@dataclass(frozen=True)
class ExportedNames:
    """Names of a study as the export writes them into file names.

    topics, systems, annotators: by their part of a file name; those that share one are left out.
    """

    topics: Mapping[str, str]
    systems: Mapping[str, str]
    annotators: Mapping[str, str]

    def read(self, paths: Collection[str]) -> dict[str, ParsedName]:
        """Return the fields of each file that the export named; empty unless it named all of them.

        Such names are ``TOPIC.pyr`` and ``TOPIC.SYSTEM.pan``, each with ``.ANNOTATOR`` if there are several.
        """
        found: dict[str, ParsedName] = {}
        for path in paths:
            stem, dot, suffix = path.rpartition("/")[2].rpartition(".")
            first = _DUPLICATE.sub("", stem)
            is_duplicate = f"{path.removesuffix(stem + dot + suffix)}{first}.{suffix}" in paths
            if (named := self._parsed(first if is_duplicate else stem, suffix.lower())) is None:
                return {}
            found[path] = named
        return found

    def _parsed(self, stem: str, suffix: str) -> ParsedName | None:
        """Return the fields of a name, best with an annotator whom the study has."""
        found = list(self._readings(stem, suffix))
        known = [one for one in found if not one.annotator or one.annotator in self.annotators.values()]
        return next(iter((*known, *found)), None)

    def _readings(self, stem: str, suffix: str) -> Iterator[ParsedName]:
        stems = [stem, *([stem[1:]] if stem.startswith("_") and is_reserved(stem[1:]) else [])]
        for topic, rest in (split for one in stems for split in _splits(one) if split[0] in self.topics):
            for system, who in [("", rest)] if suffix == "pyr" else _splits(rest):
                if suffix == "pyr" or system in self.systems:
                    name = self.systems.get(system, "")
                    yield ParsedName(self.topics[topic], name, self.annotators.get(who, who))


def exported_names(study: ScoringInputs) -> ExportedNames:
    """Return the names of a study as the export writes them."""
    return ExportedNames(
        _by_part(head.name for head in study.texts.topics()),
        _by_part(system.name for system in study.texts.systems()),
        _by_part(person.name for person in study.annotators.all()),
    )


def _by_part(names: Iterable[str]) -> dict[str, str]:
    parts = {name: fitting(name) for name in names}
    counts = Counter(parts.values())
    return {part: name for name, part in parts.items() if counts[part] == 1}


def _splits(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text before and after each dot, the longest first part first."""
    yield text, ""
    for place in range(len(text) - 1, 0, -1):
        if text[place] == ".":
            yield text[:place], text[place + 1 :]


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
