"""What a reader of an experiment's correlations should beware of, once for all judgements that share it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.cautions import cautions
from core.comparing import Sample
from core.experiments.measured import stacked
from core.matrix import Matrix
from core.stats.correlation import Coefficient, Level


def cautions_about(
    measures: Sequence[Matrix], people: Mapping[str, Matrix], level: Level, coefficient: Coefficient
) -> tuple[str, ...]:
    """A sentence each: few systems or topics, a constant side, many ties."""
    labels = [one.label for one in measures]
    judgements: dict[str, list[str]] = {}
    for name, z in people.items():
        sample = Sample(stacked(measures, z), z.values, level, coefficient)
        for sentence in cautions(sample, labels):
            judgements.setdefault(sentence, []).append(name)
    return tuple(
        sentence if len(named) == len(people) else f"{', '.join(named)}: {sentence}"
        for sentence, named in judgements.items()
    )
