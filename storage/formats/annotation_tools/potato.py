"""Potato: data files with a configuration, and annotated instances (JSONL, CSV or TSV), written and read.

Three layouts are read. One file per annotator with ``label_annotations`` and ``span_annotations`` counts code
points. Exports with ``labels`` and ``spans`` by user, and ``user_state.json`` per annotator, of version 2,
have the offsets of the browser, in UTF-16 units. Words of a span decide where it has them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Mapping, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from core.domain.import_batch import ImportContent
from core.domain.preferences import ComparisonKind
from core.domain.ratings import Dimension, ScaleKind
from core.errors import InputError
from core.files.file_names import FileNames
from core.files.paths import access_errors, list_files
from core.numerals import parse_number
from core.ports import Study
from core.progress import JobSteps, Progress
from storage.formats.annotation_tools.study_marks import (
    Answer,
    ComparedSummaries,
    RatedSummary,
    TextKey,
    compared_summaries,
    rated_summaries,
    scales_of,
    star_scales,
)
from storage.formats.annotation_tools.tool_folders import write_files
from storage.formats.annotation_tools.tool_import import ToolImport, answer_of, named_key
from storage.formats.archive import read_files
from storage.formats.format_types import Export, Format, Options
from storage.formats.offsets import OffsetUnit, unix
from storage.formats.readers.fields import Row, decoded, json_object, opened
from storage.formats.readers.recognition import by_names
from storage.formats.readers.tables.csv_records import JSONL, has_suffix
from storage.formats.readers.tables.table_cells import SUFFIXES as TABLES
from storage.formats.readers.tables.table_cells import row_steps
from storage.formats.readers.usage import Record, current

ANNOTATOR = SCALE = "potato"
PLAN = "Potato"
INSTANCES, STATE = "annotated_instances.jsonl", "user_state.json"
_OUTPUT, _DATA, _PAIRS, _CONFIG = "annotation_output", "summaries.jsonl", "pairs.jsonl", "config.yaml"
_LABELS = "instance_id_to_label_to_value"
_STATE = (
    _LABELS,
    "instance_id_to_span_to_value",
    "phase_to_page_to_label_to_value",
    "instance_id_to_link_to_value",
)
"""Keys of the state of an annotator."""
_OF_TOOL = (
    "*_ordering",
    "*_keyword_highlight_state",
    "*_behavioral_data",
    "current_*",
    "completed_*",
    "max_assignments",
    "training_state",
    "*qualif*_categor*",
    "category_*",
    "crowd_metadata",
    *(f"*span*.{name}" for name in ("id", "title")),
)
"""Keys of a state that hold nothing to import."""
_SCHEMES = {
    "likert": ScaleKind.NUMBER,
    "slider": ScaleKind.NUMBER,
    "text": ScaleKind.TEXT,
    "radio": ScaleKind.CATEGORIES,
    "span": ScaleKind.SPANS,
}
_OF_ITEM = ("topic", "system", "systems", "plan")
"""Keys of an exported data file that belong to the answers."""
_LONGEST_CONFIG = 2**20
_SCHEMAS = {ComparisonKind.PAIRWISE: "preference", ComparisonKind.BEST_WORST: "best_worst"}
_SCALE_KEY = re.compile(r"(?:scale_)?(?P<value>-?[0-9]{1,9}(?:\.[0-9]{1,9})?)")
_NO_CATEGORY = ("", "slider", "number", "text_box", "textbox", "text", "value", "scale_value")
_TIES = ("tie", "0", "no preference")
_KEEPS = "They are kept in Potato only."
_MOST_PARTS = 26


def is_header(names: set[str]) -> bool:
    """Return whether keys or columns are those of annotated instances, or of one annotator's."""
    if _LABELS in names:
        return True
    if {"label_annotations", "span_annotations"} & names:
        return "id" in names or "instance_id" in names
    has_answers = {"labels", "spans"} <= names or any(":::" in name for name in names)
    return "instance_id" in names and bool({"user", "user_id"} & names) and (has_answers or len(names) > 2)


def is_folder(path: Path) -> bool:
    """Return whether a folder holds annotated instances."""
    with access_errors(path):
        return path.is_dir() and any(file.name in (INSTANCES, STATE) for file in list_files(path))


def write_ratings(study: Study, folder: Path) -> JobSteps[int]:
    """Write the summaries, a configuration with a scheme per scale, and the ratings into a folder.

    Raises InputError if the study has no scale, or writing fails.
    """
    scales, stars = scales_of(study), star_scales(study)
    schemes = [_scheme(scale, has_stars=scale.name in stars) for scale in scales]
    summaries = list(rated_summaries(study))
    data = [
        {"id": one.key.stem, "text": one.text.content, "source": one.source, **one.key.names}
        for one in summaries
    ]
    rows: dict[str, list[dict[str, Any]]] = {}
    for one in summaries:
        for annotator, answers in one.ratings.items():
            rows.setdefault(annotator, []).append(_instance(one, answers, stars))
    return (yield from _write(folder, (_DATA, data), schemes, rows))


def write_comparisons(study: Study, folder: Path) -> JobSteps[int]:
    """Write the comparisons of summaries, a configuration, and the answers into a folder.

    Raises InputError if the study has no comparison, or writing fails.
    """
    compared = list(compared_summaries(study))
    if not compared:
        raise InputError("The study has no comparison. Draw a plan on the page Compare summaries first.")
    kinds = {one.kind for one in compared}
    schemes = [_pair_scheme(kind, compared) for kind in ComparisonKind if kind in kinds]
    data = []
    rows: dict[str, list[dict[str, Any]]] = {}
    for number, one in enumerate(compared, 1):
        names = {"topic": one.topic, "plan": one.plan, "kind": one.kind, "systems": list(one.systems)}
        head = {"id": f"pair-{number}", **names}
        data.append({**head, "text": list(one.texts), "responses": list(one.texts), "source": one.source})
        for annotator, best, worst in one.answers:
            labels = {_SCHEMAS[one.kind]: _choice(one, best, worst)}
            row = {**head, "displayed_text": "", "label_annotations": labels, "span_annotations": []}
            rows.setdefault(annotator, []).append(row)
    return (yield from _write(folder, (_PAIRS, data), schemes, rows))


def _write(
    folder: Path,
    data: tuple[str, Sequence[Mapping[str, Any]]],
    schemes: Sequence[Mapping[str, Any]],
    rows: Mapping[str, Sequence[Mapping[str, Any]]],
) -> JobSteps[int]:
    """Write a folder for Potato; returns the number of files."""
    name, items = data
    config = {
        "annotation_task_name": "Pyramidion",
        "task_dir": ".",
        "data_files": [name],
        "output_annotation_dir": _OUTPUT,
        "item_properties": {"id_key": "id", "text_key": "text"},
        "annotation_schemes": list(schemes),
    }
    files = {name: list(map(_line, items))}
    files[_CONFIG] = [json.dumps(config, ensure_ascii=False, indent=1) + "\n"]  # JSON is YAML too
    people = FileNames()
    for annotator, own in rows.items():
        inner = f"{_OUTPUT}/{people.reserve(annotator, '')}/{INSTANCES}"
        files[inner] = [_line({**row, "annotator": annotator}) for row in own]
    return (yield from write_files(folder, files.items()))


def _line(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def _scheme(scale: Dimension, *, has_stars: bool) -> dict[str, Any]:
    about = {"name": scale.name, "description": scale.question or scale.name}
    ends = [text for _, text in scale.anchors]
    if has_stars:
        first, last = (ends[0], ends[-1]) if len(ends) > 1 else (f"{scale.low:g}", f"{scale.high:g}")
        more = {"min_label": first, "max_label": last, "size": int(scale.high)}
        return {"annotation_type": "likert", **about, **more}
    if scale.kind is ScaleKind.NUMBER:
        limits = {"min_value": scale.low, "max_value": scale.high, "starting_value": scale.low}
        return {"annotation_type": "slider", **about, **limits}
    if scale.kind is ScaleKind.TEXT:
        return {"annotation_type": "text", **about}
    kind = "span" if scale.kind is ScaleKind.SPANS else "radio"
    return {"annotation_type": kind, **about, "labels": ends}


def _pair_scheme(kind: ComparisonKind, compared: Sequence[ComparedSummaries]) -> dict[str, Any]:
    questions = [one.question for one in compared if one.kind is kind and one.question]
    about = {"name": _SCHEMAS[kind], "description": (*questions, "Which summary is better?")[0]}
    if kind is ComparisonKind.BEST_WORST:
        return {"annotation_type": "bws", **about, "items_key": "responses"}
    more = {"mode": "binary", "items_key": "responses", "labels": ["A", "B"], "allow_tie": True}
    return {"annotation_type": "pairwise", **about, **more}


def _choice(one: ComparedSummaries, best: str, worst: str) -> dict[str, str]:
    letters = {system: chr(ord("A") + place) for place, system in enumerate(one.systems)}
    if one.kind is ComparisonKind.BEST_WORST:
        return {"best": letters[best], "worst": letters[worst]}
    return {"selection": letters.get(best, "tie")}


def _instance(summary: RatedSummary, answers: Sequence[Answer], stars: Container[str]) -> dict[str, Any]:
    """Return an annotator's ratings of a summary as an annotated instance."""
    content = summary.text.content
    labels: dict[str, dict[str, Any]] = {}
    spans: list[dict[str, Any]] = []
    for one in answers:
        for start, end, category in one.spans:
            words = {"span": content[start:end], "annotation": category}
            spans.append({"schema": one.scale, "start": start, "end": end, **words})
        if one.is_rated and one.kind is ScaleKind.TEXT:
            labels[one.scale] = {"text_box": one.note}
        elif one.category:
            labels[one.scale] = {one.category: "true"}
        elif one.value is not None:
            name = f"scale_{one.value:g}" if one.scale in stars else "slider"
            labels[one.scale] = {name: f"{one.value!r}" if one.value % 1 else f"{one.value:.0f}"}
    notes = [list(one.remark) for one in answers if one.needs_remark]
    head = {"id": summary.key.stem, "displayed_text": content}
    given = {"label_annotations": labels, "span_annotations": spans}
    return {**head, **given, **summary.key.names, "notes": notes}


def read(path: Path, options: Options, study: Study | None = None) -> JobSteps[ImportContent]:
    """Read a file, or a folder with one file per annotator. Raises BadImport with every problem.

    options: ``annotator`` of instances that name none and are in no folder of one.
    """
    tool = ToolImport(path, study, options, ANNOTATOR, alternative=OffsetUnit.UTF16)
    reader = _Reader(tool)
    current().expected += ("id", *_OF_TOOL)
    if path.is_dir():
        current().expected += (_DATA, _PAIRS, "source", "responses", "kind")  # as exported
        files = dict(read_files(path, lambda name: name.endswith((INSTANCES, STATE)), tool.problems))
        config = reader.configuration(path)
        if any(name.endswith(STATE) for name in files):
            yield from reader.items(path, config)
        for number, (name, content) in enumerate(files.items()):
            tool.problems.place = name
            folder = PurePosixPath(name).parent
            reader.folder = folder.name
            if name.endswith(INSTANCES) and str(folder / STATE) in files:
                current().leave(name)  # version 2 starts without it
            elif (text := decoded(content, tool.problems)) is not None:
                reader.file(name, text)
            yield Progress(number, len(files), f"reading {name}")
    else:
        yield from row_steps(path, tool.problems, options, reader.row, partial(_from_cells, tool))
    reader.report()
    return tool.finish()


def _config(path: Path) -> Mapping[str, Any]:
    """Return the configuration in a folder, empty without one. JSON, as exported, is YAML too."""
    import yaml

    for file in sorted((*path.glob("*.yaml"), *path.glob("*.yml"))):
        with opened(file) as source:
            content = source.read(_LONGEST_CONFIG)
        try:
            config = yaml.safe_load(content)
        except (yaml.YAMLError, ValueError, RecursionError):
            continue  # the answers show what it says
        if isinstance(config, dict) and isinstance(config.get("annotation_schemes"), list):
            return config
    return {}


def _from_cells(tool: ToolImport, cells: Record) -> Record:
    """Return a row of a table as an annotated instance: columns are SCHEMA:::LABEL or SCHEMA.LABEL."""
    labels: dict[str, dict[str, Any]] = {}
    spans: dict[str, Any] = {}
    more: dict[str, Any] = {"labels": labels, "spans": spans}
    for name, value in cells.without_notes().items():
        if name in _HEADS or not value:
            continue
        if name in ("label_annotations", "span_annotations"):
            more[name] = _json(cells[name], name, tool)
            continue
        schema, dot, label = name.partition(":::") if ":::" in name else name.rpartition(".")
        if not dot:
            schema, label = name, "value"
        if label == "_spans":
            spans[schema] = _json(cells[name], name, tool)
        elif not label.startswith("_"):
            labels.setdefault(schema, {})[label] = cells[name]
    return cells.with_values(more)


_HEADS = ("id", "instance_id", "user", "user_id", "annotator", "displayed_text", "topic", "system")


def _json(value: str, name: str, tool: ToolImport) -> Any:
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        tool.problems.add(name, "The cell is not JSON.", "Export the annotations as JSONL.")
        return None


class _Reader:
    """Reads annotated instances. folder: name of the file's folder, an annotator."""

    def __init__(self, tool: ToolImport) -> None:
        self.tool, self.folder = tool, ""
        self._lost: dict[str, None] = {}
        self._items: dict[str, Mapping[str, Any]] = {}
        self._text_key = "text"

    def configuration(self, path: Path) -> Mapping[str, Any]:
        """Return the configuration in a folder, of which scales are read."""
        config = _config(path)
        for scheme in config.get("annotation_schemes", ()):
            kind = _SCHEMES.get(str(scheme.get("annotation_type"))) if isinstance(scheme, Mapping) else None
            if kind is not None and isinstance(scheme.get("labels") or [], list):
                name, question = str(scheme.get("name")), str(scheme.get("description") or "")
                given = [
                    one.get("name") if isinstance(one, Mapping) else one for one in scheme.get("labels") or []
                ]
                limits = scheme.get("min_value", 1), scheme.get("max_value", scheme.get("size"))
                self.tool.describe(
                    name, kind, limits, list(map(str, given)), "" if question == name else question
                )
        return config

    def items(self, path: Path, config: Mapping[str, Any]) -> JobSteps[None]:
        """Read the data files of a configuration that are in the folder."""
        keys, given = config.get("item_properties"), config.get("data_files")
        keys = keys if isinstance(keys, Mapping) else {}
        id_key, self._text_key = (str(keys.get(f"{one}_key", one)) for one in ("id", "text"))

        def take(row: Row) -> None:
            self._items[str(row.get(id_key))] = row

        for name in given if isinstance(given, list) else ():
            file = path / str(name)
            is_own = file.resolve().is_relative_to(path.resolve()) and file.is_file()
            if is_own and has_suffix(file, (*JSONL, *TABLES)):
                yield from row_steps(file, self.tool.problems, {}, take)

    def file(self, name: str, text: str) -> None:
        """Read one annotator's file."""
        problems = self.tool.problems
        if name.endswith(STATE):
            if (state := json_object(text, problems)) is not None:
                self._state(current().record(state, STATE), name)
            return
        for number, line in enumerate(text.split("\n"), 1):
            problems.place = f"{name}, line {number}"
            if line.strip() and (row := json_object(line, problems)) is not None:
                self.row(current().record(row, INSTANCES))

    def _state(self, state: Row, name: str) -> None:
        """Read what version 2 stores of an annotator: pairs of a label or span and its value by instance."""
        rows: dict[str, dict[str, Any]] = {}
        try:
            given, marked, phases, links = (dict(state.get(key) or {}) for key in _STATE)
            for one in (*given, *marked):
                head = {"instance_id": one, "user_id": state.get("user_id"), "links": links.get(one)}
                rows[one] = {**head, "labels": {}, "spans": {}}
            for one, pairs in given.items():
                for label, value in pairs:
                    rows[one]["labels"].setdefault(str(label["schema"]), {})[str(label["name"])] = value
            for one, pairs in marked.items():
                for span, _ in pairs:
                    rows[one]["spans"].setdefault(str(span["schema"]), []).append(span)
            pages = sum(bool(page) for phase in phases.values() for page in phase.values())
        except (ValueError, TypeError, KeyError, AttributeError):
            what = "The state of an annotator is not as Potato stores it."
            self.tool.problems.add("", what, "Copy the file user_state.json again.")
            return
        if pages:
            self.tool.leave_out("pages of a survey", _KEEPS, pages)
        for one, row in rows.items():
            self.tool.problems.place = ", ".join(filter(None, (name, f"instance {one}")))
            item = self._items.get(one, {})
            row |= {key: item[key] for key in _OF_ITEM if key in item}
            if isinstance(text := item.get(self._text_key), str):
                row["displayed_text"] = text
            self.row(current().record(row, STATE))

    def report(self) -> None:
        """Report instances that belong to no text."""
        if self._lost:
            names = ", ".join(list(self._lost)[:3])
            what = "Instances that are no text of the study, such as pages of a survey"
            remedy = f"Import their texts first, and the folder that has {_CONFIG} and the data files."
            self.tool.problems.place = ""
            self.tool.notice(f"{what}: {len(self._lost):,} not read ({names}).", remedy)

    def row(self, row: Row) -> None:
        """Read one instance, or all of an annotator."""
        if _LABELS in row:
            self._state(row, "")
            return
        annotator = self.tool.annotator(_text(row, "annotator", "user_id", "user") or self.folder)
        labels = _first(row, "label_annotations", "labels") or {}
        spans = _first(row, "span_annotations", "spans") or []
        if not isinstance(labels, Mapping) or not isinstance(spans, list | Mapping):
            what = "The annotations of an instance are not an object and a list."
            self.tool.problems.add("label_annotations", what, "Export them from Potato as JSONL.")
            return
        if isinstance(row.get("systems"), list):
            self._preferences(row, annotator, labels)
            return
        key = self._key(row)
        if key is None:
            return
        if row.get("links"):
            self.tool.leave_out("links between spans", _KEEPS)
        self._spans(key, annotator, spans)
        notes = self.tool.remarks(key, annotator, row.get("notes"))
        for schema, given in labels.items():
            self._label(key, annotator, str(schema), given, notes.get(str(schema), ("", False)))

    def _key(self, row: Row) -> TextKey | None:
        """Return the text of an instance by its names, its id or its content."""
        text, given = row.get("displayed_text"), _first(row, "id", "instance_id")
        text, name = (
            text if isinstance(text, str) else None,
            str(given) if isinstance(given, str | int) else "",
        )
        key = named_key(row, "topic", "", "system") if text is not None else None
        # a browser counts line feeds, whatever the text has
        is_given = text is not None and not ("\r" in text and isinstance(row.get("spans"), Mapping))
        if key is None and (key := self.tool.named(name)) is not None:
            stored = self.tool.stored_text(key) or ""
            if text is None or unix(text) != unix(stored):
                text, is_given = stored, False
        equal = self.tool.equal_texts(text) if key is None and text is not None else []
        key = equal[0] if len(equal) == 1 else key
        if key is None or text is None:
            self._lost[name or "an instance without id"] = None
            return None
        return key if self.tool.text(key, text, is_given=is_given) is not None else None

    def _spans(self, key: TextKey, annotator: str, given: Sequence[Any] | Mapping[str, Any]) -> None:
        """Add spans: a list, or lists by scheme, as version 2 has them."""
        for schema, spans in given.items() if isinstance(given, Mapping) else [("", given)]:
            if not isinstance(spans, list) or not all(isinstance(one, Mapping) for one in spans):
                what = "A span is not an object." if isinstance(spans, list) else "The spans are not a list."
                self.tool.problems.add("span_annotations", what, "Export as JSONL.")
                continue
            for span in spans:
                self._span(key, annotator, str(schema), span)

    def _span(self, key: TextKey, annotator: str, schema: str, given: Mapping[str, Any]) -> None:
        label = _text(given, "annotation", "label", "name")
        if not label:
            self.tool.leave_out("spans without a label", "Label them in Potato.")
            return
        known = self.tool.span_scales
        scale = schema or _text(given, "schema") or (known[0] if len(known) == 1 else SCALE)
        places = [(given.get("start"), given.get("end"), _text(given, "span", "text"))]
        more = given.get("additional_parts")
        if isinstance(more, list):
            places += [(one.get("start"), one.get("end"), "") for one in more if isinstance(one, Mapping)]
        unit = OffsetUnit.UTF16 if schema else OffsetUnit.CODE_POINTS
        found = [self.tool.span(key, *place, unit=unit) for place in places]
        spans = tuple((*span, label) for span in found if span is not None)
        if spans:
            self.tool.rate(key, annotator, Answer(scale, ScaleKind.SPANS, spans=spans))

    def _label(self, key: TextKey, annotator: str, scale: str, given: Any, note: tuple[str, bool]) -> None:
        """Add the answer to one scheme."""
        labels = given if isinstance(given, Mapping) else {"value": given}
        chosen = {str(name): value for name, value in labels.items() if not _is_off(value)}
        if not chosen:
            return
        if len(chosen) > 1:
            self.tool.leave_out("answers with several labels", "A scale has one value per summary.")
            return
        ((label, value),) = chosen.items()
        known = self.tool.known_scale(scale)
        kind = known.kind if known is not None else _kind_of(label, value)
        number = _number_of(label, value)
        if kind is ScaleKind.SPANS:
            self.tool.leave_out("labels of schemes of spans", _KEEPS)
        elif kind is ScaleKind.NUMBER and number is not None:
            self.tool.rate(key, annotator, Answer(scale, kind, number, "", (), *note))
        else:
            is_written = kind is ScaleKind.TEXT or label in _NO_CATEGORY
            kind = ScaleKind.TEXT if kind is ScaleKind.TEXT else ScaleKind.CATEGORIES
            self.tool.rate(key, annotator, answer_of(scale, kind, str(value) if is_written else label, *note))

    def _preferences(self, row: Row, annotator: str, labels: Mapping[str, Any]) -> None:
        """Add the answers to a comparison, whose row names topic and systems."""
        problems, topic, systems = self.tool.problems, row.get("topic"), row["systems"]
        is_valid = all(isinstance(one, str) for one in systems) and 2 <= len(set(systems)) == len(systems)
        if not isinstance(topic, str) or not is_valid or len(systems) > _MOST_PARTS:
            what = "A comparison needs a topic and two or more different systems."
            problems.add("systems", what, "Correct the row.")
            return
        plan = _text(row, "plan") or PLAN
        for schema, given in labels.items():
            answer = given if isinstance(given, Mapping) else {"selection": given}
            chosen = {name: _system(answer.get(name), systems) for name in ("selection", "best", "worst")}
            if None in chosen.values():
                place = f"{schema}"[:40]
                problems.add(place, "The answer is none of the compared summaries.", "Write A, B, … or tie.")
                continue
            is_pair = "selection" in answer
            kind = ComparisonKind.PAIRWISE if is_pair else ComparisonKind.BEST_WORST
            best = chosen["selection" if is_pair else "best"] or ""
            self.tool.compare(plan, kind, topic, systems, annotator, best, chosen["worst"] or "")


def _first(row: Row, *names: str) -> Any:
    """Return the value of the first of some keys that a row has."""
    return next((row[name] for name in names if name in row), None)


def _text(row: Row, *names: str) -> str:
    """Return the first text of some keys that is not empty."""
    return next((one for name in names if isinstance(one := row.get(name), str) and one), "")


def _system(value: Any, systems: Sequence[str]) -> str | None:
    """Return the system that a letter or name chooses, empty = a tie or nothing, None = unknown."""
    text = str(value).strip() if isinstance(value, str | int) else ""
    if not text or text.lower() in _TIES:
        return ""
    if text in systems:
        return text
    place = ord(text.upper()) - ord("A") if len(text) == 1 else -1
    return systems[place] if 0 <= place < len(systems) else None


def _is_off(value: Any) -> bool:
    return value is None or value is False or value == "" or str(value).lower() == "false"


def _is_on(value: Any) -> bool:
    return value is True or str(value).lower() in ("true", "on")


def _number_of(label: str, value: Any) -> float | None:
    """Return the number of an answer such as 3, scale_3 or a slider's value."""
    number = parse_number(value)
    if number is not None:
        return number if abs(number) < 10**12 else None
    named = _SCALE_KEY.fullmatch(label)
    return parse_number(named["value"]) if named is not None and _is_on(value) else None


def _kind_of(label: str, value: Any) -> ScaleKind:
    """Return the kind of a scale that the study does not have."""
    if _number_of(label, value) is not None and (label in _NO_CATEGORY or _SCALE_KEY.fullmatch(label)):
        return ScaleKind.NUMBER
    is_words = isinstance(value, str) and not _is_on(value) and label in ("text_box", "textbox", "text")
    return ScaleKind.TEXT if is_words else ScaleKind.CATEGORIES


def _recognises(path: Path) -> bool:
    return is_folder(path) or _has_instances(path)


_has_instances = by_names(is_header, (*TABLES, *JSONL))
FORMAT = Format(
    "potato",
    "Potato (JSONL, CSV, TSV, folder)",
    "Annotated instances with labels and spans, in one file or in a folder per annotator.",
    read,
    _recognises,
    (*JSONL, *TABLES),
    takes_folders=True,
    asks_annotator=True,
)
RATINGS = Export(
    "ratings",
    "potato",
    "",
    "A folder for Potato: the summaries, a configuration with a scheme per scale, and the ratings.",
    fill=write_ratings,
)
PREFERENCES = Export(
    "preferences",
    "potato",
    "",
    "A folder for Potato: the comparisons, a configuration, and the answers.",
    fill=write_comparisons,
)
