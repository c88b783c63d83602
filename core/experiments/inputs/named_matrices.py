"""Measures and judgements alike, by name, as matrices of automatic systems where more is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.comparison.eligibility import is_own_name
from core.comparison.judgements import judgement_matrices
from core.comparison.measures import MeasureRef, find, matrix, measures_for
from core.comparison.pyramid_judgements import PyramidJudgement
from core.comparison.stand_ins import mark_stand_in, stand_ins_among
from core.errors import InputError
from core.experiments.availability import has_pyramid_scores, with_others
from core.experiments.inputs.measure_inputs import PYRAMID, Wanted, automatic, judged, measure, stacked
from core.experiments.inputs.subset_inputs import stale_among
from core.experiments.inputs.topic_filters import judged_on, topics_of_set
from core.matrix import Array, Matrix
from core.metrics.base import Tools
from core.ports import Study
from core.progress import Steps
from core.stats.correlation import Coefficient, Level, correlate_many


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """A judgement and what is correlated with it."""

    judgement: Matrix
    matrices: tuple[Matrix, ...]

    @property
    def labels(self) -> list[str]:
        return [one.label for one in self.matrices]

    @property
    def x(self) -> Array:
        """All numbers, shape (measures, systems, topics), NaN = missing."""
        return stacked(self.matrices, self.judgement)

    def correlations(self, level: Level, coefficient: Coefficient) -> Array:
        """Each measure's correlation with the judgement, shape (measures,), NaN = undefined."""
        found = correlate_many(self.x, self.judgement.values, level, coefficient)
        return np.array([one.value for one in found])

    def on(self, judgement: Matrix) -> Beside:
        """The same beside fewer systems or topics of the judgement."""
        return Beside(judgement, self.matrices)


@dataclass(frozen=True, slots=True)
class Named:
    """What is compared, and what is to be said of it. left_out, stand_ins, warnings: a sentence each."""

    matrices: tuple[Matrix, ...]
    left_out: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(one.label for one in self.matrices)

    def beside(self, judgement: Matrix) -> Beside:
        """The matrices that are not the judgement's own, on its systems and topics."""
        return Beside(judgement, self.without(judgement.label))

    def without(self, judgement: str) -> tuple[Matrix, ...]:
        """The matrices that are not computed from the judgement's own annotations."""
        return tuple(one for one in self.matrices if not is_own_name(one.label, judgement))


def named_or_all(study: Study, names: Sequence[str], *, with_people: bool = False) -> Named:
    """These measures and judgements; without names every measure and the pyramid, where it is there.

    with_people: people's summaries too. Raises InputError on a name that the study does not have.
    """
    people = [name for name in names if _is_judgement(study, name)]
    refs = measures_for(study, set(names) - set(people))
    if not names and has_pyramid_scores(study):
        people = [PYRAMID]
    chosen = [find(refs, name) for name in names if name not in people] if names else refs
    chosen = [ref for ref in chosen if ref.label not in people]
    rows = {system.name for system in study.systems()} if with_people else automatic(study)
    scored = [_rightwards(matrix(study, ref).only(rows), ref) for ref in chosen]
    judged = judgement_matrices(study, people).values() if people else ()
    matrices = (*(one.only(rows) for one in judged), *scored)
    return Named(matrices, (), stand_ins_among(chosen), stale_among(chosen))


def beside_people(study: Study, compared: Named, judgements: str, topic_set: str = "") -> list[Beside]:
    """What stands beside each judgement, on the topics of a set where it has a number.

    judgements: names with commas between, empty = all. topic_set: empty = all topics. Raises InputError
    where nothing stands beside any, or a judgement has no number there.
    """
    topics = topics_of_set(study, topic_set)
    people = with_others(judged(study, judgements), compared.labels)
    return [compared.beside(judged_on(one, topics)) for one in people.values()]


def named_wanted(study: Study, tools: Tools, wanted: Sequence[Wanted], *, pyramid: str) -> Steps[Named]:
    """What a paper compared: the pyramid where there is one, then its metrics, scored where they are not.

    pyramid: what the paper calls it, empty = it had none.
    """
    reading = yield from measure(study, tools, wanted)
    missing = list(reading.missing)
    matrices = [replace(one.scores, label=one.label) for one in reading.measured]
    if pyramid and has_pyramid_scores(study):
        own = judgement_matrices(study, [PYRAMID])[PYRAMID].only(automatic(study))
        matrices = [replace(own, label=pyramid), *matrices]
    elif pyramid:
        missing.append(f"{pyramid} is left out: no summary's matching is marked done.")
    if not matrices:
        raise InputError(" ".join(missing))
    return Named(tuple(matrices), tuple(missing), reading.stand_ins, reading.warnings)


def _is_judgement(study: Study, name: str) -> bool:
    """Whether a name is a scale's, or a pyramid score's where summaries are matched."""
    if PyramidJudgement.read(name) is not None:
        return has_pyramid_scores(study)
    return name in {f"rating.{dimension.name}" for dimension in study.dimensions()}


def _rightwards(scores: Matrix, ref: MeasureRef) -> Matrix:
    """A measure's numbers turned so that more is better."""
    sign = 1.0 if ref.config.higher_is_better else -1.0
    return replace(scores, label=mark_stand_in(scores.label, ref.config), values=sign * scores.values)
