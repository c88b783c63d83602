"""Summary counts of a study."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import numpy as np

from core.domain.annotator_filter import resolve_annotators
from core.domain.pyramid import Match, Pyramid, Scu
from core.domain.study import SystemKind, Text
from core.formatting.numbers import format_count, pluralize
from core.formatting.tables import Column, Table
from core.ports import PyramidStore, Study

_KINDS = {SystemKind.AUTOMATIC: "automatic", SystemKind.BASELINE: "baseline", SystemKind.HUMAN: "human"}


def study_facts(study: Study) -> Table:
    """Return counts of topics, texts, words, systems, annotations and ratings.

    Counted is the work that counts by default: without what machines proposed and results of adjudications.
    """
    people = study.annotators.all()
    counting = resolve_annotators((), people)
    who = {person.id for person in people if counting is None or person.name in counting}
    names = {person.name for person in people if person.id in who}
    rows = [
        *_text_rows(study),
        *_annotation_rows(study, who),
        *_nugget_rows(study, who),
        *_rating_rows(study, names),
    ]
    columns = (Column("Item", "what"), Column("Count", "how_many"))
    note = "Words are whitespace-separated."
    return Table("Dataset", columns, tuple(rows), note)


def _text_rows(study: Study) -> list[tuple[str, str]]:
    counts: Counter[str] = Counter()
    words: dict[str, list[int]] = {"documents": [], "references": [], "summaries": []}
    for topic in study.texts.load():
        counts["topics"] += 1
        for kind, texts in (
            ("documents", topic.documents),
            ("references", topic.references),
            ("summaries", topic.summaries),
        ):
            words[kind] += _lengths(texts)
    kinds = Counter(system.kind for system in study.texts.systems())
    named = ", ".join(f"{kinds[kind]} {_KINDS[kind]}" for kind in SystemKind if kinds[kind])
    authors = len(study.texts.reference_authors())
    return [
        ("Topics", format_count(counts["topics"])),
        ("Systems", f"{kinds.total()}{f' ({named})' if named else ''}"),
        *((kind.capitalize(), _length_text(lengths)) for kind, lengths in words.items() if lengths),
        ("Reference authors", format_count(authors)),
    ]


def _annotation_rows(study: Study, who: Collection[str]) -> list[tuple[str, str]]:
    pyramids, matches, done = _annotated(study.pyramids, who)
    if not pyramids and not matches:
        return []
    scus = [scu for pyramid in pyramids for scu in pyramid.scus]
    finished = sum(pyramid.is_done for pyramid in pyramids)
    outside = sum(match.scu_id is None for match in matches)
    return [
        ("Pyramids", f"{len(pyramids)} ({finished} marked done)"),
        ("SCUs", f"{format_count(len(scus))} ({_spread(scus, 'weight')})"),
        ("Summaries matched", f"{format_count(done)} marked done"),
        ("Matches", f"{format_count(len(matches))} ({format_count(outside)} not in the pyramid)"),
    ]


def _nugget_rows(study: Study, who: Collection[str]) -> list[tuple[str, str]]:
    pyramids, hits, done = _annotated(study.nuggets, who)
    if not pyramids and not hits:
        return []
    nuggets = [nugget for pyramid in pyramids for nugget in pyramid.scus]
    automatic = sum(not hit.is_confirmed for hit in hits)
    return [
        ("Nuggets", f"{format_count(len(nuggets))} ({_spread(nuggets, 'tier')})"),
        ("Summaries with nuggets", f"{format_count(done)} marked done"),
        ("Hits of nuggets", f"{format_count(len(hits))} ({format_count(automatic)} not confirmed)"),
    ]


def _annotated(store: PyramidStore, who: Collection[str]) -> tuple[list[Pyramid], list[Match], int]:
    """Return pyramids and matches of annotators, by id, and how many summaries they marked done."""
    stored = [annotation for annotation in store.annotations() if annotation.pyramid.scus]
    return (
        [one.pyramid for one in stored if one.pyramid.annotator_id in who],
        [match for one in stored for match in one.matches if match.annotator_id in who],
        sum(state.is_done for one in stored for state in one.states if state.annotator_id in who),
    )


def _spread(scus: Iterable[Scu], weight: str) -> str:
    """Return how many units have each weight, the largest first, such as ``2 of weight 4, 3 of weight 1``."""
    weights = Counter(scu.weight for scu in scus)
    return ", ".join(f"{weights[each]} of {weight} {each}" for each in sorted(weights, reverse=True))


def _rating_rows(study: Study, names: Collection[str]) -> list[tuple[str, str]]:
    rows = []
    for dimension in study.ratings.dimensions():
        cube = study.ratings.cube(dimension.name)
        given = [
            int(np.isfinite(values).sum())
            for name, values in zip(cube.annotators, cube.values, strict=True)
            if name in names
        ]
        by = pluralize(len(given), "annotator")
        rows.append(
            (f"Ratings of {dimension.name}", f"{format_count(sum(given))} by {by}, {dimension.range_text}")
        )
    return rows


def _lengths(texts: Iterable[Text]) -> list[int]:
    return [len(text.content.split()) for text in texts]


def _length_text(lengths: Sequence[int]) -> str:
    return (
        f"{format_count(len(lengths))}, {pluralize(sum(lengths), 'word')} "
        f"(median {statistics.median(lengths):g}, {min(lengths)} to {max(lengths)})"
    )
