"""Cautions on an experiment's correlations, one sentence for all judgements that share it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.comparison.cautions import cautions
from core.comparison.eligibility import RANKED, Eligibility, Status, eligible_rows, ranking_notes
from core.comparison.inference import CorrelationInputs
from core.experiments.inputs.named_matrices import ComparisonSet
from core.matrix import ScoreMatrix
from core.stats.correlation import Coefficient, Level


def cautions_about(
    measures: Sequence[ScoreMatrix], people: Mapping[str, ScoreMatrix], level: Level, coefficient: Coefficient
) -> tuple[str, ...]:
    """Return sentences on few systems or topics, constant values, many ties."""
    several = [ComparisonSet(replace(z, label=name), tuple(measures)) for name, z in people.items()]
    return cautions_of(several, level, coefficient)


def cautions_of(several: Sequence[ComparisonSet], level: Level, coefficient: Coefficient) -> tuple[str, ...]:
    """Return the cautions of comparisons with judgements."""
    judgements: dict[str, list[str]] = {}
    for one in several:
        sample = CorrelationInputs(one.x, one.judgement.values, level, coefficient)
        for sentence in cautions(sample, one.labels):
            judgements.setdefault(sentence, []).append(one.judgement.label)
    incomplete: dict[str, None] = {}
    for labels in dict.fromkeys(tuple(one.labels) for one in several):
        parts = {one.judgement.label: _incomplete(one) for one in several if tuple(one.labels) == labels}
        incomplete |= dict.fromkeys(ranking_notes(labels, parts))
    return (
        *incomplete,
        *(
            sentence if len(named) == len(several) else f"{', '.join(named)}: {sentence}"
            for sentence, named in judgements.items()
        ),
    )


def _incomplete(one: ComparisonSet) -> list[Eligibility]:
    """Return notes on incomplete rows; the judgement's own measures do not count."""
    eligibility = eligible_rows(one.matrices, one.judgement)
    return [part if part.status is Status.INCOMPLETE else RANKED for part in eligibility]
