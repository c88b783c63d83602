"""Correlations given the length and extractiveness of the summaries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.experiments.analyses.studies.extractiveness import coverage_and_density
from core.experiments.inputs.measure_inputs import names_in
from core.experiments.inputs.named_matrices import ComparisonSet, compare_with_judgements, load_matrices
from core.experiments.measure_experiment import MeasureExperiment
from core.experiments.registry import register
from core.formatting.tables import Cell, CellKind, Column, Table
from core.matrix import Array, ScoreMatrix
from core.metrics.base import Resources, setting
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Result
from core.stats.correlation import Level
from core.stats.partial_correlation import partial_correlation
from core.text.tokenization import TokenizerSettings

LENGTH, COVERAGE, DENSITY = "length", "coverage", "density"
CUT = TokenizerSettings("unicode")
_BETWEEN = np.array([-1], dtype=np.int32)
MUCH = 0.5
"""A measure that keeps a smaller share of its correlation given length is named."""


@register
@dataclass(frozen=True)
class LengthControl(MeasureExperiment):
    """Partial correlations of measures and judgements given properties of the summaries.

    Formula:
        r(x, y | c) = correlation of the residuals of x and of y after linear regression on the controls c

    Limits:
        Only linear influence (of ranks, for Spearman) is removed. If length is a part of quality,
        controlling for it removes a part of what should be measured. With n systems and k controls there
        are n − 2 − k degrees of freedom, so with few systems values vary widely.
    """

    name: ClassVar[str] = "length"
    title: ClassVar[str] = "Length and extractiveness"
    about: ClassVar[str] = (
        "What is left of each correlation given the summaries' number of words, coverage and density."
    )

    coefficient: str = setting(
        "pearson", "Coefficient.", choices=("pearson", "spearman"), title="Coefficient"
    )

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        compared = load_matrices(study, names_in(self.measures))
        properties = yield from summary_properties(study, resources)
        tables, warnings = [], list(compared.warnings)
        for one in compare_with_judgements(study, compared, self.judgements, self.set):
            yield Progress(0, 0, one.judgement.label)
            table, notes = self._of(one, properties)
            tables.append(table)
            warnings += notes
        ranked = " (as ranks)" if self.coefficient == "spearman" else ""
        policy = (
            f"{self.level.capitalize()} level, {self.coefficient.capitalize()}: correlation of what is left "
            f"of the measure and the judgement after linear regression of both{ranked} on the properties; at "
            "the topic level the mean over topics.",
            "Length: words of a summary. Coverage and density: share of words in fragments of the documents, "
            "and mean length of the fragment of a word (Grusky, Naaman & Artzi 2018).",
            "Summaries without a property, such as those of topics without documents, are left out where it "
            "is used.",
        )
        return Result(self.title, tuple(tables), (), policy, compared.stand_ins, tuple(warnings))

    def _of(self, one: ComparisonSet, properties: Sequence[ScoreMatrix]) -> tuple[Table, list[str]]:
        judged = one.judgement
        known = [row.select(judged.systems, judged.topics) for row in properties]
        used = [row for row in known if np.isfinite(row.values).any()]
        columns = [
            Column("Measure", "measure"),
            Column("Correlation", "correlation", CellKind.FINE_CORRELATION),
            Column("With length", "with_length", CellKind.FINE_CORRELATION),
            *(Column(f"Given {row.label}", f"given_{row.label}", CellKind.FINE_CORRELATION) for row in used),
        ]
        if len(used) > 1:
            columns.append(Column("Given all", "given_all", CellKind.FINE_CORRELATION))
        length = known[0].values
        alone = self._correlation(length, judged.values, ())
        rows: list[tuple[Cell, ...]] = [("length alone", alone, None, *(None for _ in columns[3:]))]
        notes = []
        for label, values in zip(one.labels, one.x, strict=True):
            whole = self._correlation(values, judged.values, ())
            given = [self._correlation(values, judged.values, (row.values,)) for row in used]
            if len(used) > 1:
                given.append(self._correlation(values, judged.values, [row.values for row in used]))
            rows.append((label, whole, self._correlation(values, length, ()), *given))
            if abs(alone) >= abs(whole):
                notes.append(
                    f"{label}: the length of the summaries alone correlates as much with {judged.label} "
                    f"({alone:.2f} against {whole:.2f})."
                )
            elif abs(given[0]) < MUCH * abs(whole):
                notes.append(
                    f"{label}: given the length of the summaries, less than half of its correlation with "
                    f"{judged.label} is left ({given[0]:.2f} of {whole:.2f})."
                )
        return Table(f"{judged.label}, given properties of the summaries", tuple(columns), tuple(rows)), notes

    def _correlation(self, x: Array, y: Array, controls: Sequence[Array]) -> float:
        """Return the partial correlation of two matrices at the level, NaN = undefined.

        x, y, controls: shape (systems, topics).
        """
        there = np.isfinite(x) & np.isfinite(y)
        for control in controls:
            there &= np.isfinite(control)
        x, y, *rest = (np.where(there, values, np.nan) for values in (x, y, *controls))
        is_ranked = self.coefficient == "spearman"
        if self.level == Level.TOPIC:
            found = [
                _partial([x[:, at], y[:, at], *(one[:, at] for one in rest)], is_ranked=is_ranked)
                for at in range(x.shape[1])
            ]
            defined = [value for value in found if np.isfinite(value)]
            return float(np.mean(defined)) if defined else float("nan")
        if self.level == Level.SYSTEM:
            return _partial([_means(one) for one in (x, y, *rest)], is_ranked=is_ranked)
        return _partial([one.ravel() for one in (x, y, *rest)], is_ranked=is_ranked)


def summary_properties(study: Study, resources: Resources) -> JobSteps[list[ScoreMatrix]]:
    """Return words, coverage and density of every summary, NaN = none; a matrix each."""
    systems = tuple(system.name for system in study.texts.systems())
    heads = study.texts.topics()
    topics = tuple(head.name for head in heads)
    values = np.full((3, len(systems), len(topics)), np.nan)
    place = {name: at for at, name in enumerate(systems)}
    for at, topic in enumerate(study.texts.load()):
        yield Progress(at, len(heads), f"reading {topic.name}")
        documents = [resources.words(text, CUT).ids for text in topic.documents]
        parts = [part for ids in documents for part in (ids, _BETWEEN)]
        column = topics.index(topic.name)
        for text in topic.summaries:
            ids = resources.words(text, CUT).ids
            values[0, place[text.name], column] = len(ids)
            if parts:
                values[1:, place[text.name], column] = coverage_and_density(ids, np.concatenate(parts))
    return [
        ScoreMatrix(label, systems, topics, rows)
        for label, rows in zip((LENGTH, COVERAGE, DENSITY), values, strict=True)
    ]


def _partial(rows: Sequence[Array], *, is_ranked: bool) -> float:
    x, y, *controls = rows
    return partial_correlation(x, y, np.array(controls).reshape(len(controls), len(x)), is_ranked=is_ranked)


def _means(values: Array) -> Array:
    return ScoreMatrix("", ("",) * len(values), ("",) * values.shape[1], values).system_means()
