"""Summary counts of a study."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence

from core.domain.decisions import MACHINE_GROUP
from core.domain.study import SystemKind, Text
from core.formatting.numbers import format_count, pluralize
from core.formatting.tables import Column, Table
from core.ports import Study

_KINDS = {SystemKind.AUTOMATIC: "automatic", SystemKind.BASELINE: "baseline", SystemKind.HUMAN: "human"}


def study_facts(study: Study) -> Table:
    """Return counts of topics, texts, words, systems, annotations and ratings."""
    rows = [*_text_rows(study), *_annotation_rows(study), *_nugget_rows(study), *_rating_rows(study)]
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


def _annotation_rows(study: Study) -> list[tuple[str, str]]:
    """Return what people annotated; what machines proposed is left out."""
    machines = {person.id for person in study.annotators.all() if person.group == MACHINE_GROUP}
    stored = [annotation for annotation in study.pyramids.annotations() if annotation.pyramid.scus]
    pyramids = [one.pyramid for one in stored if one.pyramid.annotator_id not in machines]
    matches = [match for one in stored for match in one.matches if match.annotator_id not in machines]
    if not pyramids and not matches:
        return []
    scus = [scu for pyramid in pyramids for scu in pyramid.scus]
    done = sum(pyramid.is_done for pyramid in pyramids)
    states = [state for one in stored for state in one.states if state.annotator_id not in machines]
    matched = sum(state.is_done for state in states)
    outside = sum(match.scu_id is None for match in matches)
    weights = Counter(scu.weight for scu in scus)
    spread = ", ".join(f"{weights[weight]} of weight {weight}" for weight in sorted(weights, reverse=True))
    return [
        ("Pyramids", f"{len(pyramids)} ({done} marked done)"),
        ("SCUs", f"{format_count(len(scus))} ({spread})"),
        ("Summaries matched", f"{format_count(matched)} marked done"),
        ("Matches", f"{format_count(len(matches))} ({format_count(outside)} not in the pyramid)"),
    ]


def _nugget_rows(study: Study) -> list[tuple[str, str]]:
    annotations = [annotation for annotation in study.nuggets.annotations() if annotation.pyramid.scus]
    if not annotations:
        return []
    nuggets = [nugget for annotation in annotations for nugget in annotation.pyramid.scus]
    tiers = Counter(nugget.weight for nugget in nuggets)
    spread = ", ".join(f"{tiers[tier]} of tier {tier}" for tier in sorted(tiers, reverse=True))
    hits = [match for annotation in annotations for match in annotation.matches]
    automatic = sum(not match.is_confirmed for match in hits)
    done = sum(state.is_done for annotation in annotations for state in annotation.states)
    return [
        ("Nuggets", f"{format_count(len(nuggets))} ({spread})"),
        ("Summaries with nuggets", f"{format_count(done)} marked done"),
        ("Hits of nuggets", f"{format_count(len(hits))} ({format_count(automatic)} not confirmed)"),
    ]


def _rating_rows(study: Study) -> list[tuple[str, str]]:
    rows = []
    for dimension in study.ratings.dimensions():
        cube = study.ratings.cube(dimension.name)
        there = int((cube.values == cube.values).sum())  # NaN is not equal to itself
        by = pluralize(len(cube.annotators), "annotator")
        rows.append(
            (f"Ratings of {dimension.name}", f"{format_count(there)} by {by}, {dimension.range_text}")
        )
    return rows


def _lengths(texts: Iterable[Text]) -> list[int]:
    return [len(text.content.split()) for text in texts]


def _length_text(lengths: Sequence[int]) -> str:
    return (
        f"{format_count(len(lengths))}, {pluralize(sum(lengths), 'word')} "
        f"(median {statistics.median(lengths):g}, {min(lengths)} to {max(lengths)})"
    )
