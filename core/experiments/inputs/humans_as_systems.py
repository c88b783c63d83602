"""People's summaries as systems that are held against references which they are themselves.

So did those who worked on TAC's files as they are (Wang et al. 2020 among them): each person's summary finds
itself among its references, which raised their correlations by far.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.comparison.judgements import judgement_matrices
from core.comparison.measures import MeasureRef, matrix
from core.comparison.pyramid_judgements import PyramidJudgement
from core.domain.study import SystemKind
from core.experiments.inputs.measure_inputs import MeasureSet, MeasureSpec, automatic, score_and_load
from core.experiments.inputs.named_matrices import MatrixSet
from core.experiments.inputs.subset_inputs import SubsetSources
from core.experiments.inputs.subset_scores import StoredScores, not_poolable_reason, stored_scorers
from core.matrix import Array, ScoreMatrix
from core.metrics.base import Resources, setting
from core.ports import JACKKNIFE_KEY, Study
from core.progress import JobSteps

EVERYBODY, AUTOMATIC = "all", "automatic"


def systems_setting() -> Any:
    explained = (
        "all = people's summaries too, as the paper has them: each scored by references that it is among; "
        "automatic = programs alone."
    )
    return setting(EVERYBODY, explained, choices=(EVERYBODY, AUTOMATIC), title="Systems")


@dataclass(frozen=True, slots=True)
class HumanSystemJudgements:
    """Judgements by name, and who is judged. has_references: references are rows. policy: a sentence."""

    people: Mapping[str, ScoreMatrix]
    has_references: bool
    policy: str

    @property
    def people_are_systems(self) -> bool:
        """Whether people's summaries are among the rows, as references or as systems."""
        return self.policy == _WITH_PEOPLE


def load_with_humans(
    study: Study, names: Sequence[str], systems: str, *, may_add_references: bool = True
) -> HumanSystemJudgements:
    """Judgements of programs, or of people's summaries too where there are any.

    People's summaries are the study's systems of that kind, else its references, of which pyramids judge each
    by the others. may_add_references: measures are scored for them too.
    """
    found = judgement_matrices(study, names)
    programs = automatic(study)
    alone = HumanSystemJudgements({name: one.only(programs) for name, one in found.items()}, False, _ALONE)
    if systems == AUTOMATIC:
        return alone
    if any(system.kind is SystemKind.HUMAN for system in study.systems()):
        return HumanSystemJudgements(found, False, _WITH_PEOPLE)
    if not may_add_references:
        return alone
    wider = judgement_matrices(study, [_with_references(name) for name in names])
    if not any(np.isfinite(one.values[len(study.systems()) :]).any() for one in wider.values()):
        return alone
    return HumanSystemJudgements(wider, True, _WITH_PEOPLE)


def scored_with_people(study: Study, tools: Resources, wanted: Sequence[MeasureSpec]) -> JobSteps[MatrixSet]:
    """What a paper compared, references among the systems.

    A metric that reads all references at once leaves each person's own out, and a sentence says so.
    """
    reading = yield from score_and_load(study, tools, wanted, humans=True)
    topics = tuple(head.name for head in study.topics())
    refs = [one.ref for one in reading.measured]
    apart = [ref.label for ref in refs if not_poolable_reason(ref, with_people=True)]
    said = (f"{', '.join(apart)}: people's summaries are scored by the others' references alone.",)
    return MatrixSet(
        tuple(full_topics(study, ref, topics) for ref in refs),
        reading.missing,
        reading.stand_ins,
        (*(said if apart else ()), *reading.warnings),
    )


def gathered_with_people(
    study: Study, tools: Resources, wanted: Sequence[MeasureSpec]
) -> JobSteps[SubsetSources]:
    """The same where references are to be chosen. Raises InputError where a metric reads them at once."""
    reading: MeasureSet = yield from score_and_load(study, tools, wanted, humans=True)
    sources = stored_scorers(study, [one.ref for one in reading.measured], with_people=True)
    return SubsetSources(tuple(sources), reading.missing, reading.stand_ins, reading.warnings)


def full_topics(study: Study, ref: MeasureRef, topics: Sequence[str]) -> ScoreMatrix:
    """A measure of programs and references by all references, themselves included, more is better."""
    if not_poolable_reason(ref, with_people=True):
        found = matrix(study, ref)
        return found if ref.config.higher_is_better else _turned(found)
    (source,) = stored_scorers(study, [ref], with_people=True)
    rows = tuple(dict.fromkeys(name for b in source.pooled.blocks.values() for name in b.systems))
    return ScoreMatrix(ref.label, rows, tuple(topics), _by_all(source, rows, topics))


def _by_all(source: StoredScores, rows: Sequence[str], topics: Sequence[str]) -> Array:
    """Numbers by every reference, shape (systems, topics), NaN = not scored."""
    values = np.full((len(rows), len(topics)), np.nan)
    for at, topic in enumerate(topics):
        if authors := source.authors(topic):
            values[:, at] = source.values(topic, np.ones((1, len(authors)), dtype=np.bool_), rows)[0]
    return values


def _turned(found: ScoreMatrix) -> ScoreMatrix:
    return ScoreMatrix(found.label, found.systems, found.topics, -found.values)


def _with_references(name: str) -> str:
    """A pyramid score under the name that judges references too; another judgement as it is."""
    judgement = PyramidJudgement.read(name)
    return name if judgement is None or judgement.scope.parts() else f"{name}[{JACKKNIFE_KEY}]"


_ALONE = "Systems are programs alone. The paper's numbers count people's summaries among them."
_WITH_PEOPLE = (
    "People's summaries are systems too, each scored by references that it is among, as the paper's numbers "
    "have them: numbers of programs alone are others by far."
)
