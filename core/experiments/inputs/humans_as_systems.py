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
from core.experiments.inputs.measure_inputs import Reading, Wanted, automatic, measure
from core.experiments.inputs.named_matrices import Named
from core.experiments.inputs.subset_inputs import Gathered
from core.experiments.inputs.subset_scores import StoredScores, stored_scores, why_not
from core.matrix import Array, Matrix
from core.metrics.base import Tools, setting
from core.ports import HUMANS, Study
from core.progress import Steps

EVERYBODY, AUTOMATIC = "all", "automatic"


def systems_setting() -> Any:
    explained = (
        "all = people's summaries too, as the paper has them: each scored by references that it is among; "
        "automatic = programs alone."
    )
    return setting(EVERYBODY, explained, choices=(EVERYBODY, AUTOMATIC), title="Systems")


@dataclass(frozen=True, slots=True)
class Judged:
    """Judgements by name, and who is judged. has_references: references are rows. policy: a sentence."""

    people: Mapping[str, Matrix]
    has_references: bool
    policy: str

    @property
    def people_are_systems(self) -> bool:
        """Whether people's summaries are among the rows, as references or as systems."""
        return self.policy == _WITH_PEOPLE


def judged_systems(
    study: Study, names: Sequence[str], systems: str, *, may_add_references: bool = True
) -> Judged:
    """Judgements of programs, or of people's summaries too where there are any.

    People's summaries are the study's systems of that kind, else its references, of which pyramids judge each
    by the others. may_add_references: measures are scored for them too.
    """
    found = judgement_matrices(study, names)
    programs = automatic(study)
    alone = Judged({name: one.only(programs) for name, one in found.items()}, False, _ALONE)
    if systems == AUTOMATIC:
        return alone
    if any(system.kind is SystemKind.HUMAN for system in study.systems()):
        return Judged(found, False, _WITH_PEOPLE)
    if not may_add_references:
        return alone
    wider = judgement_matrices(study, [_with_references(name) for name in names])
    if not any(np.isfinite(one.values[len(study.systems()) :]).any() for one in wider.values()):
        return alone
    return Judged(wider, True, _WITH_PEOPLE)


def scored_with_people(study: Study, tools: Tools, wanted: Sequence[Wanted]) -> Steps[Named]:
    """What a paper compared, references among the systems.

    A metric that reads all references at once leaves each person's own out, and a sentence says so.
    """
    reading = yield from measure(study, tools, wanted, humans=True)
    topics = tuple(head.name for head in study.topics())
    refs = [one.ref for one in reading.measured]
    apart = [ref.label for ref in refs if why_not(ref, with_people=True)]
    said = (f"{', '.join(apart)}: people's summaries are scored by the others' references alone.",)
    return Named(
        tuple(whole(study, ref, topics) for ref in refs),
        reading.missing,
        reading.stand_ins,
        (*(said if apart else ()), *reading.warnings),
    )


def gathered_with_people(study: Study, tools: Tools, wanted: Sequence[Wanted]) -> Steps[Gathered]:
    """The same where references are to be chosen. Raises InputError where a metric reads them at once."""
    reading: Reading = yield from measure(study, tools, wanted, humans=True)
    sources = stored_scores(study, [one.ref for one in reading.measured], with_people=True)
    return Gathered(tuple(sources), reading.missing, reading.stand_ins, reading.warnings)


def whole(study: Study, ref: MeasureRef, topics: Sequence[str]) -> Matrix:
    """A measure of programs and references by all references, themselves included, more is better."""
    if why_not(ref, with_people=True):
        found = matrix(study, ref)
        return found if ref.config.higher_is_better else _turned(found)
    (source,) = stored_scores(study, [ref], with_people=True)
    rows = tuple(dict.fromkeys(name for b in source.pooled.blocks.values() for name in b.systems))
    return Matrix(ref.label, rows, tuple(topics), _by_all(source, rows, topics))


def _by_all(source: StoredScores, rows: Sequence[str], topics: Sequence[str]) -> Array:
    """Numbers by every reference, shape (systems, topics), NaN = not scored."""
    values = np.full((len(rows), len(topics)), np.nan)
    for at, topic in enumerate(topics):
        if authors := source.authors(topic):
            values[:, at] = source.values(topic, np.ones((1, len(authors)), dtype=np.bool_), rows)[0]
    return values


def _turned(found: Matrix) -> Matrix:
    return Matrix(found.label, found.systems, found.topics, -found.values)


def _with_references(name: str) -> str:
    """A pyramid score under the name that judges references too; another judgement as it is."""
    judgement = PyramidJudgement.read(name)
    return name if judgement is None or judgement.scope.parts() else f"{name}[{HUMANS}]"


_ALONE = "Systems are programs alone. The paper's numbers count people's summaries among them."
_WITH_PEOPLE = (
    "People's summaries are systems too, each scored by references that it is among, as the paper's numbers "
    "have them: numbers of programs alone are others by far."
)
