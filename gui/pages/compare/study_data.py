"""What the Compare page reads from a study, in jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.comparison.cautions import metric_notes
from core.comparison.comparison import Comparison, SystemSelection, judgements_for, load_comparison
from core.comparison.judgements import JudgementRef, judgements
from core.comparison.measures import MeasureRef, measures
from core.comparison.pyramid_judgements import with_humans
from core.domain.study import TopicHeader
from core.errors import InputError
from core.matrix import ScoreMatrix
from core.ports import Study
from core.progress import JobSteps, Progress
from core.scoring.engine_tools import StudyResources


@dataclass(frozen=True, slots=True)
class ComparisonFilter:
    """What takes part of what was read.

    without: systems left out. topics: the name of a set, empty = all. common: only systems and topics that
    every measure has scored in whole.
    """

    without: frozenset[str] = frozenset()
    topics: str = ""
    common: bool = False


EVERYTHING = ComparisonFilter()


@dataclass(frozen=True, slots=True, eq=False)
class ComparisonData:
    """A study's numbers, read once. judgements: name to what it is. topics: by name.

    is_common: restricted to what every measure has scored. refusal: why that is not possible.
    """

    comparison: Comparison
    judgements: Mapping[str, JudgementRef]
    topics: Mapping[str, TopicHeader]
    is_common: bool = False
    refusal: str = ""

    def system_names(self) -> tuple[str, ...]:
        """Every system that something has scored, in the study's order."""
        return tuple(dict.fromkeys(name for one in self.comparison.scores for name in one.systems))

    def topic_sets(self) -> tuple[str, ...]:
        """The names of the sets that topics are in, as ``initial``; none where there is but one."""
        found = dict.fromkeys(head.set for head in self.topics.values())
        return tuple(name for name in found if name) if len(found) > 1 else ()

    def ref(self, label: str) -> MeasureRef | None:
        """The measure of a label, None = it is not here."""
        return next((ref for ref in self.comparison.refs if ref.label == label), None)

    def scores(self, label: str) -> ScoreMatrix:
        """A measure's numbers."""
        labels = [ref.label for ref in self.comparison.refs]
        return self.comparison.scores[labels.index(label)]

    def within(self, scope: ComparisonFilter) -> ComparisonData:
        """Only these systems and topics."""
        if scope == EVERYTHING:
            return self
        topics = {n: head for n, head in self.topics.items() if scope.topics in ("", head.set)}

        def cut(one: ScoreMatrix) -> ScoreMatrix:
            systems = tuple(name for name in one.systems if name not in scope.without)
            return one.select(systems, tuple(name for name in one.topics if name in topics))

        whole = self.comparison
        scores = tuple(cut(one) for one in whole.scores)
        judged = {name: cut(one) for name, one in whole.judgements.items()}
        part = replace(whole, scores=scores, judgements=judged)
        if not scope.common:
            return ComparisonData(part, self.judgements, topics)
        try:
            return ComparisonData(part.common(), self.judgements, topics, is_common=True)
        except InputError as error:
            return ComparisonData(part, self.judgements, topics, refusal=str(error))


def retained_judgements(chosen: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """Of the known judgements those that were chosen, with references as systems or without."""
    plain = set(with_humans(chosen, humans=False))
    pairs = zip(known, with_humans(known, humans=False), strict=True)
    return tuple(name for name, without in pairs if without in plain)


def load_data(study: Study, systems: SystemSelection, *, with_made: bool = False) -> JobSteps[ComparisonData]:
    """Read every measure and judgement. with_made: measures too that experiments alone have scored."""
    yield Progress(0, 0, "reading scores and judgements")
    names = judgements_for(systems, [ref.name for ref in judgements(study)])
    refs = {ref.name: ref for ref in judgements(study, names=names) if ref.cells}
    comparison = load_comparison(study, list(refs), systems=systems, with_made=with_made)
    return ComparisonData(comparison, refs, {head.name: head for head in study.topics()})


@dataclass(frozen=True, slots=True)
class ScoreStatus:
    """What is to be known of scores. stale: labels of the measures whose scores were made from something that
    has changed since. notes: what metrics noted while they scored, in sentences.
    """

    stale: frozenset[str]
    notes: tuple[str, ...]


def find_stale(study: Study, device: str, *, with_made: bool = False) -> JobSteps[ScoreStatus]:
    """Look at the scores beside the texts as they are now."""
    yield Progress(0, 0, "comparing scores with the texts")
    refs = measures(study, StudyResources(study, device), with_made=with_made)
    yield Progress(0, 0, "reading what metrics noted")
    return ScoreStatus(frozenset(ref.label for ref in refs if ref.is_stale), tuple(metric_notes(study, refs)))
