"""Export formats of the program."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from core.domain.annotation_pack import SUFFIX
from core.domain.ratings import Dimension, RatingNote, ScaleKind
from core.domain.study import Text, TopicTexts
from core.models.encoders.precomputed_vectors import text_hash
from core.ports import Study
from core.report.pyramid_sheet import write_sheets
from core.report.rouge155_output import rouge_lines
from storage.formats.annotation_tools import brat, doccano, inception, label_studio, potato
from storage.formats.ducview import writer as ducview
from storage.formats.format_types import Export
from storage.formats.readers import rouge_settings
from storage.formats.readers.tables.study_tables import NO_SENTENCES
from storage.formats.writers import citations, edit_history, lite2pyramid, mt_metrics_eval, nuggets, rose
from storage.formats.writers.score_records import (
    Record,
    humans_of,
    judgements_of,
    key_of,
    kinds_of,
    long_records,
    nested_records,
    numbers_of,
    rating_records,
    scores_of,
    wide_records,
    with_cautions,
)


def _texts_nested(study: Study) -> Iterator[Record]:
    kinds = kinds_of(study)
    for topic in study.texts.load():
        shared = {
            "documents": [{"filename": d.name, "text": _content(d)} for d in topic.documents],
            "references": [{"summarizer_id": r.name, "text": _content(r)} for r in topic.references],
        }
        for summary in topic.summaries:
            key = key_of(topic.name, summary.name, kinds)
            yield {**key, "summary": {"text": _content(summary)}, **shared}


def _content(text: Text) -> str | list[str]:
    """Return a list of sentences if joining them restores the text, else a string."""
    sentences = text.stored_sentences()
    if sentences is not None and "\n".join(sentences) == text.content:
        return list(sentences)
    return text.content


def _texts_flat(study: Study) -> Iterator[Record]:
    kinds = {system.name: system.kind.value for system in study.texts.systems()}
    for topic in study.texts.load():
        if topic.title or topic.query or topic.set:
            yield {"topic": topic.name, "title": topic.title, "query": topic.query, "set": topic.set}
        for column, texts in _owned(topic).items():
            for text in texts:
                row = {
                    "topic": topic.name,
                    column: text.name,
                    "text": text.content,
                    "sentences": _spans(text),
                }
                yield row if column != "system" else {**row, "kind": kinds[text.name]}


def _spans(text: Text) -> str:
    if text.sentence_spans is None:
        return ""
    return " ".join(f"{start}-{end}" for start, end in text.sentence_spans) or NO_SENTENCES


def _owned(topic: TopicTexts) -> dict[str, tuple[Text, ...]]:
    return {"document": topic.documents, "author": topic.references, "system": topic.summaries}


def _texts_hashed(study: Study) -> Iterator[Record]:
    """Yield each distinct text once; blank texts need no vector."""
    seen: set[str] = set()
    for topic in study.texts.load():
        for text in (*topic.documents, *topic.references, *topic.summaries):
            key = text_hash(text)
            if text.content.strip() and key not in seen:
                seen.add(key)
                yield {"sha256": key, "text": text.content}


def _ratings(study: Study) -> Iterator[Record]:
    notes = {(n.topic, n.system, n.dimension, n.annotator): n for n in study.ratings.notes()}
    for dimension in study.ratings.dimensions():
        cube = study.ratings.cube(dimension.name)
        for a, s, t in np.argwhere(np.isfinite(cube.values)).tolist():
            names = cube.topics[t], cube.systems[s], cube.dimension, cube.annotators[a]
            note = notes.pop(names, None)
            yield _rating_record(dimension, names, cube.groups[a], float(cube.values[a, s, t]), note)
    groups = {person.name: person.group for person in study.annotators.all()}
    scales = {dimension.name: dimension for dimension in study.ratings.dimensions()}
    for names, note in notes.items():  # without a value
        yield _rating_record(scales[note.dimension], names, groups[note.annotator], None, note)


def _rating_record(
    dimension: Dimension,
    names: tuple[str, str, str, str],
    group: str,
    value: float | None,
    note: RatingNote | None,
) -> Record:
    record: dict[str, Any] = dict(zip(("topic", "system", "dimension", "annotator"), names, strict=True))
    record |= {"group": group, "value": "" if value is None else value}
    record |= {"low": dimension.low, "high": dimension.high}
    record["kind"] = "" if dimension.kind is ScaleKind.NUMBER else dimension.kind.value
    if dimension.kind is ScaleKind.CATEGORIES and value is not None:
        record["category"] = dimension.meaning(value)
    if note is not None:
        spans = " ".join(f"{start}-{end}:{category}" for start, end, category in note.spans)
        record |= {"note": note.note, "flagged": "yes" if note.is_flagged else "", "spans": spans}
    return record


def _marked_spans(study: Study) -> Iterator[Record]:
    """Yield each marked span with its text."""
    contents = {
        (topic.name, text.name): text.content for topic in study.texts.load() for text in topic.summaries
    }
    scales = {dimension.name: dimension for dimension in study.ratings.dimensions()}
    for note in study.ratings.notes():
        categories = dict(scales[note.dimension].anchors)
        for start, end, category in note.spans:
            yield {
                "topic": note.topic,
                "system": note.system,
                "dimension": note.dimension,
                "annotator": note.annotator,
                "start": start,
                "end": end,
                "text": contents[note.topic, note.system][start:end],
                "category": categories[category],
            }


def _preferences(study: Study) -> Iterator[Record]:
    """Yield each answer to a comparison, by names."""
    topics = {topic.id: topic.name for topic in study.texts.topics()}
    systems = {text.id: text.name for topic in study.texts.load() for text in topic.summaries}
    people = {person.id: person for person in study.annotators.all()}
    for plan in study.comparisons.plans():
        items = {item.id: item for item in study.comparisons.items(plan.id)}
        order = {item_id: place for place, item_id in enumerate(items)}
        answers = study.comparisons.preferences(plan.id)
        for answer in sorted(answers, key=lambda one: (order[one.item_id], people[one.annotator_id].name)):
            item, person = items[answer.item_id], people[answer.annotator_id]
            yield {
                "plan": plan.name,
                "kind": plan.kind.value,
                "topic": topics[item.topic_id],
                "annotator": person.name,
                "group": person.group,
                "systems": json.dumps([systems[one] for one in item.summary_ids], ensure_ascii=False),
                "best": systems[answer.best] if answer.best else "",
                "worst": systems[answer.worst] if answer.worst else "",
            }


def _comments(study: Study) -> Iterator[Record]:
    """Yield each comment, by names."""
    topics = {topic.id: topic.name for topic in study.texts.topics()}
    systems = {text.id: text.name for topic in study.texts.load() for text in topic.summaries}
    people = {person.id: person.name for person in study.annotators.all()}
    scales = {scale.id: scale.name for scale in study.ratings.dimensions()}
    labels = {
        scu.id: scu.label
        for store in (study.pyramids, study.nuggets)
        for annotation in store.annotations()
        for scu in annotation.pyramid.scus
    }
    for comment in study.comments.all():
        about = comment.subject
        yield {
            "topic": topics[about.topic_id],
            "system": systems.get(about.summary_id, ""),
            "unit": labels.get(about.unit_id, ""),
            "dimension": scales.get(about.scale_id, ""),
            "annotator": people[comment.annotator_id],
            "at": comment.written_at,
            "text": comment.text,
            "resolves": "yes" if comment.resolves else "",
        }


def _scales(study: Study) -> Iterator[Record]:
    for scale in study.ratings.dimensions():
        anchors = {f"{value:g}": text for value, text in scale.anchors}
        yield {
            "dimension": scale.name,
            "low": scale.low,
            "high": scale.high,
            "question": scale.question,
            "description": scale.description,
            "anchors": json.dumps(anchors, ensure_ascii=False) if anchors else "",
            "kind": scale.kind.value,
            "required": "yes" if scale.is_required else "no",
        }


def _rouge(study: Study, *, by_tokens: bool) -> Iterator[Record]:
    return ({"line": line} for line in rouge_lines(study, by_tokens=by_tokens))


def annotation_lines(study: Study, annotators: Sequence[str] | None = None) -> Iterator[Record]:
    """Yield the annotation pack of some annotators, None = of all, which is one line."""
    yield {"line": study.annotation_pack(annotators).to_text().rstrip("\n")}


ANNOTATIONS = "annotations"
_LONG = ("topic", "system", "measure", "value")
_CAUTIOUS = (*_LONG, "higher_is_better", "stand_in", "notes")
_SINGLE = (
    Export(
        "scores",
        "sacrerouge",
        ".jsonl",
        "One line per summary, metrics nested by measure.",
        lambda study: nested_records(study, scores_of(study)),
    ),
    Export(
        "scores",
        "csv",
        ".csv",
        "One row per summary and measure.",
        lambda study: with_cautions(study, long_records(study, scores_of(study))),
        _CAUTIOUS,
    ),
    Export(
        "judgements",
        "sacrerouge",
        ".jsonl",
        "Human values, one line per summary, nested by name.",
        lambda study: nested_records(study, judgements_of(study)),
    ),
    Export(
        "judgements",
        "csv",
        ".csv",
        "Human values, one row per summary and name.",
        lambda study: long_records(study, judgements_of(study)),
        _LONG,
    ),
    Export(
        "metrics",
        "sacrerouge",
        ".jsonl",
        "Scores and human values, one line per summary, nested by name.",
        lambda study: nested_records(study, numbers_of(study)),
    ),
    Export(
        "metrics",
        "csv",
        ".csv",
        "Scores and human values, one row per summary and one column per name.",
        lambda study: wide_records(study, numbers_of(study)),
        ("topic", "system"),
        numbers=lambda study: tuple(m.label for m in numbers_of(study)),
    ),
    Export(
        "metrics",
        "mt-metrics-eval",
        "",
        "A folder with texts, scores and human values, as a test set for mt-metrics-eval.",
        lambda study: iter(()),
        fill=mt_metrics_eval.write,
    ),
    Export(
        "humans",
        "sacrerouge",
        ".jsonl",
        "Pyramid scores and measures with references as systems, one line per summary and reference.",
        lambda study: nested_records(study, humans_of(study), humans=True),
    ),
    Export(
        "humans",
        "csv",
        ".csv",
        "Pyramid scores and measures with references as systems, one row per number.",
        lambda study: with_cautions(study, long_records(study, humans_of(study), humans=True)),
        _CAUTIOUS,
    ),
    Export(
        "rouge",
        "rouge-1.5.5",
        ".txt",
        "ROUGE-1.5.5 output: averages with confidence intervals, and each evaluation.",
        lambda study: _rouge(study, by_tokens=False),
        is_plain=True,
    ),
    Export(
        "rouge",
        "rouge-1.5.5-tokens",
        ".txt",
        "ROUGE-1.5.5 output with counts summed over topics before division (-t 1).",
        lambda study: _rouge(study, by_tokens=True),
        is_plain=True,
    ),
    Export("texts", "sacrerouge", ".jsonl", "One line per summary with its topic's texts.", _texts_nested),
    Export(
        "texts",
        "csv",
        ".csv",
        "One row per text.",
        _texts_flat,
        ("topic", "title", "query", "set", "document", "author", "system", "kind", "text", "sentences"),
    ),
    Export(
        "texts",
        "hashes",
        ".jsonl",
        "One line per different text with its SHA-256, to compute vectors with other software.",
        _texts_hashed,
    ),
    Export(
        "nuggets",
        "jsonl",
        ".jsonl",
        "One line per topic and annotator, with occurrences and hits.",
        nuggets.records,
    ),
    Export(
        "nuggets",
        "csv",
        ".csv",
        "One row per nugget, occurrence, summary and hit.",
        nuggets.table_rows,
        nuggets.TABLE_COLUMNS,
    ),
    Export(
        "citations",
        "jsonl",
        ".jsonl",
        "One line per citing paper and citance, with the cited parts and facets.",
        citations.records,
    ),
    Export(
        ANNOTATIONS,
        "pack",
        SUFFIX,
        "All annotations, to merge them into another copy of the study.",
        annotation_lines,
        is_plain=True,
    ),
    Export(
        ANNOTATIONS,
        "brat",
        "",
        "A folder for brat with the texts that have SCUs, nuggets or marked spans, by annotator.",
        lambda study: iter(()),
        fill=brat.write,
    ),
    Export(
        ANNOTATIONS,
        "doccano",
        ".jsonl",
        "SCUs, nuggets and marked spans for doccano (sequence labeling), one text per line.",
        doccano.records,
    ),
    *(
        Export(
            ANNOTATIONS,
            f"inception-{name}",
            "",
            f"A folder for INCEpTION with the same texts as UIMA CAS {title}, and the layers.",
            lambda study: iter(()),
            fill=fill,
        )
        for name, title, fill in (
            ("xmi", "XMI", inception.write_xmi),
            ("json", "JSON", inception.write_json),
        )
    ),
    Export(
        "history",
        "csv",
        ".csv",
        "Edit history: one row per edit, oldest first.",
        edit_history.records,
        edit_history.COLUMNS,
    ),
    Export(
        "texts",
        "rouge-settings",
        "",
        "A folder with a ROUGE-1.5.5 settings file and one text file per summary and reference.",
        lambda study: iter(()),
        fill=rouge_settings.write,
    ),
    Export(
        "ratings",
        "csv",
        ".csv",
        "One row per rating, with its note.",
        _ratings,
        (
            "topic",
            "system",
            "dimension",
            "annotator",
            "group",
            "value",
            "low",
            "high",
            "kind",
            "category",
            "note",
            "flagged",
            "spans",
        ),
    ),
    Export(
        "ratings",
        "sacrerouge",
        ".jsonl",
        "Ratings, one line per summary, as a list of numbers for each scale.",
        rating_records,
    ),
    Export(
        "ratings",
        "label-studio",
        "",
        "A folder for Label Studio: a task per summary with its ratings, and the labelling configuration.",
        lambda study: iter(()),
        fill=label_studio.write_ratings,
    ),
    Export(
        "ratings",
        "doccano",
        ".jsonl",
        "Ratings for doccano (text classification), one per line.",
        doccano.rating_records,
    ),
    Export(
        "ratings",
        "potato",
        "",
        "A folder for Potato: the summaries, a configuration with a scheme per scale, and the ratings.",
        lambda study: iter(()),
        fill=potato.write_ratings,
    ),
    Export(
        "comments",
        "csv",
        ".csv",
        "One row per comment, oldest first.",
        _comments,
        ("topic", "system", "unit", "dimension", "annotator", "at", "text", "resolves"),
    ),
    Export(
        "preferences",
        "csv",
        ".csv",
        "One row per answer to a comparison: the systems as displayed, the best and the worst; none = a tie.",
        _preferences,
        ("plan", "kind", "topic", "annotator", "group", "systems", "best", "worst"),
    ),
    Export(
        "preferences",
        "label-studio",
        "",
        "A folder for Label Studio: a task per compared pair with its answers, and the configuration.",
        lambda study: iter(()),
        fill=label_studio.write_comparisons,
    ),
    Export(
        "preferences",
        "potato",
        "",
        "A folder for Potato: the comparisons, a configuration, and the answers.",
        lambda study: iter(()),
        fill=potato.write_comparisons,
    ),
    Export(
        "spans",
        "csv",
        ".csv",
        "One row per span marked in a summary, such as an error, with its text and category.",
        _marked_spans,
        ("topic", "system", "dimension", "annotator", "start", "end", "text", "category"),
    ),
    Export(
        "scales",
        "csv",
        ".csv",
        "One row per rating scale: its limits, question, description, anchors and kind.",
        _scales,
        ("dimension", "low", "high", "question", "description", "anchors", "kind", "required"),
    ),
    Export(
        "pyramids",
        "ducview",
        "",
        "A folder with one .pyr for each pyramid and one .pan for each annotated summary.",
        lambda study: iter(()),
        fill=ducview.write,
    ),
    Export(
        "pyramids",
        "rose",
        ".jsonl",
        "One line per topic and reference, with its SCUs and a label for each SCU and summary.",
        rose.records,
    ),
    Export(
        "pyramids",
        "lite2pyramid",
        "",
        "A folder with SCUs, labels and texts, one topic per line of each file.",
        lambda study: iter(()),
        fill=lite2pyramid.write,
    ),
    *(
        Export(
            "pyramids",
            suffix[1:],
            "",
            f"A folder with each pyramid as {title}: {contents}.",
            lambda study: iter(()),
            fill=partial(write_sheets, suffix=suffix),
        )
        for suffix, title, contents in (
            (".html", "a web page", "a figure of its tiers, and its SCUs with their contributors"),
            (".pdf", "PDF", "a figure of its tiers, and its SCUs with their contributors"),
            (".png", "a picture", "its tiers"),
        )
    ),
)
XLSX, PARQUET = "xlsx", "parquet"
BINARY = (XLSX, PARQUET)
EXPORTS = (
    *_SINGLE,
    *(
        replace(export, format=name, suffix=f".{name}")
        for name in BINARY
        for export in _SINGLE
        if export.format == "csv"
    ),
)
"""Every CSV can be XLSX and Parquet too."""
