"""Readers of published human ratings: FRANK, QAGS, DialSummEval and Newsroom.

Each is read as its authors distribute it, and the values are stored on the scales of the paper.
"""

from __future__ import annotations

import html
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

from core.domain.import_batch import ImportContent, NewRating, NewText, ScaleTexts
from core.domain.ratings import ScaleKind
from core.domain.scale_templates import find_template
from core.domain.study import Span, SystemKind, join_sentences
from core.errors import InputError, Problem
from core.files.paths import access_errors, printable_path
from core.progress import JobSteps, Progress
from storage.formats.format_types import Format, without_study
from storage.formats.readers.draft import ImportDraft
from storage.formats.readers.fields import (
    Problems,
    Row,
    is_clean,
    json_rows,
    lines_to_skip,
    list_field,
    name_field,
    new_text,
    number_field,
    text_field,
)
from storage.formats.readers.recognition import by_names
from storage.formats.readers.tables.csv_records import JSONL
from storage.formats.readers.tables.table_cells import SUFFIXES as TABLES
from storage.formats.readers.tables.table_cells import records_of

_DOCUMENT, _REFERENCE = "article", "reference"
_UNIT = (0.0, 1.0)
_FIVE = (1.0, 5.0)


def _draft(path: Path, options: Mapping[str, str]) -> ImportDraft:
    return ImportDraft(printable_path(path.name), Problems(path.name, skipped=lines_to_skip(options)))


def _with_notices(incoming: ImportContent, path: Path, *sentences: tuple[str, str]) -> ImportContent:
    notices = (Problem(printable_path(path.name), "", "", *sentence) for sentence in sentences)
    return replace(incoming, notices=(*incoming.notices, *notices))


def _add_scales(draft: ImportDraft, template: str, names: Sequence[str] = ()) -> None:
    """Add the scales of a template, all or the named ones."""
    for scale in find_template(template).scales:
        if not names or scale.name in names:
            texts = ScaleTexts(scale.question, scale.description, scale.anchors, scale.kind)
            draft.scale(scale.name, (scale.low, scale.high), texts)


# FRANK

FRANK_TEXTS = "benchmark_data.json"
FRANK_SENTENCES = "human_annotations_sentence.json"
FRANK_SUMMARIES = "human_annotations.json"
_FRANK_FILES = (FRANK_SENTENCES, FRANK_TEXTS, FRANK_SUMMARIES)
_ERRORS = "factual errors"
_FACTUALITY = "factuality"
_NO_ERROR = "NoE"
_CATEGORIES = {
    "RelE": 1, "EntE": 2, "CircE": 3, "CorefE": 4, "LinkE": 5, "OutE": 6, "GramE": 7, "OtherE": 8,
}  # fmt: skip
"""Number of each error of FRANK on the scale of the template ``frank``."""
_AUTHORS = "FRANK"
"""Annotator of the values that the authors computed from all annotators."""


def is_frank(path: Path) -> bool:
    """Return whether a file is one of FRANK's, or a folder contains one with annotations."""
    with access_errors(path):
        if path.is_dir():
            return any((path / name).is_file() for name in (FRANK_SENTENCES, FRANK_SUMMARIES))
    return path.name in _FRANK_FILES


def read_frank(path: Path, options: Mapping[str, str]) -> JobSteps[ImportContent]:
    """Read a file of FRANK (Pagnoni et al. 2021), or the folder of several.

    The errors of each annotator become marked spans: whole sentences. Raises BadImport with every problem.
    """
    draft = _draft(path, options)
    with access_errors(path):
        files = [path / name for name in _FRANK_FILES] if path.is_dir() else [path]
        files = [file for file in files if file.is_file()]
    if not files:
        raise InputError(
            f"{printable_path(path)} contains none of {', '.join(_FRANK_FILES)}. Choose FRANK's folder data."
        )
    names = {file.name for file in files}
    if names & {FRANK_SENTENCES}:
        _add_scales(draft, "frank")
    if names & {FRANK_SUMMARIES}:
        about = "Share of sentences without an error, by the majority of three annotators."
        draft.scale(_FACTUALITY, _UNIT, ScaleTexts("", about))
    moved: list[str] = []
    for file in files:
        draft.problems.file = file.name
        yield from json_rows(file, draft.problems, lambda row: _frank_row(row, draft, moved))
    incoming = draft.finish()
    notices = []
    if moved:
        notices.append(
            (
                f"The sentences of {len(moved):,} summaries are not parts of the summary ({moved[0]}…), "
                "which was imported as the list of its sentences.",
                "Nothing needs to be done; annotators saw these sentences.",
            )
        )
    if not incoming.topics:
        notices.append(
            (
                "The file contains no texts; ratings are imported for summaries that the study has.",
                f"Import the folder with {FRANK_TEXTS} or {FRANK_SENTENCES}.",
            )
        )
    return _with_notices(incoming, path, *notices)


def _frank_row(row: Row, draft: ImportDraft, moved: list[str]) -> None:
    problems = draft.problems
    topic, system = name_field(row, "hash", problems), name_field(row, "model_name", problems)
    if not topic or not system:
        return
    sentences = row.get("summary_sentences")
    spans: tuple[Span, ...] = ()
    if row.get("summary") is not None and (summary := new_text(row["summary"], "summary", problems)):
        known = draft.topics[topic].summaries.get(system) if topic in draft.topics else None
        if isinstance(sentences, list) and (split := new_text(sentences, "summary_sentences", problems)):
            places = _places(summary.content, sentences)
            if places is None:
                moved.append(f"{topic} {system}")
                summary = split
            else:
                summary = NewText(summary.content, places)
            spans = summary.sentence_spans or ()
        if known is None:  # the file of texts repeats those of the annotated sentences
            draft.summary(topic, system, summary)
    if row.get("article") is not None and (article := new_text(row["article"], "article", problems)):
        draft.document(topic, _DOCUMENT, article)
    if row.get("reference") is not None and (reference := new_text(row["reference"], "reference", problems)):
        draft.reference(topic, _REFERENCE, reference)
    if topic in draft.topics and isinstance(row.get("split"), str):
        draft.topics[topic].set = name_field(row, "split", problems)
    if "summary_sentences_annotations" in row:
        _frank_errors(row, topic, system, spans, draft)
    if "Factuality" in row:
        value = number_field(row, "Factuality", problems, low=0, high=1)
        if value is not None:
            rating = NewRating(topic, system, _FACTUALITY, _AUTHORS, value)
            draft.rating(rating, "authors", _UNIT)


def _places(summary: str, sentences: Sequence[str]) -> tuple[Span, ...] | None:
    """Return where each sentence is in a summary, in order; None if one is not there."""
    places, at = [], 0
    for sentence in sentences:
        start = summary.find(sentence, at)
        if start < 0:
            return None
        at = start + len(sentence)
        places.append((start, at))
    return tuple(places)


def _frank_errors(row: Row, topic: str, system: str, spans: Sequence[Span], draft: ImportDraft) -> None:
    """Add the marked spans of each annotator."""
    problems, field = draft.problems, "summary_sentences_annotations"
    marks: dict[str, list[tuple[int, int, int]]] = {}
    sentences = list_field(row, field, problems)
    if len(sentences) != len(spans):
        what = f"{len(sentences)} annotations of {len(spans)} sentences."
        problems.add(field, what, "Write one object for each of `summary_sentences`.")
        return
    for place, (span, of_people) in enumerate(zip(spans, sentences, strict=True)):
        if not isinstance(of_people, Mapping):
            problems.add(f"{field}[{place}]", "Not an object of annotators.", "Write annotators with errors.")
            continue
        for annotator, errors in of_people.items():
            own = marks.setdefault(annotator, [])
            for error in errors if isinstance(errors, list) else [errors]:
                if error == _NO_ERROR:
                    continue
                if not isinstance(error, str) or error not in _CATEGORIES:
                    what = f"{error!r:.60} is not an error of FRANK."
                    remedy = f"Use one of: {_NO_ERROR}, {', '.join(_CATEGORIES)}."
                    problems.add(f"{field}[{place}].{annotator}", what, remedy)
                    continue
                if span[0] < span[1]:
                    own.append((*span, _CATEGORIES[error]))
    for annotator, found in marks.items():
        unmarked = 1 - len({start for start, _, _ in found}) / max(len(spans), 1)
        marked = tuple(sorted(set(found)))
        rating = NewRating(
            topic, system, _ERRORS, annotator, unmarked, spans=marked, kind=ScaleKind.SPANS.value
        )
        draft.rating(rating, "crowd", _UNIT)


# QAGS

_CONSISTENCY = "factual consistency"
_MAJORITY = "majority"
_QAGS_SYSTEMS = {"cnndm": "bottom-up", "xsum": "bart"}
"""System by the data set in the name of the file, as the authors state."""


def is_qags(keys: set[str]) -> bool:
    """Return whether the keys of a row are those of QAGS."""
    return {"article", "summary_sentences"} <= keys and "hash" not in keys


def read_qags(path: Path, options: Mapping[str, str]) -> JobSteps[ImportContent]:
    """Read the annotations of QAGS (Wang et al. 2020): yes or no for each sentence.

    A worker's value is the share of sentences answered yes. That of the annotator ``majority`` is the share
    of sentences that most workers answered yes, which the paper uses.
    Raises BadImport with every problem.
    """
    draft = _draft(path, options)
    _add_scales(draft, "factual")
    stem = path.name.split(".")[0]
    data_set = next((name for name in _QAGS_SYSTEMS if name in stem.lower()), "")
    system = _QAGS_SYSTEMS.get(data_set, "system")
    number = 0

    def take(row: Row) -> None:
        nonlocal number
        number += 1
        _qags_row(row, f"{data_set or 'qags'}-{number:03}", system, draft)

    yield from json_rows(path, draft.problems, take)
    notice = (
        f"The file does not name the system, which was called {system}; topics are numbered by lines.",
        "The name follows from that of the file: bottom-up with cnndm in it, bart with xsum.",
    )
    return _with_notices(draft.finish(), path, notice)


def _qags_row(row: Row, topic: str, system: str, draft: ImportDraft) -> None:
    problems = draft.problems
    article = new_text(row.get("article"), "article", problems)
    sentences = list_field(row, "summary_sentences", problems)
    if article is None:
        return
    draft.document(topic, _DOCUMENT, article)
    texts: list[str] = []
    votes: dict[str, list[float]] = defaultdict(list)
    majorities: list[float] = []
    for place, sentence in enumerate(sentences):
        field = f"summary_sentences[{place}]"
        if not isinstance(sentence, Mapping):
            problems.add(field, "Not an object.", 'Write {"sentence": …, "responses": […]}.')
            continue
        texts.append(text_field(sentence, "sentence", problems))
        responses = list_field(sentence, "responses", problems)
        answers = [vote for one in responses if (vote := _qags_vote(one, field, problems)) is not None]
        for worker, answer in answers:
            votes[worker].append(answer)
        if answers:
            majorities.append(float(mean(answer for _, answer in answers) > 0.5))
    draft.summary(topic, system, NewText(*join_sentences(texts)))
    for worker, given in votes.items():
        if len(given) == len(sentences):
            draft.rating(NewRating(topic, system, _CONSISTENCY, worker, mean(given)), "crowd", _UNIT)
        else:
            what = f"{worker} answered {len(given)} of {len(sentences)} sentences."
            problems.add("summary_sentences", what, "Complete the responses, or remove them.")
    if majorities:
        draft.rating(NewRating(topic, system, _CONSISTENCY, _MAJORITY, mean(majorities)), _MAJORITY, _UNIT)


def _qags_vote(response: Any, field: str, problems: Problems) -> tuple[str, float] | None:
    """Return the worker and 1 for yes, 0 for no."""
    remedy = 'Write {"worker_id": 0, "response": "yes"}, or "no".'
    if not isinstance(response, Mapping) or response.get("response") not in ("yes", "no"):
        problems.add(f"{field}.responses", "Not an answer of a worker.", remedy)
        return None
    worker = text_field(response, "worker_id", problems)
    return (f"worker-{worker}", float(response["response"] == "yes")) if worker else None


# DialSummEval

_DIALOGUE_SYSTEMS = {
    "A": "gold", "B": "longest-3", "C": "lead-3", "D": "pgn", "E": "transformer", "F": "bart", "G": "pegasus",
    "H": "unilm", "I": "cods", "J": "convosumm", "K": "mv-bart", "L": "plm", "M": "pnep", "N": "s-bart",
}  # fmt: skip
"""Names of the systems behind their letters, from the authors' analysis script."""
_GOLD = "A"


def is_dialsummeval(keys: set[str]) -> bool:
    """Return whether the keys of a row are those of DialSummEval."""
    return {"dialogue", "summary", "annotations", "model_id"} <= keys


def read_dialsummeval(path: Path, options: Mapping[str, str]) -> JobSteps[ImportContent]:
    """Read the judgements of DialSummEval (Gao & Wan 2022). Raises BadImport with every problem."""
    draft = _draft(path, options)
    _add_scales(draft, "dialsummeval")
    yield from json_rows(path, draft.problems, lambda row: _dialogue_row(row, draft))
    notice = (
        f"System {_GOLD} is SAMSum's reference: it was imported as the reference and, since it was rated "
        "too, as the human system gold.",
        "Nothing needs to be done.",
    )
    incoming = draft.finish()
    return _with_notices(incoming, path, notice) if "gold" in incoming.systems else incoming


def _dialogue_row(row: Row, draft: ImportDraft) -> None:
    problems = draft.problems
    topic, model = name_field(row, "id", problems), name_field(row, "model_id", problems)
    summary = new_text(row.get("summary"), "summary", problems)
    dialogue = new_text(row.get("dialogue"), "dialogue", problems)
    if not topic or not model or summary is None or dialogue is None:
        return
    system = _DIALOGUE_SYSTEMS.get(model, model)
    turns = [turn.strip() for turn in dialogue.content.split("|") if turn.strip()]
    draft.document(topic, "dialogue", NewText("\n".join(turns)))
    draft.summary(topic, system, summary, SystemKind.HUMAN if model == _GOLD else SystemKind.AUTOMATIC)
    if model == _GOLD:
        draft.reference(topic, "gold", summary)
    for place, annotation in enumerate(list_field(row, "annotations", problems), 1):
        if not isinstance(annotation, Mapping):
            problems.add(f"annotations[{place - 1}]", "Not an object.", 'Write {"coherence": 1-5, …}.')
            continue
        for dimension in ("consistency", "coherence", "fluency", "relevance"):
            here = f"annotations[{place - 1}].{dimension}"
            value = number_field(annotation, dimension, problems, low=1, high=5, place=here)
            if value is not None:
                draft.rating(NewRating(topic, system, dimension, f"annotator-{place}", value), "", _FIVE)


# Newsroom

_NEWSROOM = {
    "articleid": "topic",
    "articletitle": "title",
    "articletext": "article",
    "system": "system",
    "systemsummary": "summary",
    "referencesummary": "reference",
    "coherencerating": "coherence",
    "fluencyrating": "fluency",
    "informativenessrating": "informativeness",
    "relevancerating": "relevance",
}
"""Field by heading without case, spaces and underscores."""
_NEWSROOM_DIMENSIONS = ("coherence", "fluency", "informativeness", "relevance")
_REQUIRED = {"topic", "system", "summary", *_NEWSROOM_DIMENSIONS}


def _newsroom_field(heading: str) -> str:
    return _NEWSROOM.get(re.sub(r"[\s_-]", "", heading).lower(), "")


def is_newsroom(headings: set[str]) -> bool:
    """Return whether the headings of a table are those of Newsroom's human evaluation."""
    return {_newsroom_field(one) for one in headings} >= _REQUIRED


def read_newsroom(path: Path, options: Mapping[str, str]) -> JobSteps[ImportContent]:
    """Read the human evaluation of Newsroom (Grusky et al. 2018): one rating of four dimensions per row.

    The raters of a summary have no names; they are numbered in the order of their rows.
    Raises BadImport with every problem.
    """
    draft = _draft(path, options)
    _add_scales(draft, "newsroom-2018")
    seen: Counter[tuple[str, str]] = Counter()

    def check(headings: Sequence[str]) -> None:
        fields = Counter(map(_newsroom_field, headings))
        for name in sorted(_REQUIRED - fields.keys()):
            draft.problems.add(
                name, "The column is missing.", "Choose Newsroom's file newsroom-human-eval.csv."
            )
        for name in sorted(name for name, many in fields.items() if many > 1 and name):
            draft.problems.add(name, "Two columns have this content.", "Remove one of them.")

    names: dict[str, str] = {}
    for number, header, cells in records_of(path, draft.problems, options, check=check, is_exact=True):
        names = names or {field: name for name in header if (field := _newsroom_field(name))}
        _newsroom_row(cells.selected(names), draft, seen)
        if number % 100 == 0:
            yield Progress(0, 0, f"reading {printable_path(path.name)}, line {number}")
    notice = (
        "Texts were freed from HTML: paragraphs are lines. Raters are numbered per summary, since the file "
        "has no names; rater-1 of two summaries may be different people.",
        "Do not interpret agreement of single raters.",
    )
    return _with_notices(draft.finish(), path, notice)


def _newsroom_row(row: Row, draft: ImportDraft, seen: Counter[tuple[str, str]]) -> None:
    problems = draft.problems
    topic, system = name_field(row, "topic", problems), name_field(row, "system", problems)
    summary = text_field(row, "summary", problems, required=False)
    if not topic or not system:
        return
    draft.summary(topic, system, NewText(_plain(summary)))
    if row.get("article") and is_clean(row["article"], "article", problems):
        draft.document(topic, _DOCUMENT, NewText(_plain(row["article"])))
    if row.get("reference") and is_clean(row["reference"], "reference", problems):
        draft.reference(topic, _REFERENCE, NewText(_plain(row["reference"])))
    if row.get("title") and is_clean(row["title"], "title", problems):
        draft.topic(topic).title = " ".join(_plain(row["title"]).split())
    seen[topic, system] += 1
    rater = f"rater-{seen[topic, system]}"
    for dimension in _NEWSROOM_DIMENSIONS:
        value = number_field(row, dimension, problems, low=1, high=5)
        if value is not None:
            draft.rating(NewRating(topic, system, dimension, rater, value), "crowd", _FIVE)


_TAG = re.compile(r"</?(?:p|br|div)\s*/?>", re.IGNORECASE)


def _plain(text: str) -> str:
    """Return a text without HTML, with a line per paragraph."""
    lines = (" ".join(html.unescape(part).split()) for part in _TAG.split(text))
    return "\n".join(filter(None, lines))


FRANK = Format(
    "frank",
    "FRANK (JSON)",
    "Summaries with the factual errors of each sentence, by three annotators: a file, or its folder.",
    without_study(read_frank),
    is_frank,
    (".json",),
    takes_folders=True,
)
QAGS = Format(
    "qags",
    "QAGS (JSONL)",
    "Summaries with yes or no for the consistency of each sentence, by three workers.",
    without_study(read_qags),
    by_names(is_qags, JSONL),
    JSONL,
    has_rows=True,
)
DIALSUMMEVAL = Format(
    "dialsummeval",
    "DialSummEval (JSONL)",
    "Summaries of dialogues with four ratings by three annotators.",
    without_study(read_dialsummeval),
    by_names(is_dialsummeval, JSONL),
    JSONL,
    has_rows=True,
)
NEWSROOM = Format(
    "newsroom",
    "Newsroom ratings (CSV)",
    "Summaries of articles with four ratings by three workers each.",
    without_study(read_newsroom),
    by_names(is_newsroom, TABLES),
    TABLES,
    has_rows=True,
    is_table=True,
)
