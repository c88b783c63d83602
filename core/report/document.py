"""A report as a JSON document, and the numbers of its tables and figures.

The document holds every number at full precision. `core.report.replay` compares it with a new one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from enum import Enum
from importlib.metadata import version
from types import NoneType
from typing import Any, TypeVar, get_type_hints

from core.comparison.options import InferenceOptions
from core.errors import InputError
from core.formatting.tables import Table
from core.json_schema import from_plain, to_plain
from core.report.model import CitedText, FigureSvg, Report, ReportOptions, Section
from core.stats.types import Coefficient, Level, stored_coefficient

T = TypeVar("T")

SCHEMA_VERSION = 1
"""Raised when a key changes its meaning."""


@dataclass(frozen=True, slots=True)
class NumberedTable:
    """A table with its number, such as ``3`` or ``A3`` in the appendix, and its section."""

    number: str
    table: Table
    section: Section


@dataclass(frozen=True, slots=True)
class NumberedFigure:
    """A figure with its number, such as ``2`` or ``A2`` in the appendix, and its section."""

    number: str
    figure: FigureSvg
    section: Section


def numbered_tables(report: Report) -> Iterator[NumberedTable]:
    """Yield every table in order with its number."""
    for prefix, sections in (("", report.main), ("A", report.appendix)):
        tables = ((table, section) for section in sections for table in section.tables)
        for number, (table, section) in enumerate(tables, 1):
            yield NumberedTable(f"{prefix}{number}", table, section)


def numbered_figures(report: Report) -> Iterator[NumberedFigure]:
    """Yield every figure in order with its number."""
    for prefix, sections in (("", report.main), ("A", report.appendix)):
        figures = ((figure, section) for section in sections for figure in section.illustrations)
        for number, (figure, section) in enumerate(figures, 1):
            yield NumberedFigure(f"{prefix}{number}", figure, section)


def citation_numbers(report: Report) -> dict[str, int]:
    """Return the number of each reference by its key."""
    return {one.key: number for number, one in enumerate(report.references, 1)}


def cited_text(parts: Iterable[CitedText], numbers: Mapping[str, int]) -> str:
    """Return a paragraph with the numbers of its references in brackets."""
    return "".join(f"{part.text}{bracketed(part.keys, numbers)}{part.end}" for part in parts)


def bracketed(keys: Iterable[str], numbers: Mapping[str, int]) -> str:
    """Return the numbers of references in brackets after a space, empty if there are none."""
    listed = ", ".join(map(str, sorted(numbers[key] for key in keys)))
    return f"\u00a0[{listed}]" if listed else ""


def report_document(report: Report) -> dict[str, Any]:
    """Return a report as a JSON document; figures by title, caption and SHA-256."""
    return {
        "schema_version": SCHEMA_VERSION,
        "program": {"name": "pyramidion", "version": version("pyramidion")},
        "title": report.title,
        "about": report.about,
        "study": {
            "name": report.study_name,
            "file": report.study_file,
            "sha256": report.study_digest,
        },
        "options": _options_document(report.options),
        "signatures": list(report.signatures),
        "sections": [_section_document(section) for section in report.sections],
        "references": [asdict(one) for one in report.references],
    }


def to_json(report: Report) -> str:
    """Return a report as JSON text."""
    return json.dumps(report_document(report), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _section_document(section: Section) -> dict[str, Any]:
    return {
        "title": section.title,
        "anchor": section.anchor,
        "is_appendix": section.is_appendix,
        "paragraphs": list(section.paragraphs),
        "tables": to_plain(section.tables),
        "figures": [_figure_document(one) for one in section.illustrations],
        "code": list(section.code),
        "cited": [asdict(part) | {"keys": list(part.keys)} for part in section.cited],
    }


def _figure_document(figure: FigureSvg) -> dict[str, Any]:
    """Return a figure without its drawing, which is known by its SHA-256."""
    return {
        "title": figure.title,
        "caption": figure.caption,
        "is_wide": figure.is_wide,
        "sha256": drawing_digest(figure.light),
    }


def drawing_digest(svg: str) -> str:
    """Return the SHA-256 of a figure's SVG."""
    return hashlib.sha256(svg.encode()).hexdigest()


def _options_document(options: ReportOptions) -> dict[str, Any]:
    return asdict(options, dict_factory=_plain)


def _plain(items: list[tuple[str, Any]]) -> dict[str, Any]:
    return {name: _plain_value(value) for name, value in items}


def _plain_value(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain_value(one) for one in value]
    return value.value if isinstance(value, Enum) else value


_CELL = (str, int, float, NoneType)
_COLUMN = {"title": str, "key": str, "kind": str}
_TABLE = {"title": str, "note": str, "columns": [_COLUMN], "rows": [[_CELL]]}
_FIGURE = {"title": str, "caption": str, "sha256": str}
_SECTION = {
    "title": str,
    "anchor": str,
    "is_appendix": bool,
    "paragraphs": [str],
    "tables": [_TABLE],
    "figures": [_FIGURE],
    "code": [str],
    "cited": [{"text": str, "keys": [str], "end": str}],
}
_DOCUMENT = {
    "title": str,
    "about": str,
    "study": {"name": str, "file": str, "sha256": str},
    "options": {},
    "signatures": [str],
    "sections": [_SECTION],
    "references": [{"key": str, "text": str, "bibtex": str}],
}
"""Required keys of a document and the types of their values."""

_LARGEST_WHOLE = 2**63
_MOST_DRAWS = 10_000_000


def _check(value: Any, shape: Any) -> None:
    """Raise TypeError, KeyError or ValueError unless a value has a shape: types, a list of one, or keys."""
    if isinstance(shape, dict):
        _check(value, dict)
        for key, inner in shape.items():
            _check(value[key], inner)
    elif isinstance(shape, list):
        _check(value, list)
        for one in value:
            _check(one, shape[0])
    elif not isinstance(value, shape):
        raise TypeError(f"{type(value).__name__} is not allowed here")
    elif isinstance(value, int) and abs(value) >= _LARGEST_WHOLE:
        raise ValueError("a number is too large")


def read_document(text: str, source: str) -> dict[str, Any]:
    """Return the document of a JSON text. Raises InputError where it is none. source: named in errors."""
    try:
        read = json.loads(text)
        if not isinstance(read, dict) or read.get("program", {}).get("name") != "pyramidion":
            raise ValueError
        if read["schema_version"] != SCHEMA_VERSION:
            raise InputError(
                f"{source} is a report of another version of Pyramidion. Replay it with version "
                f"{read['program']['version']}."
            )
        read.setdefault("references", [])
        for section in read["sections"]:
            section.setdefault("cited", [])
        _check(read, _DOCUMENT)
        keys = {one["key"] for one in read["references"]}
        for section in read["sections"]:
            if any(key not in keys for part in section["cited"] for key in part["keys"]):
                raise KeyError
            for table in section["tables"]:
                if any(not isinstance(column.get("group", ""), str) for column in table["columns"]):
                    raise TypeError
                from_plain(Table, table)
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise InputError(f"{source} is not a report of Pyramidion, or it is damaged.") from error
    return read


def cited_parts(section: Mapping[str, Any]) -> tuple[CitedText, ...]:
    """Return the paragraph of a section's document that cites references."""
    return tuple(CitedText(part["text"], tuple(part["keys"]), part["end"]) for part in section["cited"])


def options_of(document: Mapping[str, Any]) -> ReportOptions:
    """Return the options of a document. Raises InputError where they are unknown to this version."""
    try:
        options = _values(ReportOptions, document["options"])
        chance = options.chance
        if not (0 < chance.confidence < 1 and max(chance.draws, chance.simulated) <= _MOST_DRAWS):
            raise ValueError("numbers out of their range")
        return options
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"The report's options are unknown to this version of Pyramidion: {error}."
        ) from error


def _values(cls: type[T], read: Mapping[str, Any]) -> T:
    """Return a dataclass of plain values; enums by value, lists as tuples."""
    hints = get_type_hints(cls)
    values: dict[str, Any] = {}
    for field in fields(cls):  # type: ignore[arg-type]
        if field.name == "output" and field.name not in read:  # of an earlier version
            continue
        value, hint = read[field.name], hints[field.name]
        if hint is InferenceOptions:
            values[field.name] = _values(InferenceOptions, value)
        elif field.name == "levels":
            values[field.name] = tuple(Level(one) for one in value)
        elif isinstance(hint, type) and issubclass(hint, Enum):
            values[field.name] = hint(stored_coefficient(value) if hint is Coefficient else value)
        elif hint in (str, bool, int, float):
            values[field.name] = _plain_option(value, hint)
        else:
            if value is not None or field.default is not None:
                _check(value, [str])
            values[field.name] = None if value is None else tuple(value)
    return cls(**values)


def _plain_option(value: Any, kind: type) -> Any:
    """Return a text, number or truth value. Raises TypeError or ValueError unless it is of its kind."""
    _check(value, (int, float) if kind is float else kind)
    if isinstance(value, bool) != (kind is bool):
        raise TypeError(f"{value} is not allowed here")
    if kind is int and value < 0:
        raise ValueError(f"{value} is negative")
    return value
