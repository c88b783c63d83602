"""File next to exported annotations with what a tool does not show: names, order, sentences, scales.

It names the text of each file; without it texts are found by their content.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import product
from typing import Any

from core.domain.pyramid import UnitKind
from core.domain.ratings import Dimension, ScaleKind
from core.domain.study import Span
from core.json_schema import from_plain, to_plain
from storage.formats.annotation_tools.study_marks import (
    MarkedText,
    StudyMarks,
    TextKey,
    TextKind,
    Unit,
    UnitList,
)
from storage.formats.memory import json_size
from storage.formats.readers.fields import Problems, RepeatedKey, unique_keys
from storage.formats.readers.usage import Record, current

NAME = "pyramidion.json"
_FORMAT = "pyramidion annotations"
_VERSION = 1
_AS_EXPORTED = "Export the annotations again, or remove the file; texts are then found by their content."


@dataclass(frozen=True, slots=True)
class ScaleEntry:
    """A scale of marked spans."""

    name: str
    categories: tuple[str, ...]
    question: str
    description: str
    required: bool

    def scale(self) -> Dimension:
        """Return the scale."""
        anchors = tuple((float(number), text) for number, text in enumerate(self.categories, 1))
        about = self.question, self.description, anchors, ScaleKind.SPANS, self.required
        return Dimension("", self.name, 0.0, 1.0, *about)


@dataclass(frozen=True, slots=True)
class TextEntry:
    """A file's text and annotator.

    rated: `Answer.remark` of each rating.
    without_span: records of units found in it that have no span.
    text: the text if its line ends are not those of the file, else empty.
    """

    topic: str
    kind: TextKind
    name: str
    annotator: str
    sentences: tuple[Span, ...] | None
    done: tuple[tuple[str, UnitKind], ...]
    rated: tuple[tuple[str, str, bool, bool], ...]
    without_span: tuple[Any, ...]
    text: str = ""

    @property
    def key(self) -> TextKey:
        """Names of the text."""
        return TextKey(self.topic, self.kind, self.name)


@dataclass(slots=True)
class Manifest:
    """Content of the file. texts: by path. types: names of a tool for scales and categories."""

    lists: list[UnitList]
    scales: list[ScaleEntry]
    texts: dict[str, TextEntry]
    types: dict[str, tuple[str, str]]
    format: str = _FORMAT
    version: int = _VERSION

    def encode(self) -> str:
        """Return the content of the file."""
        return json.dumps(to_plain(self), ensure_ascii=False, indent=1)

    def add(self, path: str, marked: MarkedText, without_span: Sequence[Any]) -> None:
        """Enter a marked text."""
        content = marked.text.content
        self.texts[path] = TextEntry(
            marked.key.topic,
            marked.key.kind,
            marked.key.name,
            marked.annotator,
            marked.text.sentence_spans,
            tuple(sorted(marked.done)),
            tuple(one.remark for one in marked.ratings),
            tuple(without_span),
            content if "\r" in content else "",
        )


def manifest_of(marks: StudyMarks) -> Manifest:
    """Return the manifest of a study's marks, without files."""
    scales = [
        ScaleEntry(
            scale.name,
            tuple(text for _, text in scale.anchors),
            scale.question,
            scale.description,
            scale.is_required,
        )
        for scale in marks.scales
    ]
    return Manifest(marks.lists, scales, {}, {})


def decode(content: bytes, problems: Problems) -> Manifest:
    """Read the file. Raises BadImport with one problem if it is not as it was written."""
    try:
        text = content.decode()
        problems.memory.check(json_size(text))
        record = json.loads(text, object_pairs_hook=unique_keys)
        found = from_plain(Manifest, record)
        if (found.format, found.version) != (_FORMAT, _VERSION):
            raise ValueError("another format or version")
        _note_use(current().record(record, NAME))
        return found
    except (ValueError, TypeError, AttributeError, RecursionError, RepeatedKey) as error:
        problems.place = NAME
        what = f"The list of exported texts cannot be read: {str(error)[:80] or type(error).__name__}."
        problems.add("", what, _AS_EXPORTED)
        problems.stop_if_any()
        raise


def _note_use(record: Record) -> None:
    """Note the keys that are read; those of records without a span all are."""
    texts, lists = record["texts"].values(), record["lists"]
    objects: dict[type[Any], list[Record]] = {
        Manifest: [record],
        ScaleEntry: record["scales"],
        UnitList: lists,
        Unit: [unit for one in lists for unit in one["units"]],
        TextEntry: texts,
    }
    for kind, records in objects.items():
        for entry, one in product(records, fields(kind)):
            entry.get(one.name)
    for one in (record["types"], *(found for text in texts for found in text["without_span"])):
        one.values()
