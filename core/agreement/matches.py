"""Decisions of annotators who matched summaries against the same pyramid."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from core.agreement.items import AnnotatedItems
from core.domain.pyramid import TopicAnnotation


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
