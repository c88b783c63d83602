"""File next to exported annotations with what a tool does not show: names, order, sentences, scales.

It names the text of each file; without it texts are found by their content.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.domain.pyramid import UnitKind
from core.domain.ratings import Dimension, ScaleKind
from core.domain.study import Span
from storage.formats.annotation_tools.marks import MarkedText, StudyMarks, TextKey, TextKind, Unit, UnitList
from storage.formats.memory import json_size
from storage.formats.readers.fields import Problems, RepeatedKey, unique_keys
from storage.formats.readers.usage import current

NAME = "pyramidion.json"
_FORMAT = "pyramidion annotations"
_VERSION = 1
_AS_EXPORTED = "Export the annotations again, or remove the file; texts are then found by their content."


@dataclass(frozen=True, slots=True)
class TextEntry:
    """A file's text and annotator.

    rated: scales with the note of each rating, whether it is flagged, and whether it has a value.
    without_span: units found in it that have no span.
    content: the text if its line ends are not those of the file, else empty.
    """

    key: TextKey
    annotator: str
    sentences: tuple[Span, ...] | None = None
    done: tuple[tuple[str, UnitKind], ...] = ()
    rated: tuple[tuple[str, str, bool, bool], ...] = ()
    without_span: tuple[Mapping[str, Any], ...] = ()
    content: str = ""


@dataclass(slots=True)
class Manifest:
    """Content of the file. texts: by path. types: names of a tool for scales and categories."""

    lists: list[UnitList] = field(default_factory=list)
    scales: list[Dimension] = field(default_factory=list)
    texts: dict[str, TextEntry] = field(default_factory=dict)
    types: dict[str, tuple[str, str]] = field(default_factory=dict)

    def encode(self) -> str:
        """Return the content of the file."""
        return json.dumps(
            {
                "format": _FORMAT,
                "version": _VERSION,
                "scales": [_scale_record(scale) for scale in self.scales],
                "types": {name: list(pair) for name, pair in self.types.items()},
                "lists": [_list_record(one) for one in self.lists],
                "texts": {path: _text_record(entry) for path, entry in self.texts.items()},
            },
            ensure_ascii=False,
            indent=1,
        )


def manifest_of(marks: StudyMarks) -> Manifest:
    """Return the manifest of a study's marks, without files."""
    return Manifest(marks.lists, marks.scales)


def entry_of(text: MarkedText, without_span: tuple[Mapping[str, Any], ...] = ()) -> TextEntry:
    """Return the entry of a marked text."""
    return TextEntry(
        text.key,
        text.annotator,
        text.text.sentence_spans,
        tuple(sorted(text.done)),
        tuple((one.scale, one.note, one.is_flagged, one.is_rated) for one in text.ratings),
        without_span,
        text.text.content if "\r" in text.text.content else "",
    )


def _scale_record(scale: Dimension) -> dict[str, Any]:
    categories = [text for _, text in scale.anchors]
    about = {"question": scale.question, "description": scale.description}
    return {"name": scale.name, "categories": categories, **about, "required": scale.is_required}


def _list_record(one: UnitList) -> dict[str, Any]:
    units = [
        {"id": u.key, "label": u.label, "comment": u.comment, "importance": u.importance} for u in one.units
    ]
    return {"topic": one.topic, "owner": one.owner, "kind": one.kind, "done": one.is_done, "units": units}


def _text_record(entry: TextEntry) -> dict[str, Any]:
    return {
        "topic": entry.key.topic,
        "kind": entry.key.kind,
        "name": entry.key.name,
        "annotator": entry.annotator,
        "sentences": None if entry.sentences is None else [list(span) for span in entry.sentences],
        "done": [list(pair) for pair in entry.done],
        "rated": [list(one) for one in entry.rated],
        "without_span": list(entry.without_span),
        "text": entry.content,
    }


def decode(content: bytes, problems: Problems) -> Manifest:
    """Read the file. Raises BadImport with one problem if it is not as it was written."""
    try:
        text = content.decode()
        problems.memory.check(json_size(text))
        record = json.loads(text, object_pairs_hook=unique_keys)
        record = current().record(record, NAME)
        if record["format"] != _FORMAT or record["version"] != _VERSION:
            raise ValueError("another format or version")
        return Manifest(
            [_list(one) for one in record["lists"]],
            [_scale(one) for one in record["scales"]],
            {str(path): _text(one) for path, one in record["texts"].items()},
            {str(name): (_str(scale), _str(category)) for name, (scale, category) in record["types"].items()},
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, RepeatedKey) as error:
        problems.place = NAME
        what = f"The list of exported texts cannot be read: {str(error)[:80] or type(error).__name__}."
        problems.add("", what, _AS_EXPORTED)
        problems.stop_if_any()
        raise


def _str(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a value is not a text")
    return value


def _scale(record: Mapping[str, Any]) -> Dimension:
    anchors = tuple((float(number), _str(text)) for number, text in enumerate(record["categories"], 1))
    about = _str(record["question"]), _str(record["description"])
    name, is_required = _str(record["name"]), record["required"] is not False
    return Dimension("", name, 0.0, 1.0, *about, anchors, ScaleKind.SPANS, is_required)


def _list(record: Mapping[str, Any]) -> UnitList:
    units = tuple(
        Unit(_str(u["id"]), _str(u["label"]), _str(u["comment"]), _str(u["importance"]))
        for u in record["units"]
    )
    kind = UnitKind(record["kind"])
    return UnitList(_str(record["topic"]), _str(record["owner"]), kind, units, record["done"] is True)


def _text(record: Mapping[str, Any]) -> TextEntry:
    key = TextKey(_str(record["topic"]), TextKind(record["kind"]), _str(record["name"]))
    spans = record["sentences"]
    return TextEntry(
        key,
        _str(record["annotator"]),
        None if spans is None else tuple((int(start), int(end)) for start, end in spans),
        tuple((_str(owner), UnitKind(kind)) for owner, kind in record["done"]),
        tuple(
            (_str(scale), _str(note), is_flagged is True, is_rated is True)
            for scale, note, is_flagged, is_rated in record["rated"]
        ),
        tuple(dict(one) for one in record["without_span"]),
        _str(record.get("text", "")),
    )
