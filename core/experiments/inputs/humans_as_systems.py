"""Human summaries as systems, scored against references that include themselves.

Work on TAC's files as distributed did so (Wang et al. 2020 among them): each human summary is one of its own
references, which raises correlations substantially.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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
        "all = human summaries too, as in the paper, each scored against references that include itself; "
        "automatic = automatic systems only."
    )
    return setting(EVERYBODY, explained, choices=(EVERYBODY, AUTOMATIC), title="Systems")


@dataclass(frozen=True, slots=True)
class HumanSystemJudgements:
    """Judgements by name, and the systems judged.

    has_references: whether references are rows.
    policy: a sentence.
    """

    people: Mapping[str, ScoreMatrix]
    has_references: bool
    policy: str

    @property
    def people_are_systems(self) -> bool:
        """Return whether human summaries are among the rows, as references or as systems."""
        return self.policy == _WITH_PEOPLE


def load_with_humans(
    study: Study, names: Sequence[str], systems: str, *, may_add_references: bool = True
) -> HumanSystemJudgements:
    """Load judgements of automatic systems, or of human summaries too if there are any.

    Human summaries are the study's human systems, else its references, each judged by the other references.
    may_add_references: measures are scored for them too.
    """
    judgements = judgement_matrices(study, names)
    programs = automatic(study)
    alone = HumanSystemJudgements(
        {name: one.only(programs) for name, one in judgements.items()}, False, _ALONE
    )
    if systems == AUTOMATIC:
        return alone
    if any(system.kind is SystemKind.HUMAN for system in study.texts.systems()):
        return HumanSystemJudgements(judgements, False, _WITH_PEOPLE)
    if not may_add_references:
        return alone
    wider = judgement_matrices(study, [_with_references(name) for name in names])
    if not any(np.isfinite(one.values[len(study.texts.systems()) :]).any() for one in wider.values()):
        return alone
    return HumanSystemJudgements(wider, True, _WITH_PEOPLE)


def scored_with_people(
    study: Study, resources: Resources, specs: Sequence[MeasureSpec]
) -> JobSteps[MatrixSet]:
    """Load the measures that a paper compared, with references among the systems.

    A metric that reads all references at once excludes each human summary from its own references; a sentence
    says so.
    """
    reading = yield from score_and_load(study, resources, specs, humans=True)
    topics = tuple(head.name for head in study.texts.topics())
    refs = [one.ref for one in reading.measured]
    apart = [ref.label for ref in refs if not_poolable_reason(ref, with_people=True)]
    policy_texts = (f"{', '.join(apart)}: human summaries are scored against the other references only.",)
    return MatrixSet(
        tuple(full_topics(study, ref, topics) for ref in refs),
        reading.missing,
        reading.stand_ins,
        (*(policy_texts if apart else ()), *reading.warnings),
    )


def load_with_people(
    study: Study, resources: Resources, specs: Sequence[MeasureSpec]
) -> JobSteps[SubsetSources]:
    """Load subset scorers of the same measures.

    Raises InputError for a metric that reads references jointly.
    """
    reading: MeasureSet = yield from score_and_load(study, resources, specs, humans=True)
    sources = stored_scorers(study, [one.ref for one in reading.measured], with_people=True)
    return SubsetSources(tuple(sources), reading.missing, reading.stand_ins, reading.warnings)


def full_topics(study: Study, ref: MeasureRef, topics: Sequence[str]) -> ScoreMatrix:
    """Return a measure of systems and references by all references, including themselves.

    Higher is better.
    """
    if not_poolable_reason(ref, with_people=True):
        scores = matrix(study, ref)
        return replace(scores, values=ref.sign * scores.values)
    (source,) = stored_scorers(study, [ref], with_people=True)
    rows = tuple(dict.fromkeys(name for b in source.pooled.blocks.values() for name in b.systems))
    return ScoreMatrix(ref.label, rows, tuple(topics), _by_all(source, rows, topics))


def _by_all(source: StoredScores, rows: Sequence[str], topics: Sequence[str]) -> Array:
    """Return scores by every reference, shape (systems, topics), NaN = not scored."""
    values = np.full((len(rows), len(topics)), np.nan)
    for at, topic in enumerate(topics):
        if authors := source.authors(topic):
            values[:, at] = source.values(topic, np.ones((1, len(authors)), dtype=np.bool_), rows)[0]
    return values


def _with_references(name: str) -> str:
    """Return the name of a pyramid score that judges references too; other names unchanged."""
    judgement = PyramidJudgement.read(name)
    return name if judgement is None or judgement.scope.parts() else f"{name}[{JACKKNIFE_KEY}]"


_ALONE = "Only automatic systems are included. The paper's numbers include human summaries."
_WITH_PEOPLE = (
    "Human summaries are systems too, each scored against references that include itself, as in the "
    "paper. Results without humans differ greatly."
)
