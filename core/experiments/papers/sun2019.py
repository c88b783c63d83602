"""Tables and figures of Sun & Nenkova 2019, for any study with judged summaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from core.experiments.analyses.average_rank import correlations
from core.experiments.analyses.studies.across_studies import inputs_of, opened, others_setting
from core.experiments.analyses.studies.dataset_statistics import DataSet
from core.experiments.analyses.topics.topic_count_curve import TopicCountCurve
from core.experiments.analyses.truncation import truncated
from core.experiments.common_settings import coefficient_setting, judgements_setting, policy, without_setting
from core.experiments.experiment import Experiment
from core.experiments.inputs.measure_inputs import (
    drop_systems,
    judged_as_published,
    load_measures,
    names_in,
    no_judgements,
    warnings_of,
)
from core.experiments.inputs.text_representations import AVERAGE, SENSITIVE, Compared, compared
from core.experiments.registry import recipe
from core.experiments.tables.cautions import cautions_about
from core.experiments.tables.correlation_tables import STARRED, Numbers, all_numbers, numbers, starred_table
from core.experiments.tables.study_comparison_tables import competition_ranks
from core.formatting.tables import CellKind, Column, Table
from core.matrix import ScoreMatrix, row_means
from core.metrics.base import Resources, setting
from core.ports import Study
from core.progress import JobSteps
from core.results.result import Chart, ChartKind, Result, Series
from core.scoring.study_resources import StudyResources
from core.stats.correlation import Coefficient, Level

PAPER = "Sun & Nenkova 2019"
COVERAGE = ("rating.coverage",)
"""Judgement of DUC's assessors, used for the paper's first two data sets."""
INFORMATIVENESS = ("rating.informativeness",)
"""Judgement that the paper uses on Newsroom."""

_PAIR = (Coefficient.PEARSON, Coefficient.SPEARMAN)
_NO_COVERAGE = "Judgement: {} in place of the coverage score, which the paper used first."


@dataclass(frozen=True)
class Sun2019Experiment(Experiment):
    """Base of the paper's experiments: score what the study lacks and compare system means."""

    about: ClassVar[str] = "Embedding similarity compared with ROUGE; missing scores are computed."
    scores_texts: ClassVar[bool] = True

    judgements: str = judgements_setting()
    without: str = without_setting()

    def missing_requirements(self, study: Study) -> str:
        return no_judgements(study)

    def people(self, study: Study) -> dict[str, ScoreMatrix]:
        """Return the coverage score if present, else every judgement."""
        return drop_systems(judged_as_published(study, self.judgements, COVERAGE), self.without)


@recipe(
    "embedding-table-1", paper=PAPER, title="Correlation of ROUGE and embedding similarity with judgements"
)
@dataclass(frozen=True)
class Sun2019Table1(Sun2019Experiment):
    """Table 1: system level, against references and documents, marked if p < .05."""

    name: ClassVar[str] = "embedding-table-1"
    title: ClassVar[str] = "Embedding similarity vs human judgements"

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        comparison = yield from compared(study, resources)
        tables, everything = [], []
        for name, judgement in self.people(study).items():
            columns = _sides(comparison, judgement)
            tables.append(starred_table(name, comparison.labels, columns))
            everything += [(head.split(" ", 1)[-1], each) for head, each in columns.items()]
        return _result(self.title, comparison, self.people(study), [*tables, all_numbers(everything)])


@recipe("embedding-table-2", paper=PAPER, title="Statistics of the data set")
def _data_set() -> DataSet:
    return DataSet()


@recipe("embedding-figure-1", paper=PAPER, title="Correlation by number of topics per system")
@dataclass(frozen=True)
class Sun2019Figure1(TopicCountCurve):
    """Figure 1: mean and standard deviation over 50 draws for each number of topics."""

    name: ClassVar[str] = "embedding-figure-1"
    scores_texts: ClassVar[bool] = True

    without: str = without_setting()

    def missing_requirements(self, study: Study) -> str:
        return no_judgements(study)

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        comparison = yield from compared(study, resources, ["reference"])
        people = drop_systems(judged_as_published(study, self.judgements, COVERAGE), self.without)
        own = load_measures(study, self.measures) if self.measures else []
        result = yield from self.over([one.scores for one in own] or comparison.reference, people)
        warnings = (*result.warnings, *warnings_of(study, own))
        return _with_policy(replace(result, warnings=warnings), comparison, people)


@recipe("embedding-figure-2", paper=PAPER, title="Correlation with truncated documents")
@dataclass(frozen=True)
class Sun2019Figure2(Sun2019Experiment):
    """Figure 2: representations sensitive to long documents, at 400, 750 and all words."""

    name: ClassVar[str] = "embedding-figure-2"
    title: ClassVar[str] = "Truncated documents"

    words: str = setting(
        "400,750", "Numbers of words read per document; full documents are always included.", title="Words"
    )
    coefficient: str = coefficient_setting(Coefficient.PEARSON)

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        people = self.people(study)
        result = yield from truncated(
            study, resources, SENSITIVE, self.words, people, Level.SYSTEM, Coefficient(self.coefficient)
        )
        return replace(result, stand_ins=(*result.stand_ins, *_other_judgement(people)))


@recipe("embedding-figure-3", paper=PAPER, title="Systems by human judgement and embedding similarity")
@dataclass(frozen=True)
class Sun2019Figure3(Sun2019Experiment):
    """Figure 3: every system by its mean judgement and its mean similarity to the references.

    If one judgement is selected, each measure also has its own figure.
    """

    name: ClassVar[str] = "embedding-figure-3"
    title: ClassVar[str] = "Systems by human judgement and similarity"

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        comparison = yield from compared(study, resources, ["reference"])
        rows = [*_of_rouge(comparison, "R1-F"), *comparison.reference]
        people = self.people(study)
        charts = [_scatter(judgement, rows) for judgement in people.values()]
        if len(people) == 1:  # few enough for one figure each, with room for point labels
            (judgement,) = people.values()
            charts += [replace(_scatter(judgement, [one]), title=one.label) for one in rows]
        tables = [_means(judgement, rows) for judgement in people.values()]
        return replace(_result(self.title, comparison, people, tables), charts=tuple(charts))


@recipe("embedding-table-3", paper=PAPER, title="Measures by dimension of quality")
@dataclass(frozen=True)
class Sun2019Table3(Sun2019Experiment):
    """Table 3 (Spearman; Pearson is in the paper's appendix): a block for ROUGE and for each side."""

    name: ClassVar[str] = "embedding-table-3"
    title: ClassVar[str] = "Measures by dimension"

    coefficient: str = coefficient_setting(Coefficient.SPEARMAN)

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        comparison = yield from compared(study, resources)
        people = drop_systems(judged_as_published(study, self.judgements), self.without)
        coefficient = Coefficient(self.coefficient)
        tables, everything = [], []
        for head, rows in (
            ("ROUGE", tuple(comparison.rouge.values())),
            ("Against references", comparison.reference),
            ("Against documents", comparison.document),
        ):
            columns = {name: numbers(rows, z, Level.SYSTEM, coefficient) for name, z in people.items()}
            tables.append(starred_table(head, [one.label for one in rows], columns))
            everything += [(head.lower(), each) for each in columns.values()]
        result = _result(self.title, comparison, {}, [*tables, all_numbers(everything)])
        return replace(result, policy=(policy(Level.SYSTEM, coefficient), *result.policy[2:]))


@recipe("embedding-table-4", paper=PAPER, title="Average rank of each representation")
@dataclass(frozen=True)
class Sun2019Table4(Sun2019Experiment):
    """Table 4: ranks among the representations and ROUGE's F, averaged over data sets and judgements."""

    name: ClassVar[str] = "embedding-table-4"
    title: ClassVar[str] = "Average ranks"

    others: str = others_setting()

    def corpus_hash(self, study: Study) -> str:
        return inputs_of(study, self.others)

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        ranks: list[tuple[str, str, float]] = []
        descriptions: list[str] = []
        with opened(study, self.others) as others:
            for each in (study, *others):
                own = resources if each is study else StudyResources(each, resources.device)
                comparison = yield from compared(each, own)
                names = names_in(self.judgements) or (*COVERAGE, *INFORMATIVENESS)
                people = drop_systems(
                    judged_as_published(each, "", names), self.without if each is study else ""
                )
                ranks += _ranks(comparison, people)
                descriptions.append(f"{each.path.stem}: {', '.join(people)}")
        averaged = (
            f"Ranks (1 = highest) are averaged over {'; '.join(descriptions)}. The paper averaged over three "
            "data sets, with one judgement each: coverage, and on Newsroom informativeness."
        )
        result = _result(self.title, comparison, {}, [_average(self.title, ranks)])
        return replace(result, policy=(result.policy[0], averaged, *result.policy[2:]))


def _of_rouge(comparison: Compared, *names: str) -> list[ScoreMatrix]:
    return [comparison.rouge[name] for name in names if name in comparison.rouge]


def _sides(comparison: Compared, judgement: ScoreMatrix) -> dict[str, Numbers]:
    """Return both coefficients against references, including ROUGE, and against documents."""
    sides = {
        "reference": (*comparison.rouge.values(), *comparison.reference),
        "document": comparison.document,
    }
    return {
        f"{coefficient.value.capitalize()}, {side}": numbers(rows, judgement, Level.SYSTEM, coefficient)
        for coefficient in _PAIR
        for side, rows in sides.items()
    }


def _ranks(comparison: Compared, people: Mapping[str, ScoreMatrix]) -> list[tuple[str, str, float]]:
    """Yield column, row and rank of every measure by judgement, coefficient and side."""
    baselines = _of_rouge(comparison, "R1-F", "R2-F")
    ranks = []
    for side, own in (("reference", comparison.reference), ("document", comparison.document)):
        rows = [*own, *baselines]
        for coefficient in _PAIR:
            values = competition_ranks(correlations(rows, people, Level.SYSTEM, coefficient))
            head = f"{coefficient.value[0].upper()} ({side})"
            ranks += [
                (head, one.label, rank)
                for one, row in zip(rows, values.tolist(), strict=True)
                for rank in row
            ]
    return ranks


def _average(title: str, ranks: Sequence[tuple[str, str, float]]) -> Table:
    """Return the mean of each row's ranks in each column."""
    heads, labels = (list(dict.fromkeys(one[at] for one in ranks)) for at in (0, 1))
    cells = [
        [np.array([[r for h, name, r in ranks if (h, name) == (head, label)]]) for head in heads]
        for label in labels
    ]
    rows = tuple(
        (label, *(float(row_means(cell)[0]) for cell in row))
        for label, row in zip(labels, cells, strict=True)
    )
    columns = (Column(str(head), str(head), CellKind.SCORE) for head in heads)
    return Table(title, (Column("Measure", "measure", CellKind.CODE), *columns), rows)


def _scatter(judgement: ScoreMatrix, rows: Sequence[ScoreMatrix]) -> Chart:
    people = judgement.system_means()
    series = []
    for one in rows:
        own = one.select(judgement.systems, judgement.topics).system_means()
        there = np.isfinite(own) & np.isfinite(people)
        names = tuple(name for name, is_there in zip(judgement.systems, there, strict=True) if is_there)
        y, x = tuple(own[there].tolist()), tuple(people[there].tolist())
        series.append(Series(one.label, y, x, names=names))
    return Chart(judgement.label, ChartKind.SCATTER, judgement.label, "Similarity", tuple(series))


def _means(judgement: ScoreMatrix, rows: Sequence[ScoreMatrix]) -> Table:
    own = [one.select(judgement.systems, judgement.topics).system_means() for one in (judgement, *rows)]
    heads = [Column(one.label, one.label, CellKind.SCORE) for one in (judgement, *rows)]
    columns = (Column("System", "system", CellKind.CODE), *heads)
    cells = np.column_stack(own).tolist()
    return Table(
        f"Means by {judgement.label}",
        columns,
        tuple((name, *row) for name, row in zip(judgement.systems, cells, strict=True)),
    )


def _result(
    title: str, comparison: Compared, people: dict[str, ScoreMatrix], tables: Sequence[Table]
) -> Result:
    policies = (
        "Pearson's r and Spearman's rho of system means over topics.",
        STARRED,
        f"{AVERAGE} is the mean of the cosines of the {max(len(comparison.reference) - 1, 0)} different "
        "representations that ran.",
    )
    rows = (*comparison.rouge.values(), *comparison.reference, *comparison.document)
    cautions = cautions_about(rows, people, Level.SYSTEM, Coefficient.PEARSON)
    return _with_policy(Result(title, tuple(tables), (), policies, warnings=cautions), comparison, people)


def _with_policy(result: Result, comparison: Compared, people: dict[str, ScoreMatrix]) -> Result:
    """Return the result with stand-ins and missing measures."""
    reading = comparison.reading
    return replace(
        result,
        stand_ins=(*reading.stand_ins, *_other_judgement(people)),
        warnings=(*reading.missing, *result.warnings, *reading.warnings),
    )


def _other_judgement(people: dict[str, ScoreMatrix]) -> tuple[str, ...]:
    others = [name for name in people if name not in COVERAGE]
    return (_NO_COVERAGE.format(", ".join(others)),) if others else ()
