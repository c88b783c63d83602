"""Tables and figure of Wang, Liu, Chang & Sui 2020 (anchored ROUGE), for any study with judged summaries.

The paper's numbers on TAC include human summaries as systems, scored against references that include
themselves (`core.experiments.inputs.humans_as_systems`); so do these, if human summaries are judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from core.comparison.judgements import judgements, unit_judgement
from core.comparison.measures import MeasureRef, matrix
from core.comparison.stand_ins import stand_in_of
from core.errors import InputError
from core.experiments.analyses.best_measure import AgainstTheBest
from core.experiments.analyses.vary_references import ALL, RANDOM, VaryReferences, subsets_setting
from core.experiments.common_settings import (
    level_setting,
    own_judgements_setting,
    own_measures_setting,
    policy,
)
from core.experiments.experiment import Checkpoint, Experiment
from core.experiments.inputs.humans_as_systems import (
    AUTOMATIC,
    EVERYBODY,
    HumanSystemJudgements,
    full_topics,
    load_with_humans,
    load_with_people,
    scored_with_people,
    systems_setting,
)
from core.experiments.inputs.measure_inputs import (
    NO_JUDGEMENTS,
    PYRAMID,
    MeasureSpec,
    names_in,
    no_judgements,
    score_and_load,
    score_configs,
    stacked,
)
from core.experiments.inputs.named_matrices import MatrixSet, load_matrices
from core.experiments.inputs.subset_correlations import SubsetExperiment
from core.experiments.inputs.subset_inputs import load_paper_sources
from core.experiments.inputs.topic_filters import judged_on, set_setting, topics_of_set, whole_numbers
from core.experiments.registry import recipe
from core.experiments.tables.conditions import NONE, Condition, curves
from core.formatting.coefficients import coefficient_title
from core.formatting.tables import MARK, Cell, CellKind, Column, Table
from core.matrix import ScoreMatrix
from core.metrics import registry
from core.metrics.base import Resources, setting
from core.ports import MetricConfig, Study
from core.progress import JobSteps
from core.results.result import Chart, ChartKind, Part, Result, Series
from core.scoring.config import ScoringConfig
from core.stats.correlation import Coefficient, Level, correlate_many

BOTH = "both"
PAPER = "Wang, Liu, Chang & Sui 2020"
BERT = "bert-base-uncased"

ANCHORED = tuple(
    MeasureSpec(f"AncR-{n}", f"ancr:n={n}", f"ancr-{n}.recall", own=f"ancr:n={n},encoder={BERT}")
    for n in (1, 2)
)
OTHERS = (
    MeasureSpec("R-1", "rouge-n:n=1,stem=yes", "rouge-1.recall"),
    MeasureSpec("R-2", "rouge-n:n=2,stem=yes", "rouge-2.recall"),
    MeasureSpec("R-1-WE", "rouge-we:n=1", "rouge-we-1-ng2015.recall", own="rouge-we:n=1,vectors=google-news"),
    MeasureSpec("R-2-WE", "rouge-we:n=2", "rouge-we-2-ng2015.recall", own="rouge-we:n=2,vectors=google-news"),
    MeasureSpec("BERTScore", "bertscore", "bertscore.f", own=f"bertscore:encoder={BERT}"),
    MeasureSpec("S3 full", "s3", learned="s3-full"),
    MeasureSpec("S3 best", "s3", learned="s3-best"),
    MeasureSpec("Mover", "moverscore:mode=v1", own="moverscore:mode=v1,encoder=bert-base-mnli"),
)


def note_on_sets(study: Study, chosen: str) -> tuple[str, ...]:
    """Return a sentence if topics of several sets are mixed, which the paper did not do."""
    sets = list(dict.fromkeys(head.set for head in study.texts.topics() if head.set))
    if chosen or len(sets) < 2:
        return ()
    return (
        f"The topics belong to the sets {', '.join(sets)}; the paper used only set A (initial). Choose one "
        "in the setting Set of topics.",
    )


def pyramid_or_other(study: Study, listed: str) -> tuple[str, str]:
    """Return the judgement's names, and a sentence if it is not the paper's pyramid score.

    listed: as selected.
    """
    if listed:
        return listed, ""
    name = unit_judgement(study) or next((ref.name for ref in judgements(study)), "")
    if not name:
        raise InputError(NO_JUDGEMENTS)
    return f'"{name}"', "" if name == PYRAMID else f"{name} replaces the pyramid score, which the paper used."


@recipe("anchored-table-1", paper=PAPER, title="Anchored ROUGE and other metrics compared with the best")
@dataclass(frozen=True)
class Wang2020Table1(AgainstTheBest):
    """Table 1: ROUGE, ROUGE-WE, BERTScore, S3, MoverScore and anchored ROUGE vs pyramid scores."""

    name: ClassVar[str] = "anchored-best"
    title: ClassVar[str] = "Anchored ROUGE and other metrics"
    scores_texts: ClassVar[bool] = True

    judgements: str = own_judgements_setting()
    measures: str = own_measures_setting()
    systems: str = systems_setting()

    def missing_requirements(self, study: Study) -> str:
        return no_judgements(study)

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        result = yield from super().run(study, resources)
        return replace(
            result,
            policy=(*result.policy, self._judged(study).policy),
            warnings=(*note_on_sets(study, self.set), *result.warnings),
        )

    def people(self, study: Study) -> Mapping[str, ScoreMatrix]:
        return self._judged(study).people

    def compared(self, study: Study, resources: Resources) -> JobSteps[MatrixSet]:
        if self.measures:
            return load_matrices(study, names_in(self.measures), with_people=self.systems == EVERYBODY)
        if self._judged(study).has_references:
            return (yield from scored_with_people(study, resources, (*OTHERS, *ANCHORED)))
        reading = yield from score_and_load(study, resources, (*OTHERS, *ANCHORED))
        relabelled = [replace(matrix(study, one.ref), label=one.label) for one in reading.measured]
        return MatrixSet(tuple(relabelled), reading.missing, reading.stand_ins, reading.warnings)

    def _judged(self, study: Study) -> HumanSystemJudgements:
        names = names_in(pyramid_or_other(study, self.judgements)[0])
        return load_with_humans(study, names, self.systems, may_add_references=not self.measures)

    def stand_ins(self, study: Study) -> tuple[str, ...]:
        note = pyramid_or_other(study, self.judgements)[1]
        return (note,) if note else ()


@recipe("anchored-figure-3", paper=PAPER, title="Anchored ROUGE by anchor set size")
@dataclass(frozen=True)
class Wang2020Figure3(Experiment):
    """Figure 3: both anchored ROUGEs for several k; configurations are scored and stored like all others."""

    name: ClassVar[str] = "anchored-sizes"
    title: ClassVar[str] = "Anchored ROUGE by anchor set size"
    about: ClassVar[str] = "Correlation by number of nearest document positions that anchor each particle."
    scores_texts: ClassVar[bool] = True

    judgements: str = own_judgements_setting()
    k: str = setting(
        "1,2,3,4,5,6,8,10,15,20", "Sizes of the anchor sets, separated by commas.", title="Sizes"
    )
    set: str = set_setting()
    level: str = level_setting(Level.TOPIC)
    systems: str = systems_setting()

    def missing_requirements(self, study: Study) -> str:
        if not any(head.documents for head in study.texts.topics()):
            return "This study has no documents. Anchored ROUGE requires them."
        return no_judgements(study)

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        listed, stand_in = pyramid_or_other(study, self.judgements)
        sizes, level = whole_numbers(self.k), Level(self.level)
        rows = load_with_humans(study, names_in(listed), self.systems)
        has_bert = not registry.parse(ANCHORED[0].own).unavailable(resources)
        encoder, mark = (f",encoder={BERT}", "") if has_bert else ("", MARK)
        points = [(n, k) for n in (1, 2) for k in sizes]
        humans = rows.has_references
        configs = [
            ScoringConfig(registry.parse(f"ancr:n={n},k={k}{encoder}"), humans=humans) for n, k in points
        ]
        plan = yield from score_configs(study, resources, configs)
        if plan.refused:
            raise InputError(plan.refused[0].reason)
        stored = {run.config: run.stored for run in plan.runs}
        scores = [_recall(study, config, stored[config]) for config in configs]
        tables, charts = [], []
        topics = topics_of_set(study, self.set)
        for name, judgement in rows.people.items():
            z = judged_on(judgement, topics)
            correlations = correlate_many(stacked(scores, z), z.values, level, Coefficient.PEARSON)
            values = dict(zip(points, (one.value for one in correlations), strict=True))
            tables.append(_by_size(name, sizes, values, mark))
            charts.append(_curves_by_size(name, sizes, values, mark))
        ran, _, meant = stand_in_of(stored[configs[0]]).partition(" for ")
        used = ""
        if meant:
            ran = ran.removeprefix("stand-in: ")
            used = f"AncR-1 and AncR-2 ran on {ran}, a stand-in for {meant}, which the paper used."
        stand_ins = tuple(text for text in (stand_in, used) if text)
        how = (policy(level, Coefficient.PEARSON), rows.policy)
        return Result(self.title, tuple(tables), tuple(charts), how, stand_ins, note_on_sets(study, self.set))


@recipe(
    "anchored-table-2", paper=PAPER, title="Anchored ROUGE by number of references, averaged over subsets"
)
@dataclass(frozen=True)
class Wang2020Table2(Experiment):
    """Table 2: Pearson's r and Spearman's rho of both anchored ROUGEs with one to all references."""

    name: ClassVar[str] = "anchored-references"
    title: ClassVar[str] = "Anchored ROUGE by number of references"
    about: ClassVar[str] = "Mean correlation over all subsets of a given number of references."
    scores_texts: ClassVar[bool] = True

    judgements: str = own_judgements_setting()
    set: str = set_setting()
    level: str = level_setting(Level.TOPIC)
    systems: str = setting(
        BOTH,
        "both = a table for each; all = human summaries too, each scored against references that include "
        "itself, as in the paper's Table 1; automatic = automatic systems only.",
        choices=(BOTH, EVERYBODY, AUTOMATIC),
        title="Systems",
    )
    subsets: str = subsets_setting(ALL)

    def missing_requirements(self, study: Study) -> str:
        if not any(head.documents for head in study.texts.topics()):
            return "This study has no documents. Anchored ROUGE requires them."
        return no_judgements(study)

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        if self.systems != BOTH:
            return (yield from self._reading(study, resources))
        names = names_in(pyramid_or_other(study, self.judgements)[0])
        if load_with_humans(study, names, EVERYBODY).people_are_systems:
            with_people = yield from replace(self, systems=EVERYBODY)._reading(study, resources)
            alone = yield from replace(self, systems=AUTOMATIC)._reading(study, resources)
            return _both(with_people, alone)
        return (yield from replace(self, systems=AUTOMATIC)._reading(study, resources))

    def _reading(self, study: Study, resources: Resources) -> JobSteps[Result]:
        """Compute the table with human summaries among the systems, or without."""
        listed, stand_in = pyramid_or_other(study, self.judgements)
        rows = load_with_humans(study, names_in(listed), self.systems)
        if rows.has_references:
            sources = yield from load_with_people(study, resources, ANCHORED)
        else:
            sources = yield from load_paper_sources(study, resources, ANCHORED, pyramid="")
        topics, level = topics_of_set(study, self.set), Level(self.level)
        tables, charts = [], []
        notices: list[str] = []
        for z in rows.people.values():
            varied = SubsetExperiment.of(judged_on(z, topics), sources.sources)
            conditions = {}
            for coefficient in (Coefficient.PEARSON, Coefficient.SPEARMAN):
                every = VaryReferences(
                    subsets=self.subsets,
                    bootstrap=NONE,
                    set=self.set,
                    level=self.level,
                    coefficient=str(coefficient),
                )
                conditions[coefficient] = yield from every.conditions(varied, Checkpoint(study, every))
            tables.append(_by_references(z.label, varied.labels, conditions))
            pearson = conditions[Coefficient.PEARSON]
            charts.append(
                curves(z.label, "references per topic", Coefficient.PEARSON, varied.labels, pearson)
            )
            notices += varied.left_out
        return Result(
            self.title,
            tuple(tables),
            tuple(charts),
            (policy(level, Coefficient.PEARSON), _DRAWN[self.subsets], rows.policy),
            tuple(text for text in (stand_in, *sources.stand_ins) if text),
            (*note_on_sets(study, self.set), *sources.left_out, *sources.warnings, *notices),
        )


def _both(with_people: Result, alone: Result) -> Result:
    """Merge both results, the tables of the first before those of the second."""

    def titled(part: Part, reading: str) -> Part:
        return replace(part, title=f"{part.title}: {reading}")

    readings = ((with_people, "with human summaries"), (alone, "without human summaries"))
    sentences = [
        tuple(dict.fromkeys((*getattr(with_people, f), *getattr(alone, f))))
        for f in ("policy", "stand_ins", "warnings")
    ]
    policy, stand_ins, warnings = sentences
    return Result(
        with_people.title,
        tuple(titled(table, reading) for result, reading in readings for table in result.tables),
        tuple(titled(chart, reading) for result, reading in readings for chart in result.charts),
        policy,
        stand_ins,
        (_SELF_MATCHED, *warnings),
    )


_SELF_MATCHED = (
    "Human summaries are compared with references that include themselves. With fewer references fewer of "
    "them match themselves, which lowers Pearson's r: compare the decrease in the first tables with the "
    "second ones. The paper does not state which of the two its Table 2 reports."
)

_DRAWN = {
    ALL: "Mean over every subset of the given number of references, the same author positions in all topics.",
    RANDOM: "Mean over 1,000 random draws of the given number of references per topic.",
}


def _recall(study: Study, config: ScoringConfig, stored: MetricConfig) -> ScoreMatrix:
    """Return a scored configuration's recall, labelled by the encoder that ran."""
    name = stored.measures[0]
    ref = MeasureRef(name, name, stored.signature, stored.family, stored, 0)
    topics = [head.name for head in study.texts.topics()]
    scores = full_topics(study, ref, topics) if config.humans else matrix(study, ref)
    return replace(scores, label=str(getattr(config.metric, "encoder", "")))


def _by_size(human: str, sizes: Sequence[int], values: Mapping[tuple[int, int], float], mark: str) -> Table:
    columns = (
        Column("k", "k", CellKind.COUNT),
        *(Column(f"AncR-{n}{mark}", f"ancr_{n}", CellKind.FINE_CORRELATION) for n in (1, 2)),
    )
    rows = tuple((k, *(values[n, k] for n in (1, 2))) for k in sizes)
    return Table(f"Correlation of anchored ROUGE with {human} by k", columns, rows)


def _curves_by_size(
    human: str, sizes: Sequence[int], values: Mapping[tuple[int, int], float], mark: str
) -> Chart:
    x = tuple(map(float, sizes))
    series = tuple(Series(f"AncR-{n}{mark}", tuple(values[n, k] for k in sizes), x) for n in (1, 2))
    return Chart(human, ChartKind.CURVES, "k", coefficient_title(Coefficient.PEARSON), series)


def _by_references(
    human: str, labels: Sequence[str], conditions: Mapping[Coefficient, Sequence[Condition]]
) -> Table:
    """Return a row for each measure and number of references, most first; a column for each coefficient."""
    numbers = (Column(coefficient_title(c), str(c), CellKind.FINE_CORRELATION) for c in conditions)
    columns = (Column("Measure", "measure"), Column("References", "references", CellKind.COUNT), *numbers)
    rows: list[tuple[Cell, ...]] = []
    for at, label in enumerate(labels):
        for several in reversed(list(zip(*conditions.values(), strict=True))):
            rows.append((label, int(several[0].x), *(float(one.means()[at]) for one in several)))
    return Table(f"Correlation of anchored ROUGE with {human} by number of references", columns, tuple(rows))
