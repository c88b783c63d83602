"""Export of scores and judgements: one nested record per summary, or one row per number."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from core.comparison.cautions import note_text
from core.comparison.judgements import judgement_matrices, judgement_matrix, judgements
from core.comparison.measures import matrices as matrices_of
from core.comparison.measures import measures
from core.comparison.pyramid_judgements import PyramidJudgement, with_humans
from core.comparison.staleness_text import OUT_OF_DATE, stale_notes, stale_texts, stale_topics
from core.comparison.stand_ins import stand_in_of
from core.domain.ratings import ScaleKind
from core.domain.reference_authors import reference_system_name
from core.domain.study import SystemKind
from core.errors import InputError
from core.matrix import ScoreMatrix
from core.metrics.registry import split_label
from core.ports import JACKKNIFE_KEY, Study
from core.report.rouge155_output import rouge_lines
from storage.formats.format_types import Export, Record


def scores_of(study: Study) -> list[ScoreMatrix]:
    """Yield every measure."""
    return matrices_of(study, measures(study, check_stale=False, with_made=True))


def judgements_of(study: Study) -> list[ScoreMatrix]:
    """Yield every judgement."""
    return [judgement_matrix(study, ref.name) for ref in judgements(study)]


def humans_of(study: Study) -> list[ScoreMatrix]:
    """Yield every pyramid score and measure with references as systems."""
    named = with_humans([ref.name for ref in judgements(study) if PyramidJudgement.read(ref.name)])
    refs = [ref for ref in measures(study, check_stale=False, with_made=True) if ref.config.scores_humans]
    return [*judgement_matrices(study, named).values(), *matrices_of(study, refs)]


def nested_records(
    study: Study, matrices: Sequence[ScoreMatrix], *, humans: bool = False
) -> Iterator[Record]:
    """Yield one record per summary, nested at the last dot of each label; humans: also per reference."""
    numbers = _Numbers(matrices)
    labels = {m.label: _sacrerouge_name(m.label) if humans else m.label for m in matrices}
    places = _places(labels)
    for topic, row, key in _rows(study, humans=humans):
        metrics: dict[str, Any] = {}
        for label, value in numbers.of(topic, row).items():
            *outer, inner = places[label]
            here = metrics.setdefault(outer[0], {}) if outer else metrics
            here[inner] = value
        yield {**key, "metrics": metrics}


def long_records(study: Study, matrices: Iterable[ScoreMatrix], *, humans: bool = False) -> Iterator[Record]:
    """Yield one record per number of a summary; humans: also of references."""
    numbers = _Numbers(matrices)
    for topic, row, _ in _rows(study, humans=humans):
        for label, value in numbers.of(topic, row).items():
            yield {"topic": topic, "system": row, "measure": label, "value": value}


def wide_records(study: Study, matrices: Iterable[ScoreMatrix]) -> Iterator[Record]:
    """Yield one record per summary that has a number, with the numbers by label."""
    numbers = _Numbers(matrices)
    for topic, row, _ in _rows(study, humans=False):
        if found := numbers.of(topic, row):
            yield {"topic": topic, "system": row, **found}


def with_changes(
    study: Study, records: Iterable[Record], matrices: Iterable[ScoreMatrix], topic: str = "topic"
) -> Iterator[Record]:
    """Yield records, those of topics whose scores are out of date with what has changed.

    matrices: the numbers of the records. topic: the field that names the topic.
    """
    shown = {m.label for m in matrices}
    refs = [ref for ref in measures(study, with_made=True) if ref.label in shown]
    texts = stale_texts(study, refs)
    marks = {name: " ".join(stale_notes(texts, stale)) for name, stale in stale_topics(study, refs).items()}
    for record in records:
        text = marks.get(record[topic], "")
        yield {**record, OUT_OF_DATE: text} if text else record


def with_cautions(study: Study, records: Iterable[Record]) -> Iterator[Record]:
    """Yield records of numbers, with the stand-in model, the notes of the topic, and whether it is stale."""
    refs = {ref.label: ref for ref in measures(study, with_made=True)}
    configs = {label: ref.config for label, ref in refs.items()}
    stale = {ref.signature: ref.staleness.changes for ref in refs.values()}
    names = {head.id: head.name for head in study.texts.topics()}

    @cache
    def noted(signature: str) -> Mapping[str, str]:
        stored = study.scores.notes(signature)
        changed = {id_: ["out of date"] * (id_ in stale[signature]) for id_ in names}
        texts = {id_: [*mark, _note_text(stored.get(id_, {}))] for id_, mark in changed.items()}
        return {names[id_]: "; ".join(filter(None, parts)) for id_, parts in texts.items()}

    stand_ins = {label: stand_in_of(config).removeprefix("stand-in: ") for label, config in configs.items()}
    for record in records:
        config = configs.get(label := record["measure"])
        if config is None:
            yield record
            continue
        head = {**record, "higher_is_better": config.higher_is_better, "stand_in": stand_ins[label]}
        yield {**head, "notes": noted(config.signature).get(record["topic"], "")}


def _note_text(notes: Mapping[str, int]) -> str:
    """Return the notes of a topic as text; empty = no notes."""
    return "; ".join(note_text(note, count) for note, count in notes.items() if count)


def kinds_of(study: Study) -> dict[str, str]:
    """Return sacrerouge's name for each system's kind."""
    return {s.name: "reference" if s.kind is SystemKind.HUMAN else "peer" for s in study.texts.systems()}


def key_of(topic: str, system: str, kinds: Mapping[str, str]) -> dict[str, str]:
    """Return the fields that identify a summary in sacrerouge."""
    return {"instance_id": topic, "summarizer_id": system, "summarizer_type": kinds[system]}


def _rows(study: Study, *, humans: bool) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield every summary by topic and system, in the study's order, with sacrerouge's fields."""
    kinds = kinds_of(study)
    for topic in study.texts.load():
        for summary in topic.summaries:
            yield topic.name, summary.name, key_of(topic.name, summary.name, kinds)
        for reference in topic.references if humans else ():
            name = reference_system_name(reference.name)
            yield topic.name, name, key_of(topic.name, reference.name, {reference.name: "reference"})


class _Numbers:
    """The numbers of each summary, from matrices of which many have the same rows and columns."""

    def __init__(self, matrices: Iterable[ScoreMatrix]) -> None:
        listed = list(matrices)
        self._labels = [m.label for m in listed]
        alike: dict[tuple[Sequence[str], Sequence[str]], list[int]] = {}
        for place, m in enumerate(listed):
            alike.setdefault((m.systems, m.topics), []).append(place)
        self._groups = [
            (
                places,
                {name: s for s, name in enumerate(systems)},
                {name: t for t, name in enumerate(topics)},
                np.stack([listed[place].values for place in places], axis=-1),
            )
            for (systems, topics), places in alike.items()
        ]

    def of(self, topic: str, system: str) -> dict[str, float]:
        """Return each matrix's number of a summary by label, in order; missing numbers are left out."""
        found: list[tuple[int, float]] = []
        for places, rows, columns, values in self._groups:
            if system in rows and topic in columns:
                found += zip(places, values[rows[system], columns[topic]].tolist(), strict=True)
        return {self._labels[place]: value for place, value in sorted(found) if not math.isnan(value)}


def _places(names: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the keys for each label; a single key if another name equals the outer key.

    names: by label. ``length`` and ``length.f`` could not both be nested; the flat key is read back as the
    same measure.
    """
    cut = {label: split_label(name) for label, name in names.items()}
    alone = {inner for outer, inner in cut.values() if not outer}
    return {
        label: (outer, inner) if outer and outer not in alone else (names[label],)
        for label, (outer, inner) in cut.items()
    }


ANNOTATORS = "annotators"
"""Field of a line with the group and the names of the annotators of each list of numbers."""

_SETTINGS = re.compile(r"\[([^\[\]]*)\]")


def _sacrerouge_name(label: str) -> str:
    """Return the name of a jackknifed measure in sacrerouge: ``rouge-1_jk.f``."""
    for match in _SETTINGS.finditer(label):
        settings = match[1].split(",")
        if JACKKNIFE_KEY in settings:
            settings.remove(JACKKNIFE_KEY)
            others = f"[{','.join(settings)}]" if settings else ""
            return f"{label[: match.start()]}{others}_jk{label[match.end() :]}"
    return label


def numbers_of(study: Study) -> list[ScoreMatrix]:
    """Return every measure and judgement. Raises InputError if two have the same name."""
    matrices = [*judgements_of(study), *scores_of(study)]
    names = [m.label for m in matrices]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise InputError(
            f"A judgement and an imported measure are both named {twice}. Export judgements and scores into "
            "separate files."
        )
    return matrices


def rating_records(study: Study) -> Iterator[Record]:
    """Yield the ratings of each summary as lists of numbers by group and scale, and who gave them.

    Scales of free text and of marked spans are left out: their ratings are more than a number.
    """
    groups = {person.name: person.group for person in study.annotators.all()}
    lists: dict[tuple[str, str], dict[tuple[str, str], dict[str, float]]] = {}
    for dimension in study.ratings.dimensions():
        if dimension.kind in (ScaleKind.TEXT, ScaleKind.SPANS):
            continue
        cube = study.ratings.cube(dimension.name)
        for s, t, a in np.argwhere(np.isfinite(cube.values.transpose(1, 2, 0))).tolist():
            person = cube.annotators[a]
            by_scale = lists.setdefault((cube.topics[t], cube.systems[s]), {})
            by_scale.setdefault((groups[person], dimension.name), {})[person] = float(cube.values[a, s, t])
    for topic, system, key in _rows(study, humans=False):
        if found := lists.get((topic, system)):
            metrics, people = {}, {}
            for (group, scale), ratings in found.items():
                name = f"{group}.{scale}" if group else scale
                metrics[name] = list(ratings.values())
                people[name] = {"group": group, "names": list(ratings)}
            yield {**key, "metrics": metrics, ANNOTATORS: people}


def _nested(study: Study, matrices: Sequence[ScoreMatrix], *, humans: bool = False) -> Iterator[Record]:
    return with_changes(study, nested_records(study, matrices, humans=humans), matrices, "instance_id")


def _wide(study: Study, matrices: Sequence[ScoreMatrix]) -> Iterator[Record]:
    return with_changes(study, wide_records(study, matrices), matrices)


def _wide_columns(study: Study) -> dict[str, bool]:
    """Return the columns of `_wide` after those of the summary, and whether each is of numbers."""
    columns = {m.label: True for m in numbers_of(study)}
    is_stale = any(ref.is_stale for ref in measures(study, with_made=True))
    return {**columns, OUT_OF_DATE: False} if is_stale else columns


_LONG = ("topic", "system", "measure", "value")
_CAUTIOUS = (*_LONG, "higher_is_better", "stand_in", "notes")
NUMBERS = (
    Export(
        "scores",
        "sacrerouge",
        ".jsonl",
        "One line per summary, metrics nested by measure.",
        lambda study: _nested(study, scores_of(study)),
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
        lambda study: _nested(study, numbers_of(study)),
    ),
    Export(
        "metrics",
        "csv",
        ".csv",
        "Scores and human values, one row per summary and one column per name.",
        lambda study: _wide(study, numbers_of(study)),
        ("topic", "system"),
        more=_wide_columns,
    ),
)
HUMANS = (
    Export(
        "humans",
        "sacrerouge",
        ".jsonl",
        "Pyramid scores and measures with references as systems, one line per summary and reference.",
        lambda study: _nested(study, humans_of(study), humans=True),
    ),
    Export(
        "humans",
        "csv",
        ".csv",
        "Pyramid scores and measures with references as systems, one row per number.",
        lambda study: with_cautions(study, long_records(study, humans_of(study), humans=True)),
        _CAUTIOUS,
    ),
)
ROUGE = (
    Export(
        "rouge",
        "rouge-1.5.5",
        ".txt",
        "ROUGE-1.5.5 output: averages with confidence intervals, and each evaluation.",
        lambda study: ({"line": line} for line in rouge_lines(study)),
        is_plain=True,
    ),
    Export(
        "rouge",
        "rouge-1.5.5-tokens",
        ".txt",
        "ROUGE-1.5.5 output with counts summed over topics before division (-t 1).",
        lambda study: ({"line": line} for line in rouge_lines(study, by_tokens=True)),
        is_plain=True,
    ),
)
RATINGS = Export(
    "ratings",
    "sacrerouge",
    ".jsonl",
    "Ratings, one line per summary, as a list of numbers for each scale.",
    rating_records,
)
