"""Pyramids as RoSE holds them: a row per topic, annotator and reference, with labels of its units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from core.ports import Study
from storage.formats.format_types import Export
from storage.formats.writers.labelled_units import LabelledUnits, labelled_units

ACU = "acu"
PROTOCOLS = {"prior": (1, 5), "ref_free": (1, 5), "ref_based": (1, 5), "normalized_acu": (0, 1)}
"""Ratings other than the labels of ACUs, with their scales."""


def records(study: Study) -> Iterator[dict[str, Any]]:
    """Yield the rows; ``author``, ``annotator`` and ``matched_by`` are fields that RoSE itself does not have.

    Raises InputError if the study has no pyramid with an SCU.
    """
    ratings = _means(study)
    for labelled in labelled_units(study):
        topic = labelled.topic
        for reference in topic.references:
            places = [
                place
                for place, unit in enumerate(labelled.units)
                if any(c.reference_id == reference.id for c in unit.contributors)
            ]
            if not places:
                continue
            yield {
                "source": "\n\n".join(text.content for text in topic.documents),
                "reference": reference.content,
                "reference_acus": [labelled.units[place].label for place in places],
                "example_id": topic.name,
                "annotations": dict(_annotations(labelled, places, ratings.pop(topic.name, {}))),
                "system_outputs": {text.name: text.content for text in topic.summaries},
                "author": reference.name,
                "annotator": labelled.owner,
                "matched_by": labelled.matcher,
            }


def _annotations(
    labelled: LabelledUnits, places: list[int], ratings: Mapping[str, Mapping[str, float]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the annotations of each summary. ratings: by system; only in the first row of a topic."""
    for text in labelled.topic.summaries:
        annotation: dict[str, Any] = dict(ratings.get(text.name, {}))
        if (labels := labelled.labels.get(text.id)) is not None:
            own = [labels[place] for place in places]
            annotation |= {"acu_labels": own, ACU: sum(own) / len(own)}
        if annotation:
            yield text.name, annotation


def _means(study: Study) -> dict[str, dict[str, dict[str, float]]]:
    """Return the mean ratings on the scales of RoSE by topic and system."""
    means: dict[str, dict[str, dict[str, float]]] = {}
    for dimension in study.ratings.dimensions():
        if PROTOCOLS.get(dimension.name) != (dimension.low, dimension.high):
            continue
        cube = study.ratings.cube(dimension.name)
        for s, system in enumerate(cube.systems):
            for t, topic in enumerate(cube.topics):
                values = cube.values[:, s, t]
                if np.isfinite(values).any():
                    mean = float(np.mean(values[np.isfinite(values)]))
                    means.setdefault(topic, {}).setdefault(system, {})[dimension.name] = mean
    return means


EXPORT = Export(
    "pyramids",
    "rose",
    ".jsonl",
    "One line per topic and reference, with its SCUs and a label for each SCU and summary.",
    records,
)
