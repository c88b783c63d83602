"""Controls of an analysis: measures and judgements of a study, and properties of its texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.comparison.measures import measures_for
from core.errors import InputError
from core.experiments.inputs.named_matrices import MatrixSet, load_matrices
from core.matrix import ScoreMatrix
from core.metrics.base import Metric, Resources, missing_inputs
from core.metrics.names import resolve_metric
from core.metrics.registry import localize, metrics
from core.ports import Study, language_of
from core.progress import JobSteps, Progress
from core.scoring.config import parse_config


def load_controls(study: Study, resources: Resources, names: Sequence[str]) -> JobSteps[MatrixSet]:
    """Load controls by name, in this order, each under its name.

    A measure of the study or a judgement comes first; another name is a property of texts, such as
    ``length`` or ``novelty:n=1``, which is computed and not stored. Raises InputError for other names.
    """
    stored = {ref.label for ref in measures_for(study, names, check_stale=False)}
    made = {
        name: metric for name in names if name not in stored and (metric := _property(name, study, resources))
    }
    found = yield from property_matrices(study, resources, list(made.values()))
    computed = {name: replace(one, label=name) for name, one in zip(made, found, strict=True)}
    loaded = [_stored(study, name) if name not in computed else None for name in names]
    matrices = tuple(
        computed[name] if one is None else replace(one.matrices[0], label=name)
        for name, one in zip(names, loaded, strict=True)
    )
    sets = [one for one in loaded if one is not None]
    stand_ins = dict.fromkeys(sentence for one in sets for sentence in one.stand_ins)
    warnings = dict.fromkeys(sentence for one in sets for sentence in one.warnings)
    return MatrixSet(matrices, (), tuple(stand_ins), tuple(warnings))


def _stored(study: Study, name: str) -> MatrixSet:
    try:
        return load_matrices(study, [name])
    except InputError as error:
        properties = [metric.name for metric in metrics() if not metric.has_direction]
        raise InputError(
            f"{error} Properties of texts can be controls too: {', '.join(sorted(properties))}."
        ) from None


def property_matrices(
    study: Study, resources: Resources, metrics: Sequence[Metric]
) -> JobSteps[list[ScoreMatrix]]:
    """Return the first measure of each metric for every summary, NaN = none; nothing is stored."""
    systems = tuple(system.name for system in study.texts.systems())
    heads = study.texts.topics()
    topics = {head.name: at for at, head in enumerate(heads)}
    values = np.full((len(metrics), len(systems), len(topics)), np.nan)
    place = {name: at for at, name in enumerate(systems)}
    for at, topic in enumerate(study.texts.load() if metrics else ()):
        yield Progress(at, len(heads), f"reading {topic.name}")
        rows = [place[text.name] for text in topic.summaries]
        for row, metric in enumerate(metrics):
            if not missing_inputs(metric, topic, resources):
                scores = metric.score(metric.prepare(topic, resources))
                values[row, rows, topics[topic.name]] = scores.values[:, 0]
    return [
        ScoreMatrix(metric.measures()[0], systems, tuple(topics), rows)
        for metric, rows in zip(metrics, values, strict=True)
    ]


def _property(name: str, study: Study, resources: Resources) -> Metric | None:
    """Return the property of texts with a name, as the study's language has it; None = it is none."""
    try:
        metric = parse_config(localize(resolve_metric(name)[0], language_of(study)), resources).metric
    except InputError:
        return None
    return None if metric.has_direction else metric
