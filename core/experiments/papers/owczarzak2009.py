"""Tables and figures of Owczarzak & Dang 2009: metrics under varying data conditions.

The four metrics compared are ROUGE-2, ROUGE-SU4 and BE (recall, stemmed), and the pyramid score.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from core.comparison.judgements import judgement_matrix, rated_judgements, unit_judgement
from core.domain.topic_sets import INITIAL, UPDATE
from core.errors import InputError
from core.experiments.analyses.split_half import REFERENCES, SplitHalf, SplitJudgement
from core.experiments.analyses.topics.vary_topics import VaryTopics
from core.experiments.analyses.vary_references import VaryReferences
from core.experiments.common_settings import own_judgements_setting, own_measures_setting
from core.experiments.experiment import Experiment
from core.experiments.inputs.measure_inputs import MeasureSpec, automatic, load_judgements, names_in
from core.experiments.inputs.named_matrices import MatrixSet, load_matrices, load_named
from core.experiments.inputs.subset_inputs import SubsetSources, load_paper_sources, load_sources
from core.experiments.inputs.tac_names import (
    PYRAMIDS,
    RESPONSIVENESS,
    has_set,
    resolve_judgement,
    resolve_topic_set,
)
from core.experiments.inputs.topic_filters import topics_of_set
from core.matrix import ScoreMatrix
from core.metrics.base import Resources, setting
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Result

METRICS = (
    MeasureSpec("ROUGE-2", "rouge-n:n=2,stem=yes", "rouge-2.recall"),
    MeasureSpec("ROUGE-SU4", "rouge-su:gap=4,stem=yes", "rouge-su4.recall"),
    MeasureSpec("BE", "be:elements=rules", "be-hm.recall", own="be"),
)


def against_setting() -> Any:
    return setting(
        RESPONSIVENESS,
        "Judgement to correlate with if none is selected.",
        choices=(RESPONSIVENESS, PYRAMIDS),
        title="Against",
    )


def pyramid_setting() -> Any:
    return setting(
        True, "Also include the pyramid score as a metric, unless it is the judgement.", title="Pyramid"
    )


_NO_REFERENCES = "This study has no references."


def _missing(study: Study, against: str, judgements: str, topics: str) -> str:
    """Return what the study lacks for the paper's experiments, a sentence; empty if nothing."""
    try:
        if not judgements:
            resolve_judgement(study, against)
        resolve_topic_set(study, topics)
    except InputError as error:
        return str(error)
    return "" if study.texts.reference_authors() else _NO_REFERENCES


def _stand_ins(study: Study, against: str, judgements: str, topics: str) -> tuple[str, ...]:
    message = "" if judgements else resolve_judgement(study, against).stand_in
    return tuple(text for text in (message, resolve_topic_set(study, topics).stand_in) if text)


class _AsThePaper(Experiment):
    """Base of both experiments: the paper's judgement and topic set, or their substitutes."""

    judgements: str
    against: str
    set: str
    pyramid: bool

    @property
    def pyramid_row(self) -> str:
        """Return the pyramid's name among the measures; empty if it is the judgement or not requested."""
        return "Pyramid" if self.pyramid and self.against == RESPONSIVENESS else ""

    def missing_requirements(self, study: Study) -> str:
        return _missing(study, self.against, self.judgements, self.set)

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        chosen = {"set": resolve_topic_set(study, self.set).name}  # a field of the subclass
        here = replace(self, **chosen)
        result = yield from super(_AsThePaper, here).run(study, resources)
        message = _stand_ins(study, self.against, self.judgements, self.set)
        return replace(result, stand_ins=(*message, *result.stand_ins))

    def people(self, study: Study) -> Mapping[str, ScoreMatrix]:
        return load_judgements(study, self.judgements or resolve_judgement(study, self.against).name)


@dataclass(frozen=True)
class ConditionsReferences(_AsThePaper, VaryReferences):
    """Tables 1 to 5, Figures 2 and 3: one to four references."""

    name: ClassVar[str] = "conditions-references"
    title: ClassVar[str] = "Correlations with one to all references"
    scores_texts: ClassVar[bool] = True

    judgements: str = own_judgements_setting()
    measures: str = own_measures_setting()
    against: str = against_setting()
    pyramid: bool = pyramid_setting()

    def load_inputs(self, study: Study, resources: Resources) -> JobSteps[SubsetSources]:
        if self.measures:
            return load_sources(study, names_in(self.measures))
        return (yield from load_paper_sources(study, resources, METRICS, pyramid=self.pyramid_row))


@dataclass(frozen=True)
class ConditionsTopics(_AsThePaper, VaryTopics):
    """Tables 7 to 11, Figures 4 to 7: one to all topics."""

    name: ClassVar[str] = "conditions-topics"
    title: ClassVar[str] = "Correlations with one to all topics"
    scores_texts: ClassVar[bool] = True

    judgements: str = own_judgements_setting()
    measures: str = own_measures_setting()
    against: str = against_setting()
    pyramid: bool = pyramid_setting()

    def load_inputs(self, study: Study, resources: Resources) -> JobSteps[MatrixSet]:
        if self.measures:
            return load_matrices(study, names_in(self.measures))
        return (yield from load_named(study, resources, METRICS, pyramid=self.pyramid_row))


@dataclass(frozen=True)
class ConditionsItself(_AsThePaper, VaryTopics):
    """Footnote 1: each judgement on fewer topics compared with itself on all topics."""

    name: ClassVar[str] = "conditions-itself"
    title: ClassVar[str] = "Judgements on fewer topics"

    judgements: str = own_judgements_setting()
    measures: str = setting("", "Measures to compare as well, separated by commas.", title="Measures")
    against: str = against_setting()
    pyramid: bool = pyramid_setting()
    itself: bool = setting(True, "Correlate the judgement with itself.", title="Judgement itself")

    def missing_requirements(self, study: Study) -> str:
        missing = _missing(study, self.against, self.judgements, self.set)
        return "" if missing == _NO_REFERENCES else missing

    def people(self, study: Study) -> Mapping[str, ScoreMatrix]:
        names = [] if self.judgements else [resolve_judgement(study, RESPONSIVENESS).name]
        if not self.judgements and self.pyramid and unit_judgement(study):
            names.append(resolve_judgement(study, PYRAMIDS).name)
        return load_judgements(study, self.judgements or ",".join(f'"{name}"' for name in names))

    def load_inputs(self, study: Study, resources: Resources) -> JobSteps[MatrixSet]:
        """Return no measure unless some are requested."""
        yield Progress(0, 0, "reading judgements")
        return load_matrices(study, names_in(self.measures)) if self.measures else MatrixSet(())


@dataclass(frozen=True)
class ConditionsStability(SplitHalf):
    """Table 6: both judgements on disjoint topics. Figure 1: the pyramid on disjoint references."""

    name: ClassVar[str] = "conditions-stability"
    title: ClassVar[str] = "Stability of the judgements"

    judgements: str = own_judgements_setting()

    def missing_requirements(self, study: Study) -> str:
        try:
            self._sets(study)
            if not self.judgements:
                self._usual(study)
        except InputError as error:
            return str(error)
        return ""

    def chosen(self, study: Study) -> list[SplitJudgement]:
        rows, judgements = automatic(study), []
        for name in names_in(self.judgements) or self._usual(study):
            judgement = judgement_matrix(study, name).only(rows).in_order()
            for place in self._sets(study):
                label = f"{name}, {place}" if place else name
                judgements.append(SplitJudgement(label, name, judgement, topics_of_set(study, place)))
        return judgements

    def stand_ins(self, study: Study) -> tuple[str, ...]:
        asks = self.of != REFERENCES and not self.judgements and bool(rated_judgements(study))
        sources = [resolve_judgement(study, RESPONSIVENESS)] if asks else []
        message = [
            one.stand_in for one in (*sources, resolve_topic_set(study, self.set or INITIAL)) if one.stand_in
        ]
        has_update = self.set or self.of == REFERENCES or has_set(study, UPDATE)
        return (
            *message,
            *(() if has_update else ("The study has no update topics, which the paper included.",)),
        )

    def _usual(self, study: Study) -> list[str]:
        """Return the paper's judgements that the study has. Raises InputError if there is none."""
        if self.of == REFERENCES or not rated_judgements(study):
            return [resolve_judgement(study, PYRAMIDS).name]
        pyramid = [resolve_judgement(study, PYRAMIDS).name] if unit_judgement(study) else []
        return [resolve_judgement(study, RESPONSIVENESS).name, *pyramid]

    def _sets(self, study: Study) -> list[str]:
        """Return the selected set; by default initial and update topics if topics have sets."""
        if self.set:
            return [resolve_topic_set(study, self.set).name]
        update = [resolve_topic_set(study, UPDATE).name] if has_set(study, UPDATE) else []
        return [resolve_topic_set(study, INITIAL).name, *update]
