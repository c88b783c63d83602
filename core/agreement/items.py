"""Items with one value per annotator, also of matches, and why their agreement may be undefined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from core.domain.pyramid import TopicAnnotation
from core.domain.ratings import RatingCube

Array = NDArray[np.float64]
Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class AnnotatedItems:
    """Values of items by annotators.

    values: shape (items, annotators), NaN = no value.
    topic_of: index of each item's topic, shape (items,).
    unit_of: index of each item's unit, e.g. its SCU, shape (items,); None = no units.
    topics, annotators, units: names.
    """

    values: Array
    topic_of: Whole
    topics: tuple[str, ...]
    annotators: tuple[str, ...]
    unit_of: Whole | None = None
    units: tuple[str, ...] = ()

    def only(self, rows: NDArray[np.bool_]) -> AnnotatedItems:
        """Return some items; topics keep their numbers."""
        unit_of = None if self.unit_of is None else self.unit_of[rows]
        return AnnotatedItems(
            self.values[rows], self.topic_of[rows], self.topics, self.annotators, unit_of, self.units
        )

    def of_topic(self, topic: int) -> AnnotatedItems:
        """Return the items of one topic."""
        return self.only(self.topic_of == topic)

    def of_unit(self, unit: int) -> AnnotatedItems:
        """Return the items of one unit."""
        if self.unit_of is None:
            return self.only(np.zeros(len(self.values), dtype=np.bool_))
        return self.only(self.unit_of == unit)

    def of_annotators(self, chosen: Sequence[int]) -> AnnotatedItems:
        """Return the values of some annotators."""
        names = tuple(self.annotators[i] for i in chosen)
        return AnnotatedItems(
            self.values[:, list(chosen)], self.topic_of, self.topics, names, self.unit_of, self.units
        )

    def shared(self) -> AnnotatedItems:
        """Return the items with values of at least two annotators."""
        return self.only(np.isfinite(self.values).sum(axis=1) >= 2)

    def pairs(self) -> list[tuple[int, int]]:
        """Return the pairs of annotators that share an item, in their order."""
        there = np.isfinite(self.values).astype(np.float64)
        together = there.T @ there
        return [(a, b) for a, b in combinations(range(len(self.annotators)), 2) if together[a, b] > 0]


def rated_items(cube: RatingCube) -> AnnotatedItems:
    """Return the ratings on one dimension as items; summaries are units."""
    annotators, systems, topics = cube.values.shape
    values = cube.values.reshape(annotators, -1).T
    there = np.isfinite(values).any(axis=1)
    topic_of = np.tile(np.arange(topics, dtype=np.int64), systems)
    return AnnotatedItems(values[there], topic_of[there], cube.topics, cube.annotators)


def why_undefined(items: AnnotatedItems) -> str:
    """Return why no chance-corrected agreement is defined, empty = it is.

    Values that never vary give no evidence on agreement, however often they are equal.
    """
    if len(items.annotators) < 2:
        return "only one annotator" if items.annotators else "no annotator"
    shared = items.shared().values
    if not len(shared):
        return "no item has values of two annotators"
    values = np.unique(shared[np.isfinite(shared)])
    if values.size > 1:
        return ""
    who = "both annotators" if len(items.annotators) == 2 else "all annotators"
    return f"{who} always chose {values[0]:g}"


def why_uncorrelated(items: AnnotatedItems, least: int) -> str:
    """Return why two annotators' values have no correlation, empty = they may have one.

    least: minimum number of items.
    """
    reason = why_undefined(items)
    if reason:
        return reason
    shared = items.shared().values
    if len(shared) < least:
        return f"{len(shared)} {'item is' if len(shared) == 1 else 'items are'} too few; {least} are needed"
    for name, column in zip(items.annotators, shared.T, strict=True):
        if np.ptp(column) == 0:
            return f"{name} always chose {column[0]:g}"
    return ""


def match_items(
    annotations: Iterable[tuple[str, TopicAnnotation]], names: Mapping[str, str]
) -> AnnotatedItems:
    """Return one item per summary and SCU of each pyramid: 1 = matched, 0 = not, NaN = not decided.

    annotations: pyramids with the name of their topic.
    names: of the annotators to include, by id.
    An annotator has decided on a summary if its matching is marked done. The units are the SCUs.
    """
    annotators = sorted(set(names.values()))
    column = {who: annotators.index(name) for who, name in names.items()}
    topics: dict[str, int] = {}
    units: list[str] = []
    values, topic_of, unit_of = [], [], []
    for topic, annotation in annotations:
        decided: dict[str, list[str]] = {}
        for state in annotation.states:
            if state.is_done and state.annotator_id in names:
                decided.setdefault(state.summary_id, []).append(state.annotator_id)
        found = {(m.summary_id, m.annotator_id, m.scu_id) for m in annotation.matches}
        place = topics.setdefault(topic, len(topics))
        for scu in annotation.pyramid.scus:
            units.append(f"{topic}: {scu.label}")
            for summary, people in decided.items():
                row = np.full(len(annotators), np.nan)
                for who in people:
                    row[column[who]] = float((summary, who, scu.id) in found)
                values.append(row)
                topic_of.append(place)
                unit_of.append(len(units) - 1)
    return AnnotatedItems(
        np.array(values, dtype=np.float64).reshape(-1, len(annotators)),
        np.array(topic_of, dtype=np.int64),
        tuple(topics),
        tuple(annotators),
        np.array(unit_of, dtype=np.int64),
        tuple(units),
    )
