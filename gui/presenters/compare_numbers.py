"""What the Compare page reads from a study, in jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.comparison import Comparison, CorrelationRow, Systems, judgements_for, load_comparison
from core.domain.study import TopicHead
from core.errors import InputError
from core.judgements import JudgementRef, judgements
from core.matrix import Array, Matrix
from core.measures import MeasureRef, measures
from core.ports import Study
from core.progress import Progress, Steps
from core.pyramid_judgements import with_humans
from core.stats.correlation import Coefficient, Level, Undefined
from core.tools import EngineTools


@dataclass(frozen=True, slots=True)
class Scope:
    """What takes part of what was read. without: systems left out. topics: the name of a set, empty = all."""

    without: frozenset[str] = frozenset()
    topics: str = ""


EVERYTHING = Scope()


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """A study's numbers, read once. judgements: name to what it is. topics: by name."""

    comparison: Comparison
    judgements: Mapping[str, JudgementRef]
    topics: Mapping[str, TopicHead]

    def system_names(self) -> tuple[str, ...]:
        """Every system that something has scored, in the study's order."""
        return tuple(dict.fromkeys(name for one in self.comparison.scores for name in one.systems))

    def topic_sets(self) -> tuple[str, ...]:
        """The names of the sets that topics are in, as ``initial``; none where there is but one."""
        found = dict.fromkeys(head.set for head in self.topics.values())
        return tuple(name for name in found if name) if len(found) > 1 else ()

    def systems(self, human: str) -> int:
        """How many systems are both scored and judged."""
        return len(set(self.system_names()) & _judged(self.comparison.judgements[human]))

    def only(self, human: str) -> Comparison:
        """The comparison with this judgement alone."""
        return replace(self.comparison, judgements={human: self.comparison.judgements[human]})

    def ref(self, label: str) -> MeasureRef | None:
        """The measure of a label, None = it is not here."""
        return next((ref for ref in self.comparison.refs if ref.label == label), None)

    def scores(self, label: str) -> Matrix:
        """A measure's numbers."""
        labels = [ref.label for ref in self.comparison.refs]
        return self.comparison.scores[labels.index(label)]

    def within(self, scope: Scope) -> Numbers:
        """Only these systems and topics."""
        if scope == EVERYTHING:
            return self
        topics = {n: head for n, head in self.topics.items() if scope.topics in ("", head.set)}

        def cut(one: Matrix) -> Matrix:
            systems = tuple(name for name in one.systems if name not in scope.without)
            return one.select(systems, tuple(name for name in one.topics if name in topics))

        whole = self.comparison
        scores = tuple(cut(one) for one in whole.scores)
        judged = {name: cut(one) for name, one in whole.judgements.items()}
        return Numbers(replace(whole, scores=scores, judgements=judged), self.judgements, topics)


@dataclass(frozen=True, slots=True)
class Question:
    """What a column of the table shows."""

    level: Level
    coefficient: Coefficient
    human: str
    undefined: Undefined = Undefined.SKIP
    scope: Scope = EVERYTHING


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What the numbers say to a question.

    rows: a measure each, in their order. refusal: why there are none, where undefined ones are an error.
    """

    question: Question
    rows: Sequence[CorrelationRow]
    refusal: str = ""


def _judged(judgement: Matrix) -> set[str]:
    there = np.asarray(np.isfinite(judgement.values).any(axis=1))
    return {name for name, is_there in zip(judgement.systems, there, strict=True) if is_there}


def signs_of(refs: Sequence[MeasureRef], coefficient: Coefficient) -> Array:
    """-1 for measures of errors, which should be low where people's numbers are high; else 1.

    Accuracy lies in [0, 1] and has no sign.
    """
    has_sign = coefficient is not Coefficient.ACCURACY
    return np.array([-1.0 if has_sign and not ref.config.higher_is_better else 1.0 for ref in refs])


def best_of(rows: Sequence[CorrelationRow], refs: Sequence[MeasureRef]) -> tuple[int, ...]:
    """The places of the strongest in the direction that each measure should have; several where they tie."""
    if not rows:
        return ()
    better = signs_of(refs, rows[0].coefficient) * np.array([row.value for row in rows])
    if not np.isfinite(better).any():
        return ()
    return tuple(np.flatnonzero(better == np.nanmax(better)).tolist())


def kept_judgements(chosen: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """Of the known judgements those that were chosen, with references as systems or without."""
    plain = set(with_humans(chosen, humans=False))
    pairs = zip(known, with_humans(known, humans=False), strict=True)
    return tuple(name for name, without in pairs if without in plain)


def loading(study: Study, systems: Systems) -> Steps[Numbers]:
    """Read every measure and judgement."""
    yield Progress(0, 0, "reading scores and judgements")
    names = judgements_for(systems, [ref.name for ref in judgements(study)])
    refs = {ref.name: ref for ref in judgements(study, names=names) if ref.cells}
    comparison = load_comparison(study, list(refs), systems=systems)
    return Numbers(comparison, refs, {head.name: head for head in study.topics()})


def answering(numbers: Numbers, questions: Sequence[Question]) -> Steps[list[Answer]]:
    """Correlate every measure with each judgement asked for. numbers: those within the questions' scope."""
    answers = []
    for place, question in enumerate(questions):
        yield Progress(place, len(questions))
        answers.append(_answer(numbers, question))
    return answers


def _answer(numbers: Numbers, question: Question) -> Answer:
    chosen = numbers.only(question.human)
    try:
        rows = chosen.rows(question.level, question.coefficient, question.undefined)
    except InputError as error:
        skipped = chosen.rows(question.level, question.coefficient)
        return Answer(question, [replace(row, value=np.nan, p=np.nan) for row in skipped], str(error))
    return Answer(question, rows)


def finding_stale(study: Study, device: str) -> Steps[frozenset[str]]:
    """Labels of the measures whose scores were made from something that has changed since."""
    yield Progress(0, 0, "comparing scores with the texts")
    return frozenset(ref.label for ref in measures(study, EngineTools(study, device)) if ref.is_stale)
