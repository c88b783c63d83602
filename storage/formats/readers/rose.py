"""Reader of RoSE (Liu et al. 2023): atomic content units (ACUs) of references, and labels of summaries.

A row has ``example_id``, ``source``, ``reference``, ``reference_acus``, ``system_outputs`` (texts by system)
and ``annotations`` (by system: ``acu_labels``, ``acu``, ``normalized_acu``, and where other protocols were
used ``prior``, ``ref_free`` and ``ref_based``; -1 = none).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.domain.import_batch import (
    ImportContent,
    NewMatch,
    NewMatches,
    NewPyramid,
    NewRating,
    NewScu,
    NewText,
)
from core.domain.name_checks import name_problem
from core.domain.study import SystemKind
from core.errors import InputError, MissingResource, Problem
from core.files.paths import printable_path
from core.progress import JobSteps, Progress
from storage.formats.format_types import Format, without_study
from storage.formats.readers.content_units import LocatedUnits
from storage.formats.readers.draft import ImportDraft
from storage.formats.readers.fields import (
    Problems,
    Row,
    is_clean,
    is_name,
    json_rows,
    lines_to_skip,
    list_field,
    new_text,
    number_field,
    text_field,
)
from storage.formats.readers.tables.arrow_records import PARQUET, parquet_columns, parquet_rows
from storage.formats.readers.tables.csv_records import JSONL, first_keys, has_suffix, kind_of
from storage.formats.readers.usage import current, tracked

ANNOTATOR, AUTHOR, DOCUMENT = "rose", "ref-00", "article"
PROTOCOLS: Mapping[str, tuple[float, float]] = {
    "prior": (1, 5),
    "ref_free": (1, 5),
    "ref_based": (1, 5),
    "normalized_acu": (0, 1),
}
"""Ratings other than the labels of ACUs, with their scales."""

ACU = "acu"
_ROWS_AT_ONCE = 50
_HUMANS = ("gold", "reference")
_NONE = -1
_CLOSE = 0.001


def is_header(keys: set[str]) -> bool:
    """Return whether a row of these keys is of this format."""
    return {"system_outputs", "annotations"} <= keys


def read(path: Path, options: Mapping[str, str]) -> JobSteps[ImportContent]:
    """Read rows. Raises BadImport with every problem.

    options: ``annotator`` names who made pyramids, matches and ratings that do not say so.
    """
    annotator = options.get("annotator", "").strip() or ANNOTATOR
    if fault := name_problem(annotator):
        raise InputError(f"The annotator's name is not valid. {fault} Choose another name.")
    problems = Problems(path.name, skipped=lines_to_skip(options))
    reader = _Reader(ImportDraft(printable_path(path.name), problems), annotator)
    if kind_of(path) == PARQUET:
        yield from _parquet_rows(path, problems, reader)
    else:
        yield from json_rows(path, problems, reader.row)
    return reader.content()


def _parquet_rows(path: Path, problems: Problems, reader: _Reader) -> JobSteps[None]:
    """Read the rows of a Parquet file, as the Hugging Face Hub has them."""
    for number, row in enumerate(parquet_rows(path, problems), 1):
        problems.place = f"row {number}"
        reader.row(current().record(tracked(row), printable_path(problems.file)))
        if number % _ROWS_AT_ONCE == 0:
            yield Progress(0, 0, f"reading {printable_path(path.name)}, row {number}")


@dataclass(slots=True)
class _Pyramid:
    """Units of one topic and annotator by key; each row adds those of one reference.

    hits: keys of the units in a summary, by system and who matched.
    """

    units: dict[str, NewScu] = field(default_factory=dict)
    hits: dict[tuple[str, str], dict[str, None]] = field(default_factory=dict)


class _Reader:
    """Collects the rows of a file."""

    def __init__(self, draft: ImportDraft, annotator: str) -> None:
        self._draft, self._problems, self._annotator = draft, draft.problems, annotator
        self._pyramids: dict[tuple[str, str], _Pyramid] = {}
        self._rows: set[tuple[str, ...]] = set()
        self._located = LocatedUnits()
        self._without_reference, self._other_means = 0, 0

    def row(self, row: Row) -> None:
        """Read a row."""
        problems = self._problems
        name = "example_id" if row.get("example_id") not in (None, "") else "count_id"
        topic = text_field(row, name, problems)
        owner, matcher, author = (
            text_field(row, key, problems, required=False) or otherwise
            for key, otherwise in (("annotator", self._annotator), ("matched_by", ""), ("author", AUTHOR))
        )
        matcher = matcher or owner
        if not topic or not all(is_name(who, "annotator", problems) for who in (owner, matcher)):
            return
        if (key := (topic, owner, matcher, author)) in self._rows:
            problems.add(name, f"{topic[:60]} is in two rows.", "Remove one of them.")
            return
        self._rows.add(key)
        self._draft.topic(topic)
        if row.get("source") and (source := new_text(row["source"], "source", problems)):
            self._draft.document(topic, DOCUMENT, source)
        reference = new_text(row["reference"], "reference", problems) if row.get("reference") else None
        if reference is not None:
            self._draft.reference(topic, author, reference)
        outputs = self._summaries(topic, row, reference)
        units = self._units(topic, owner, author, row, reference)
        self._annotations(topic, owner, matcher, row, outputs, units)

    def content(self) -> ImportContent:
        """Return everything that was read. Raises BadImport with every problem."""
        content = self._draft.finish()
        people = [who for key, one in self._pyramids.items() for who in (key[1], *(w for _, w in one.hits))]
        return replace(
            content,
            annotators={**dict.fromkeys(people, ""), **content.annotators},
            pyramids=[
                NewPyramid(topic, owner, tuple(one.units.values()))
                for (topic, owner), one in self._pyramids.items()
            ],
            matches=[
                NewMatches(topic, system, owner, who, tuple(NewMatch(key) for key in hits))
                for (topic, owner), one in self._pyramids.items()
                for (system, who), hits in one.hits.items()
            ],
            notices=(
                *content.notices,
                *self._located.notices(content.source),
                *self._notices(content.source),
            ),
        )

    def _notices(self, file: str) -> list[Problem]:
        notices = []
        if self._without_reference:
            what = f"{self._without_reference:,} rows have labels, but lack the ACUs or the reference."
            notices.append(Problem(file, "", "", what, f"Their ACU scores are ratings on the scale {ACU}."))
        if self._other_means:
            what = f"{self._other_means:,} ACU scores are not the share of their labels that are 1."
            notices.append(Problem(file, "", ACU, what, "The labels were imported."))
        return notices

    def _object(self, value: Any, name: str) -> Mapping[str, Any]:
        if value is not None and not isinstance(value, Mapping):
            self._problems.add(name, "Not an object.", "Write an object with a field per system.")
        return value if isinstance(value, Mapping) else {}

    def _summaries(self, topic: str, row: Row, reference: NewText | None) -> set[str]:
        """Read the summaries and return their systems; the reference may have been rated as one."""
        outputs = dict(self._object(row.get("system_outputs"), "system_outputs"))
        if "reference" in self._object(row.get("annotations"), "annotations") and reference is not None:
            outputs.setdefault("reference", reference.content)
        systems = {system for system, value in outputs.items() if value is not None}
        for system in sorted(systems, key=list(outputs).index):
            if text := new_text(outputs[system], f"system_outputs.{system[:60]}", self._problems):
                kind = SystemKind.HUMAN if system in _HUMANS else SystemKind.AUTOMATIC
                self._draft.summary(topic, system, text, kind)
        return systems

    def _units(
        self, topic: str, owner: str, author: str, row: Row, reference: NewText | None
    ) -> list[str] | None:
        """Read the ACUs and return their keys; None if the row has no reference or no ACUs."""
        labels = list_field(row, "reference_acus", self._problems)
        if not all(isinstance(label, str) and label.strip() for label in labels):
            self._problems.add("reference_acus", "An ACU is not a text, or empty.", "Write a list of texts.")
            return None
        if not all(is_clean(label, "reference_acus", self._problems) for label in labels):
            return None
        if not labels or reference is None or not reference.content.strip():
            return None
        pyramid = self._pyramids.setdefault((topic, owner), _Pyramid())
        keys: dict[str, None] = {}
        for unit in self._located.units(author, reference, labels):
            key, number = unit.label, 1
            while key in keys:
                number += 1
                key = f"{unit.label} [{number}]"
            keys[key] = None
            known = pyramid.units.setdefault(key, replace(unit, key=key))
            if author not in {one.author for one in known.contributors}:
                both = (*known.contributors, *unit.contributors)
                pyramid.units[key] = replace(known, contributors=both)
        return list(keys)

    def _annotations(
        self, topic: str, owner: str, matcher: str, row: Row, systems: set[str], units: list[str] | None
    ) -> None:
        is_noted = False
        for system, value in self._object(row.get("annotations"), "annotations").items():
            place = f"annotations.{system[:60]}"
            if value is None:
                continue
            if system not in systems:
                what = "The row has annotations of a system, but not its summary."
                self._problems.add(place, what, "Add it to system_outputs, or remove the annotations.")
                continue
            fields = self._object(value, place)
            labels = self._labels(fields, place)
            for name, scale in PROTOCOLS.items():
                self._rating(topic, system, owner, name, fields, scale, place)
            if units is None:
                is_noted |= bool(labels)
                self._rating(topic, system, owner, ACU, fields, (0, 1), place)
            elif labels:
                self._match(self._pyramids[topic, owner], system, matcher, units, labels, fields, place)
        self._without_reference += is_noted

    def _match(
        self,
        pyramid: _Pyramid,
        system: str,
        matcher: str,
        units: Sequence[str],
        labels: Sequence[bool],
        fields: Row,
        place: str,
    ) -> None:
        if len(labels) != len(units):
            what = f"{len(labels)} labels for {len(units)} ACUs."
            self._problems.add(f"{place}.acu_labels", what, "Write a label for each of reference_acus.")
            return
        hits = pyramid.hits.setdefault((system, matcher), {})
        hits.update({key: None for key, present in zip(units, labels, strict=True) if present})
        share, given = sum(labels) / len(labels), fields.get(ACU)
        if isinstance(given, int | float) and given != _NONE and abs(given - share) > _CLOSE:
            self._other_means += 1

    def _labels(self, fields: Row, place: str) -> list[bool]:
        labels = list_field(fields, "acu_labels", self._problems)
        if not all(label in (0, 1) for label in labels):
            self._problems.add(f"{place}.acu_labels", "A label is neither 0 nor 1.", "Correct it.")
            return []
        return [bool(label) for label in labels]

    def _rating(
        self,
        topic: str,
        system: str,
        annotator: str,
        name: str,
        fields: Row,
        scale: tuple[float, float],
        place: str,
    ) -> None:
        if fields.get(name) is None or fields[name] == _NONE:
            return
        low, high = scale
        value = number_field(fields, name, self._problems, low=low, high=high, place=f"{place}.{name}")
        if value is not None:
            self._draft.rating(NewRating(topic, system, name, annotator, value), "", scale)


def _recognises(path: Path) -> bool:
    if has_suffix(path, (PARQUET,)):
        with suppress(InputError, MissingResource):  # the reader reports the error
            return is_header(set(parquet_columns(path)))
    return has_suffix(path, JSONL) and is_header(first_keys(path))


FORMAT = Format(
    "rose",
    "RoSE (JSON, JSONL, Parquet)",
    "Atomic content units of references with labels for each summary, and ratings by other protocols.",
    without_study(read),
    _recognises,
    (*JSONL, PARQUET),
    has_rows=True,
)
