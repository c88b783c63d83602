"""Data that the Compare page reads from a study, in jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.comparison.cautions import metric_notes
from core.comparison.comparison import Comparison, judgements_for, load_comparison
from core.comparison.filters import NO_FILTER, Filter, apply_filter
from core.comparison.judgements import JudgementRef, judgements
from core.comparison.measures import MeasureRef, measures
from core.comparison.options import SystemSelection
from core.comparison.pyramid_judgements import with_humans
from core.domain.study import TopicHeader
from core.errors import InputError
from core.matrix import ScoreMatrix
from core.ports import Study
from core.progress import JobSteps, Progress
from core.scoring.engine_tools import StudyResources


@dataclass(frozen=True, slots=True, eq=False)
class ComparisonData:
    """A study's scores and judgements, read once. judgements, topics: by name.

    is_common: whether the data are restricted to common systems and topics.
    refusal: why that restriction is not possible; empty = it is.
    """

    comparison: Comparison
    judgements: Mapping[str, JudgementRef]
    topics: Mapping[str, TopicHeader]
    is_common: bool = False
    refusal: str = ""

    def system_names(self) -> tuple[str, ...]:
        """Return all scored systems in the study's order."""
        return tuple(dict.fromkeys(name for one in self.comparison.scores for name in one.systems))

    def topic_sets(self) -> tuple[str, ...]:
        """Return the names of topic sets, as ``initial``; none if there is only one."""
        sets = dict.fromkeys(head.set for head in self.topics.values())
        return tuple(name for name in sets if name) if len(sets) > 1 else ()

    def ref(self, label: str) -> MeasureRef | None:
        """Return the measure of a label; None = unknown."""
        return next((ref for ref in self.comparison.refs if ref.label == label), None)

    def scores(self, label: str) -> ScoreMatrix:
        """Return a measure's scores."""
        labels = [ref.label for ref in self.comparison.refs]
        return self.comparison.scores[labels.index(label)]

    def within(self, scope: Filter) -> ComparisonData:
        """Return the data of the included systems and topics."""
        if scope == NO_FILTER:
            return self
        topics = {n: head for n, head in self.topics.items() if scope.topic_set in ("", head.set)}
        part = apply_filter(self.comparison, scope, topics)
        if not scope.common:
            return ComparisonData(part, self.judgements, topics)
        try:
            return ComparisonData(part.common(), self.judgements, topics, is_common=True)
        except InputError as error:
            return ComparisonData(part, self.judgements, topics, refusal=str(error))


def retained_judgements(chosen: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """Return the known judgements that were chosen, with or without references as systems."""
    plain = set(with_humans(chosen, humans=False))
    pairs = zip(known, with_humans(known, humans=False), strict=True)
    return tuple(name for name, without in pairs if without in plain)


def load_data(study: Study, systems: SystemSelection, *, with_made: bool = False) -> JobSteps[ComparisonData]:
    """Read every measure and judgement. with_made: include measures scored only by experiments."""
    yield Progress(0, 0, "reading scores and judgements")
    names = judgements_for(systems, [ref.name for ref in judgements(study)])
    refs = {ref.name: ref for ref in judgements(study, names=names) if ref.cells}
    comparison = load_comparison(study, list(refs), systems=systems, with_made=with_made)
    return ComparisonData(comparison, refs, {head.name: head for head in study.texts.topics()})


@dataclass(frozen=True, slots=True)
class ScoreStatus:
    """Status of the scores.

    stale: labels of the measures whose inputs have changed since scoring.
    notes: sentences recorded by metrics during scoring.
    """

    stale: frozenset[str]
    notes: tuple[str, ...]


def find_stale(study: Study, device: str, *, with_made: bool = False) -> JobSteps[ScoreStatus]:
    """Compare the scores with the current texts to find stale ones."""
    yield Progress(0, 0, "comparing scores with the texts")
    refs = measures(study, StudyResources(study, device), with_made=with_made)
    yield Progress(0, 0, "reading notes of metrics")
    return ScoreStatus(frozenset(ref.label for ref in refs if ref.is_stale), tuple(metric_notes(study, refs)))
