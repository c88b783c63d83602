"""Correlations given the length and extractiveness of the summaries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.errors import InputError
from core.experiments.inputs.measure_inputs import names_in
from core.experiments.inputs.named_matrices import (
    ComparisonSet,
    compare_with_judgements,
    load_controls,
    load_matrices,
)
from core.experiments.measure_experiment import MeasureExperiment
from core.experiments.registry import register
from core.formatting.tables import Cell, CellKind, Column, Table
from core.matrix import Array, ScoreMatrix
from core.metrics.base import Resources, setting
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Result
from core.stats.correlation import Level, partial_correlation

USUAL_CONTROLS = ("length", "coverage", "density")
_USUAL = (
    "Length: words of a summary. Coverage and density: share of words in fragments of the documents, and "
    "mean length of the fragment of a word (Grusky, Naaman & Artzi 2018)."
)
MUCH = 0.5
"""A measure that keeps a smaller share of its correlation given the first control is named."""


@dataclass(frozen=True, slots=True)
class ControlledMeasure:
    """Correlations of a measure with a judgement, NaN = undefined.

    plain: without controls. with_each: of the measure and each control. given, given_all: given each control,
    and given all of them.
    """

    label: str
    plain: float
    with_each: tuple[float, ...]
    given: tuple[float, ...]
    given_all: float


@dataclass(frozen=True, slots=True)
class ControlledJudgement:
    """The measures compared with a judgement. alone: its correlation with each control."""

    label: str
    controls: tuple[str, ...]
    alone: tuple[float, ...]
    measures: tuple[ControlledMeasure, ...]


@dataclass(frozen=True, slots=True)
class Controlled:
    """Correlations given controls, by judgement. stand_ins, warnings: a sentence each."""

    judgements: tuple[ControlledJudgement, ...]
    stand_ins: tuple[str, ...]
    warnings: tuple[str, ...]


@register
@dataclass(frozen=True)
class LengthControl(MeasureExperiment):
    """Partial correlations of measures and judgements given properties of the summaries, or other measures.

    Formula:
        r(x, y | c) = correlation of the residuals of x and of y after linear regression on the controls c

    Limits:
        Only linear influence (of ranks, for Spearman) is removed. If length is a part of quality,
        controlling for it removes a part of what should be measured. With n systems and k controls there
        are n − 2 − k degrees of freedom, so with few systems values vary widely. Given a control that
        determines a measure, its correlation is undefined.
    """

    name: ClassVar[str] = "length"
    title: ClassVar[str] = "Length and extractiveness"
    about: ClassVar[str] = (
        "What is left of each correlation given the summaries' length, coverage and density, or any measure."
    )

    coefficient: str = setting(
        "pearson", "Coefficient.", choices=("pearson", "spearman"), title="Coefficient"
    )
    controls: str = setting(
        "",
        "Measures, judgements or properties of texts to control for, such as length, novelty:n=1 or "
        "rouge-1.recall, separated by commas. Empty = length, coverage and density.",
        title="Controls",
    )

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        found = yield from self.controlled(study, resources)
        ranked = " (as ranks)" if self.coefficient == "spearman" else ""
        policy = (
            f"{self.level.capitalize()} level, {self.coefficient.capitalize()}: correlation of what is left "
            f"of the measure and the judgement after linear regression of both{ranked} on the controls; at "
            "the topic level the mean over topics.",
            "Summaries without a control, such as those of topics without documents, are left out where it "
            "is used.",
            *(() if self.controls else (_USUAL,)),
        )
        tables = tuple(_table(one) for one in found.judgements)
        warnings = [*found.warnings, *(note for one in found.judgements for note in _notes(one))]
        return Result(self.title, tables, (), policy, found.stand_ins, tuple(dict.fromkeys(warnings)))

    def controlled(self, study: Study, resources: Resources) -> JobSteps[Controlled]:
        """Return the correlations that `run` shows. Raises InputError for unknown names."""
        compared = load_matrices(study, names_in(self.measures))
        controls = yield from load_controls(study, resources, names_in(self.controls) or USUAL_CONTROLS)
        several, compared = compare_with_judgements(study, compared, self.judgements, self.set)
        found, warnings = [], [*compared.warnings, *controls.warnings]
        for one in several:
            yield Progress(0, 0, one.judgement.label)
            found.append(self._of(one, controls.matrices))
            if missing := [name for name in controls.labels if name not in found[-1].controls]:
                warnings.append(
                    f"{', '.join(missing)}: no summary that {one.judgement.label} judges has a value, so "
                    "that nothing is controlled for it."
                )
        stand_ins = tuple(dict.fromkeys((*compared.stand_ins, *controls.stand_ins)))
        return Controlled(tuple(found), stand_ins, tuple(warnings))

    def _of(self, one: ComparisonSet, controls: Sequence[ScoreMatrix]) -> ControlledJudgement:
        judged = one.judgement
        known = [row.select(judged.systems, judged.topics) for row in controls]
        used = [row for row in known if np.isfinite(row.values).any()]
        if not used:
            raise InputError(
                f"{', '.join(row.label for row in known)}: no summary that {judged.label} judges has a "
                "value. Choose other controls."
            )
        measures = tuple(
            ControlledMeasure(
                label,
                self._correlation(values, judged.values, ()),
                tuple(self._correlation(values, row.values, ()) for row in used),
                tuple(self._correlation(values, judged.values, (row.values,)) for row in used),
                self._correlation(values, judged.values, [row.values for row in used]),
            )
            for label, values in zip(one.labels, one.x, strict=True)
        )
        alone = tuple(self._correlation(row.values, judged.values, ()) for row in used)
        return ControlledJudgement(judged.label, tuple(row.label for row in used), alone, measures)

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


def _table(one: ControlledJudgement) -> Table:
    columns = [
        Column("Measure", "measure"),
        Column("Correlation", "correlation", CellKind.FINE_CORRELATION),
        *(Column(f"With {name}", f"with_{name}", CellKind.FINE_CORRELATION) for name in one.controls),
        *(Column(f"Given {name}", f"given_{name}", CellKind.FINE_CORRELATION) for name in one.controls),
    ]
    several = len(one.controls) > 1
    columns += [Column("Given all", "given_all", CellKind.FINE_CORRELATION)] if several else []
    rows: list[tuple[Cell, ...]] = [
        (f"{name} alone", value, *(None for _ in columns[2:]))
        for name, value in zip(one.controls, one.alone, strict=True)
    ]
    for row in one.measures:
        rows.append((row.label, row.plain, *row.with_each, *row.given, *([row.given_all] if several else [])))
    return Table(f"{one.label}, given {', '.join(one.controls)}", tuple(columns), tuple(rows))


def _notes(one: ControlledJudgement) -> Iterator[str]:
    """Yield the measures that the first control explains."""
    first, alone = one.controls[0], one.alone[0]
    for row in one.measures:
        if abs(alone) >= abs(row.plain):
            yield (
                f"{row.label}: {first} alone correlates as much with {one.label} ({alone:.2f} against "
                f"{row.plain:.2f})."
            )
        elif abs(row.given[0]) < MUCH * abs(row.plain):
            yield (
                f"{row.label}: given {first}, less than half of its correlation with {one.label} is left "
                f"({row.given[0]:.2f} of {row.plain:.2f})."
            )


def _partial(rows: Sequence[Array], *, is_ranked: bool) -> float:
    x, y, *controls = rows
    return partial_correlation(x, y, np.array(controls).reshape(len(controls), len(x)), is_ranked=is_ranked)


def _means(values: Array) -> Array:
    return ScoreMatrix("", ("",) * len(values), ("",) * values.shape[1], values).system_means()
