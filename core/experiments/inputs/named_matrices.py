"""Measures, judgements and controls by name, as matrices of automatic systems where higher is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.comparison.cautions import score_notes
from core.comparison.eligibility import is_own_name
from core.comparison.judgements import is_judgement, judgement_matrices, unit_judgement
from core.comparison.measures import MeasureRef, find_measure, matrix, measures_for
from core.comparison.stand_ins import mark_stand_in, stand_ins_among
from core.errors import InputError
from core.experiments.inputs.measure_inputs import (
    MeasureSpec,
    automatic,
    load_judgements,
    score_and_load,
    stacked,
    with_others,
)
from core.experiments.inputs.subset_inputs import pyramid_row
from core.experiments.inputs.topic_filters import judged_on_any, topics_of_set
from core.matrix import Array, ScoreMatrix
from core.metrics.base import Metric, Resources, missing_inputs
from core.metrics.names import resolve_metric
from core.metrics.registry import localize, metrics
from core.ports import Study, language_of
from core.progress import JobSteps, Progress
from core.scoring.config import parse_config
from core.stats.correlation import Coefficient, Level, correlate_many


@dataclass(frozen=True, slots=True, eq=False)
class ComparisonSet:
    """Judgement and the matrices compared with it."""

    judgement: ScoreMatrix
    matrices: tuple[ScoreMatrix, ...]

    @property
    def labels(self) -> list[str]:
        return [one.label for one in self.matrices]

    @property
    def x(self) -> Array:
        """Return all values, shape (measures, systems, topics), NaN = missing."""
        return stacked(self.matrices, self.judgement)

    def correlations(self, level: Level, coefficient: Coefficient) -> Array:
        """Return each measure's correlation with the judgement, shape (measures,), NaN = undefined."""
        row = correlate_many(self.x, self.judgement.values, level, coefficient)
        return np.array([one.value for one in row])

    def on(self, judgement: ScoreMatrix) -> ComparisonSet:
        """Return the comparison on a restricted judgement."""
        return ComparisonSet(judgement, self.matrices)


@dataclass(frozen=True, slots=True)
class MatrixSet:
    """Loaded matrices. left_out, stand_ins, warnings: a sentence each."""

    matrices: tuple[ScoreMatrix, ...]
    left_out: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(one.label for one in self.matrices)

    def with_judgement(self, judgement: ScoreMatrix) -> ComparisonSet:
        """Return the other matrices on the judgement's systems and topics."""
        return ComparisonSet(judgement, self.without(judgement.label))

    def without(self, judgement: str) -> tuple[ScoreMatrix, ...]:
        """Return the matrices that are not computed from the judgement's own annotations."""
        return tuple(one for one in self.matrices if not is_own_name(one.label, judgement))


def load_matrices(study: Study, names: Sequence[str], *, with_people: bool = False) -> MatrixSet:
    """Load measures and judgements by name; by default every measure and the score of content units.

    with_people: include human summaries. Raises InputError for unknown names.
    """
    people = [name for name in names if is_judgement(study, name)]
    refs = measures_for(study, set(names) - set(people), check_stale=False)
    if not names:
        people = [name for name in (unit_judgement(study),) if name]
    chosen = [find_measure(refs, name) for name in names if name not in people] if names else refs
    chosen = [ref for ref in chosen if ref.label not in people]
    rows = {system.name for system in study.texts.systems()} if with_people else automatic(study)
    scored = [_rightwards(matrix(study, ref).only(rows), ref) for ref in chosen]
    judged = judgement_matrices(study, people).values() if people else ()
    matrices = (*(one.only(rows) for one in judged), *scored)
    ordered = tuple(one.in_order() for one in matrices)
    return MatrixSet(ordered, (), stand_ins_among(chosen), tuple(score_notes(study, chosen)))


def compare_with_judgements(
    study: Study, compared: MatrixSet, judgements: str, topic_set: str = ""
) -> tuple[list[ComparisonSet], MatrixSet]:
    """Return the comparison for each judgement, on the judged topics of a set.

    Also returned are the matrices, with a warning for each judgement without a value there.

    judgements: names separated by commas, empty = all.
    topic_set: empty = all topics.
    Raises InputError if no judgement has values or nothing can be compared.
    """
    people = with_others(load_judgements(study, judgements), compared.labels)
    judged, refused = judged_on_any(people, topics_of_set(study, topic_set))
    warned = replace(compared, warnings=(*compared.warnings, *refused))
    return [compared.with_judgement(one) for one in judged.values()], warned


def load_named(
    study: Study, resources: Resources, specs: Sequence[MeasureSpec], *, pyramid: str
) -> JobSteps[MatrixSet]:
    """Load the score of content units if present, then the paper's metrics, scored if missing.

    pyramid: the paper's name for it, empty = the paper had none.
    """
    reading = yield from score_and_load(study, resources, specs)
    row = pyramid_row(study, pyramid)
    matrices = [replace(one.scores, label=one.label) for one in reading.measured]
    if row.judgement:
        own = judgement_matrices(study, [row.judgement])[row.judgement].only(automatic(study))
        matrices = [replace(own, label=row.label), *matrices]
    missing = (*reading.missing, *row.missing)
    if not matrices:
        raise InputError(" ".join(missing))
    return MatrixSet(tuple(matrices), missing, (*row.stand_ins, *reading.stand_ins), reading.warnings)


def _rightwards(scores: ScoreMatrix, ref: MeasureRef) -> ScoreMatrix:
    """Return a measure's scores, negated if lower is better."""
    return replace(scores, label=mark_stand_in(scores.label, ref.config), values=ref.sign * scores.values)


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
