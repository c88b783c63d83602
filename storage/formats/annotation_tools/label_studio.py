"""Label Studio: tasks (JSON) with annotations, and the labelling configuration (XML).

Offsets in texts count code points (versions before 1.4 counted UTF-16 units; the words of a region show it).
Annotators are users of Label Studio, so exported annotations carry their name in ``meta`` of each result.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from core.domain.import_batch import ImportContent
from core.domain.preferences import ComparisonKind
from core.domain.ratings import Dimension, ScaleKind
from core.errors import InputError
from core.ports import Study
from core.progress import JobSteps
from storage.formats.annotation_tools.study_marks import (
    Answer,
    ComparedSummaries,
    RatedSummary,
    TextKey,
    TextKind,
    compared_summaries,
    rated_summaries,
    scales_of,
    star_scales,
)
from storage.formats.annotation_tools.tool_folders import write_files
from storage.formats.annotation_tools.tool_import import ToolImport, answer_of, named_key
from storage.formats.ducview import xml
from storage.formats.format_types import Export, Format, Options
from storage.formats.offsets import OffsetUnit
from storage.formats.readers.fields import Problems, Row, json_rows, opened
from storage.formats.readers.recognition import by_names
from storage.formats.readers.usage import Record, current

ANNOTATOR = "label-studio"
PLAN = "Label Studio"
TASKS, CONFIG = "tasks.json", "labeling-config.xml"
_SUMMARY, _SOURCE, _LEFT, _RIGHT, _PAIR, _TIE = "summary", "source", "text1", "text2", "preference", "tie"
_PAIR_KEYS = (("system_a", "system_b"), ("model_a", "model_b"), ("system1", "system2"), ("model1", "model2"))
_PAIR_TEXTS = (("text1", "text2"), ("text_a", "text_b"), ("left", "right"), ("a", "b"))
_PAIR_CONFIG = f"""\
<View>
<Header value={{}}/>
<Text name="{_SOURCE}" value="$source"/>
<Pairwise name="{_PAIR}" toName="{_LEFT},{_RIGHT}"/>
<Text name="{_LEFT}" value="$text1"/>
<Text name="{_RIGHT}" value="$text2"/>
<Choices name="{_TIE}" toName="{_LEFT}" choice="multiple">
  <Choice value="{_TIE}"/>
</Choices>
</View>
"""
_NAME = re.compile(r"[A-Za-z0-9_-]{1,60}")
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONGEST_CONFIG = 2**16
_KEEPS, _AS_JSON = "They are kept in Label Studio only.", "Export as JSON."
_CONTROLS = {
    "Rating": ScaleKind.NUMBER,
    "Number": ScaleKind.NUMBER,
    "TextArea": ScaleKind.TEXT,
    "Labels": ScaleKind.SPANS,
    "Choices": ScaleKind.CATEGORIES,
}
_OPTIONS = ("Label", "Choice")
_REGIONS = ("labels", "hypertextlabels")
_READ = (*_REGIONS, "rating", "number", "choices", "textarea", "pairwise")
"""Types of results that are read."""
_OF_TOOL = (
    "data.source",
    "annotations.ground_truth",
    *(f"*.result.{n}" for n in ("id", "to_name", "origin")),
)
"""Keys that every task has and that hold nothing to import."""


def is_header(names: set[str]) -> bool:
    """Return whether keys are those of a task."""
    return "data" in names and bool({"annotations", "completions", "predictions"} & names)


def write_ratings(study: Study, folder: Path) -> JobSteps[int]:
    """Write a task per summary with its ratings, and the configuration, into a folder.

    Raises InputError if the study has no scale, or writing fails.
    """
    scales = scales_of(study)
    names, stars = _control_names(scales), star_scales(study)
    config = _rating_config(scales, names, stars)
    tasks = (_rating_task(summary, names, stars) for summary in rated_summaries(study))
    return (yield from _write(folder, tasks, config))


def write_comparisons(study: Study, folder: Path) -> JobSteps[int]:
    """Write a task per comparison of pairs with its answers, and the configuration, into a folder.

    Raises InputError if the study has no comparison of pairs, or writing fails.
    """
    pairs = [one for one in compared_summaries(study) if one.kind is ComparisonKind.PAIRWISE]
    if not pairs:
        raise InputError("The study has no plan of pairs. Draw one on the page Compare summaries first.")
    question = next((one.question for one in pairs if one.question), "Which summary is better?")
    return (yield from _write(folder, map(_pair_task, pairs), _PAIR_CONFIG.format(_quoted(question))))


def _write(folder: Path, tasks: Iterator[Mapping[str, Any]], config: str) -> JobSteps[int]:
    lines = (f"{',' * (n > 0)}\n{json.dumps(one, ensure_ascii=False)}" for n, one in enumerate(tasks))
    yield from write_files(folder, [(TASKS, chain(["["], lines, ["\n]\n"])), (CONFIG, [config])])
    return 2


def _control_names(scales: Sequence[Dimension]) -> dict[str, str]:
    """Return the name of each scale's control: its own if it is simple."""
    taken = {_SUMMARY, _SOURCE}
    simple = {scale.name for scale in scales if _NAME.fullmatch(scale.name) and scale.name not in taken}
    found: dict[str, str] = {}
    for number, scale in enumerate(scales, 1):
        name = scale.name if scale.name in simple else f"scale-{number}"
        while name != scale.name and name in simple:
            name += "_"
        found[scale.name] = name
    return found


def _rating_config(scales: Sequence[Dimension], names: Mapping[str, str], stars: Container[str]) -> str:
    lines = ["<View>", _tag("Header", value="Source"), _tag("Text", name=_SOURCE, value="$source")]
    lines += [_tag("Header", value="Summary"), _tag("Text", name=_SUMMARY, value="$text")]
    for scale in scales:
        lines.append(_tag("Header", value=scale.question or scale.name))
        about = {"name": names[scale.name], "toName": _SUMMARY}
        lines += _control(scale, about, has_stars=scale.name in stars)
    return "\n".join((*lines, "</View>", ""))


def _control(scale: Dimension, about: Mapping[str, str], *, has_stars: bool) -> list[str]:
    if has_stars:
        return [_tag("Rating", **about, maxRating=f"{scale.high:g}")]
    if scale.kind is ScaleKind.NUMBER:
        return [_tag("Number", **about, min=f"{scale.low:g}", max=f"{scale.high:g}", step="0.01")]
    if scale.kind is ScaleKind.TEXT:
        return [_tag("TextArea", **about, rows="3", maxSubmissions="1")]
    outer, inner = ("Labels", "Label") if scale.kind is ScaleKind.SPANS else ("Choices", "Choice")
    more = {} if scale.kind is ScaleKind.SPANS else {"choice": "single"}
    options = [f"  {_tag(inner, value=text)}" for _, text in scale.anchors]
    return [_tag(outer, **about, **more).replace("/>", ">"), *options, f"</{outer}>"]


def _tag(kind: str, /, **attributes: str) -> str:
    return f"<{kind}{''.join(f' {name}={_quoted(value)}' for name, value in attributes.items())}/>"


def _quoted(text: str) -> str:
    return quoteattr(_UNWRITABLE.sub("�", text))


def _rating_task(summary: RatedSummary, names: Mapping[str, str], stars: Container[str]) -> dict[str, Any]:
    renamed = {name: scale for scale, name in names.items() if name != scale}
    data: dict[str, Any] = {**summary.key.names, "text": summary.text.content, "source": summary.source}
    if renamed:
        data["scales"] = renamed
    remarks, annotations = {}, []
    for annotator, answers in summary.ratings.items():
        results: list[dict[str, Any]] = []
        if given := [list(one.remark) for one in answers if one.needs_remark]:
            remarks[annotator] = given
        for one in answers:
            for kind, value in _values(one, summary.text.content, has_stars=one.scale in stars):
                result = {"id": f"r{len(results) + 1}", "from_name": names[one.scale], "to_name": _SUMMARY}
                meta = {"annotator": annotator}
                results.append({**result, "type": kind, "value": value, "meta": meta, "origin": "manual"})
        if results:
            annotations.append(_annotation(results))
    if remarks:
        data["notes"] = remarks
    return {"data": data, "annotations": annotations}


def _annotation(results: list[dict[str, Any]]) -> dict[str, Any]:
    return {"result": results, "was_cancelled": False, "ground_truth": False}


def _values(answer: Answer, content: str, *, has_stars: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the type and the value of each result of a rating."""
    if not answer.is_rated:
        return
    for start, end, category in answer.spans:
        words = content[start:end].replace("\r", "\\n").replace("\n", "\\n")
        yield "labels", {"start": start, "end": end, "text": words, "labels": [category]}
    if answer.kind is ScaleKind.TEXT:
        yield "textarea", {"text": [answer.note]}
    elif answer.kind is ScaleKind.CATEGORIES:
        yield "choices", {"choices": [answer.category]}
    elif answer.value is not None:
        whole = int(answer.value) if answer.value % 1 == 0 else answer.value
        kind = "rating" if has_stars else "number"
        yield kind, {kind: whole}


def _pair_task(pair: ComparedSummaries) -> dict[str, Any]:
    data = {"plan": pair.plan, "topic": pair.topic, "systems": list(pair.systems), "source": pair.source}
    annotations = []
    for annotator, best, _ in pair.answers:
        result = {"id": "r1", "meta": {"annotator": annotator}, "origin": "manual", "to_name": _LEFT}
        if best:
            selected = "left" if best == pair.systems[0] else "right"
            result |= {"from_name": _PAIR, "type": "pairwise", "value": {"selected": selected}}
        else:
            result |= {"from_name": _TIE, "type": "choices", "value": {"choices": [_TIE]}}
        annotations.append(_annotation([result]))
    data |= dict(zip((_LEFT, _RIGHT), pair.texts, strict=True))
    return {"data": data, "annotations": annotations}


def read(path: Path, options: Options, study: Study | None = None) -> JobSteps[ImportContent]:
    """Read exported tasks. Raises BadImport with every problem.

    options: ``annotator`` of annotations that name no user.
    """
    tool = ToolImport(path, study, options, ANNOTATOR, alternative=OffsetUnit.UTF16)
    current().expected += _OF_TOOL
    count = 0

    def read_task(task: Row) -> None:
        nonlocal count
        count, data = count + 1, task.get("data")
        tool.problems.place = f"task {count}"
        if not isinstance(data, Mapping):
            tool.problems.add("data", "A task has no object `data`.", "Export as JSON, not as JSON-MIN.")
            return
        if count == 1:
            _read_config(path.with_name(CONFIG), tool, data.get("scales"))
        _Task(tool, task, count).read()

    yield from json_rows(path, tool.problems, read_task)
    return tool.finish()


def _read_config(path: Path, tool: ToolImport, names: object) -> None:
    """Add the scales of a labelling configuration next to the tasks, if there is one.

    names: of scales by control, where they differ.
    """
    if not path.is_file():
        return
    renamed, place = names if isinstance(names, Mapping) else {}, tool.problems.place
    with opened(path) as file:
        root = xml.parse(file.read(_LONGEST_CONFIG), Problems(path.name), "Label Studio").root
    pending = [root]
    while pending:
        node = pending.pop()
        pending += reversed(node.elements)
        about, kind = node.attributes, _CONTROLS.get(node.tag)
        if kind is not None and "toName" in about and about.get("name", _TIE) != _TIE:
            limits = (
                (1, about.get("maxRating", 5))
                if node.tag == "Rating"
                else (about.get("min"), about.get("max"))
            )
            options = [one.attributes.get("value", "") for one in node.elements if one.tag in _OPTIONS]
            tool.describe(str(renamed.get(about["name"], about["name"])), kind, limits, options)
    tool.problems.place = place


class _Task:
    """Reads one task."""

    def __init__(self, tool: ToolImport, task: Mapping[str, Any], number: int) -> None:
        self._tool, self._task, self._number = tool, task, number
        self._data: Record = task["data"]
        self._remarks: dict[str, dict[str, tuple[str, bool]]] = {}

    def read(self) -> None:
        """Add the annotations of the task."""
        given = self._task.get("annotations", self._task.get("completions")) or []
        if not isinstance(given, list):
            self._tool.problems.add("annotations", "The annotations are not a list.", _AS_JSON)
            return
        predictions = self._task.get("predictions")
        if isinstance(predictions, list) and predictions:
            self._tool.leave_out("predictions of models", _KEEPS, len(predictions))
        notes = self._data.get("notes")
        for annotator, one in notes.items() if isinstance(notes, Mapping) else ():
            self._remarks[annotator] = self._tool.remarks(self._summary if one else None, annotator, one)
        for place, annotation in enumerate(given, 1):
            self._tool.problems.place = f"task {self._number}, annotation {place}"
            if not isinstance(annotation, Mapping) or not isinstance(annotation.get("result"), list):
                self._tool.problems.add("result", "An annotation has no list `result`.", _AS_JSON)
            elif annotation.get("was_cancelled") is True:
                self._tool.leave_out("skipped annotations", "They have no answer.")
            else:
                self._annotation(annotation)

    def _annotation(self, annotation: Mapping[str, Any]) -> None:
        results = [one for one in annotation["result"] if isinstance(one, Mapping)]
        if len(results) < len(annotation["result"]):
            self._tool.problems.add("result", "A result is not an object.", _AS_JSON)
        annotator, names = self._annotator(annotation, results), self._data.get("scales")
        place = self._tool.problems.place
        for number, result in enumerate(results, 1):
            self._tool.problems.place = f"{place}, result {number}"
            kind, scale = str(result.get("type")), str(result.get("from_name") or "")
            scale = str(names.get(scale, scale)) if isinstance(names, Mapping) else scale
            value = result.get("value")
            if kind not in _READ:
                self._tool.leave_out(f"results of the type {kind[:40]}", _KEEPS)
            elif not isinstance(value, Mapping):
                self._tool.problems.add("value", "A result has no object `value`.", _AS_JSON)
            elif "start" in value and kind not in _REGIONS:
                self._tool.leave_out("answers about single regions", _KEEPS)
            elif kind == "pairwise":
                self._pairwise(annotator, value.get("selected"))
            else:
                answer = self._labels if kind in _REGIONS else self._answer
                answer(annotator, scale, value, kind)
        self._tool.problems.place = place

    def _annotator(self, annotation: Mapping[str, Any], results: Sequence[Mapping[str, Any]]) -> str:
        metas = (meta for one in results if isinstance(meta := one.get("meta"), Mapping))
        user: Any = next(
            (meta["annotator"] for meta in metas if isinstance(meta.get("annotator"), str)), None
        )
        if user is not None:
            return str(user)
        user = annotation.get("completed_by")
        if isinstance(user, Mapping):
            user = next((one for name in ("email", "username", "id") if (one := user.get(name))), None)
        if isinstance(user, str) and user:
            return user
        return self._tool.annotator(f"user {user}" if type(user) is int else "")

    @cached_property
    def _summary(self) -> TextKey | None:
        """The text that the task is about; None and a problem, once, if it is not certain."""
        text, key = self._data.get("text"), named_key(self._data, "topic", "", "system")
        if key is None or not isinstance(text, str):
            given = {name: value for name, value in dict.items(self._data) if isinstance(value, str)}
            found = {key: name for name, value in given.items() for key in self._tool.equal_texts(value)}
            summaries = [key for key in found if key.kind is TextKind.SUMMARY]
            if len(summaries) != 1:
                count = "more than one summary" if summaries else "no summary"
                what = f"The texts of the task equal {count} of the study."
                remedy = "Add topic and system to `data`, or import the texts first."
                self._tool.problems.add("data", what, remedy)
                return None
            key, text = summaries[0], self._data[found[summaries[0]]]
        return key if self._tool.text(key, text) is not None else None

    def _labels(self, annotator: str, scale: str, value: Mapping[str, Any], kind: str) -> None:
        """Add a region with its labels."""
        key, labels = self._summary, value.get(kind, value.get("labels"))
        if key is None:
            return
        if not isinstance(labels, list) or not labels:
            self._tool.leave_out("regions without a label", "Label them in Label Studio.")
            return
        start, end, words = (value.get(name) for name in ("start", "end", "text"))
        if isinstance(start, str):  # a place in HTML
            offsets = value.get("globalOffsets")
            if not isinstance(offsets, Mapping) or not isinstance(words, str):
                self._tool.leave_out("regions of HTML without the offsets of the text", _KEEPS)
                return
            start, end = offsets.get("start"), offsets.get("end")
        span = self._tool.span(key, start, end, words if isinstance(words, str) else "")
        if span is not None:
            spans = tuple((*span, str(label)) for label in labels)
            self._tool.rate(key, annotator, Answer(scale, ScaleKind.SPANS, spans=spans))

    def _answer(self, annotator: str, scale: str, value: Mapping[str, Any], kind: str) -> None:
        """Add a number, a text or a choice."""
        note, is_flagged = self._remarks.get(annotator, {}).get(scale, ("", False))
        content = value.get("text" if kind == "textarea" else kind)
        pieces = [content] if kind == "textarea" and isinstance(content, str) else content
        answer = None
        if kind in ("rating", "number"):
            if isinstance(content, bool) or not isinstance(content, int | float) or not _is_finite(content):
                what = f"“{str(content)[:40]}” is not a number."
                self._tool.problems.add(kind, what, "Correct it.")
            else:
                answer = Answer(scale, ScaleKind.NUMBER, float(content), "", (), note, is_flagged)
        elif not isinstance(pieces, list) or not all(isinstance(one, str) for one in pieces):
            self._tool.problems.add(kind, "The answer is not a list of texts.", _AS_JSON)
        elif kind == "textarea":
            if any(pieces):
                answer = answer_of(scale, ScaleKind.TEXT, "\n".join(pieces), "", is_flagged)
        elif len(pieces) != 1:
            self._tool.leave_out("answers with several choices", "A scale has one category per summary.")
        elif scale == _TIE and pieces == [_TIE] and self._pair is not None:
            self._prefer(annotator, "")
        else:
            answer = answer_of(scale, ScaleKind.CATEGORIES, pieces[0], note, is_flagged)
        if answer is not None and self._summary is not None:
            self._tool.rate(self._summary, annotator, answer)

    @cached_property
    def _pair(self) -> tuple[str, str, str] | None:
        """Topic and both systems, None = the task does not name them."""
        data = self._data
        topic, systems = data.get("topic"), data.get("systems")
        for names in _PAIR_KEYS:
            if systems is None and all(name in data for name in names):
                systems = [data[name] for name in names]
        if isinstance(systems, list) and len(systems) == 2:
            left, right = systems
            is_named = all(isinstance(one, str) for one in (topic, left, right))
            return (topic, left, right) if is_named else None
        for names in _PAIR_TEXTS if systems is None else ():
            texts = [data.get(name) for name in names]
            keys = [self._tool.equal_texts(text) if isinstance(text, str) else [] for text in texts]
            if all(len(found) == 1 for found in keys):
                (one,), (other,) = keys
                if one.topic == other.topic and one.kind is other.kind is TextKind.SUMMARY:
                    return one.topic, one.name, other.name
        return None

    def _pairwise(self, annotator: str, selected: object) -> None:
        if self._pair is None:
            what = "The task does not say which summaries are compared."
            remedy = "Add `topic` and `systems` (a list of two) to `data`."
            self._tool.problems.add("data", what, remedy)
        elif selected not in ("left", "right"):
            what = f"“{str(selected)[:40]}” is neither left nor right."
            self._tool.problems.add("selected", what, "Correct it.")
        else:
            self._prefer(annotator, self._pair[1 if selected == "left" else 2])

    def _prefer(self, annotator: str, best: str) -> None:
        plan = self._data.get("plan")
        plan = plan if isinstance(plan, str) and plan else PLAN
        if self._pair is not None:
            topic, *systems = self._pair
            self._tool.compare(plan, ComparisonKind.PAIRWISE, topic, systems, annotator, best)


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


FORMAT = Format(
    "label-studio",
    "Label Studio (JSON)",
    "Exported tasks with ratings, choices, labelled spans and pairwise answers.",
    read,
    by_names(is_header, (".json",)),
    (".json",),
    asks_annotator=True,
)
RATINGS = Export(
    "ratings",
    "label-studio",
    "",
    "A folder for Label Studio: a task per summary with its ratings, and the labelling configuration.",
    fill=write_ratings,
)
PREFERENCES = Export(
    "preferences",
    "label-studio",
    "",
    "A folder for Label Studio: a task per compared pair with its answers, and the configuration.",
    fill=write_comparisons,
)
