"""Figure 1 of Cohan & Goharian 2016: SERA by the rank cut-off of retrieved documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from core.errors import InputError
from core.experiments.analyses.settings_sweep import SweepAxis, axis_of, grid
from core.experiments.common_settings import (
    coefficient_setting,
    judgements_setting,
    level_setting,
    policy,
)
from core.experiments.experiment import Experiment
from core.experiments.inputs.availability import no_judgements
from core.experiments.inputs.measure_inputs import MeasureSet, MeasureSpec, load_judgements, score_and_load
from core.experiments.papers.cohan2016 import NUGGETS, PAPER
from core.experiments.papers.cohan2016_variants import (
    QUERIES,
    rough_phrases,
    sera_setting,
    spec_of,
    stand_in_of_index,
    variants,
    without_documents,
)
from core.experiments.registry import recipe
from core.experiments.tables.correlation_tables import Numbers, numbers
from core.formatting.coefficients import coefficient_title
from core.formatting.tables import CellKind, Column, Table
from core.metrics.base import Resources, setting
from core.metrics.retrieval.sera import Sera
from core.ports import Study
from core.progress import JobSteps
from core.results.result import Chart, ChartKind, Result, Series
from core.stats.correlation import Coefficient, Level


@recipe("sera-figure-1", paper=PAPER, title="SERA by cut-off")
@dataclass(frozen=True)
class Cohan2016Figure1(Experiment):
    """Draw a curve for each query formulation, with and without rank discount."""

    name: ClassVar[str] = "sera-figure-1"
    title: ClassVar[str] = "SERA by cut-off"
    about: ClassVar[str] = (
        "Correlation of every variant of SERA by the number of retrieved documents compared."
    )
    scores_texts: ClassVar[bool] = True

    sera: str = sera_setting()
    values: str = setting("5:50:5", "Cut-offs, separated by commas, or FIRST:LAST:STEP.", title="Cut-offs")
    judgements: str = judgements_setting()
    level: str = level_setting(Level.SYSTEM)
    coefficient: str = coefficient_setting(Coefficient.SPEARMAN)

    def missing_requirements(self, study: Study) -> str:
        return no_judgements(study) or without_documents(study, spec_of(study, self.sera))

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        spec, level, coefficient = spec_of(study, self.sera), Level(self.level), Coefficient(self.coefficient)
        axis = axis_of(Sera(), "cutoff", self.values)
        grid(spec, [SweepAxis("query", QUERIES), axis])  # raises if there are too many
        wants = variants(spec, axis.values)
        reading = yield from score_and_load(study, resources, wants)
        if not reading.measured:
            raise InputError(" ".join(reading.missing))
        people = load_judgements(study, self.judgements, NUGGETS)
        curves = {
            name: _curves(
                reading, numbers(reading.matrices, one, level, coefficient), wants, len(axis.values)
            )
            for name, one in people.items()
        }
        return Result(
            self.title,
            tuple(_table(name, each, axis.values) for name, each in curves.items()),
            tuple(_chart(name, each, axis.values, coefficient) for name, each in curves.items()),
            (policy(level, coefficient),),
            (*reading.stand_ins, stand_in_of_index(spec)),
            (*reading.missing, *rough_phrases(reading.measured), *reading.warnings),
        )


Curves = Mapping[str, tuple[float, ...]]


def _curves(reading: MeasureSet, found: Numbers, wants: Sequence[MeasureSpec], cutoffs: int) -> Curves:
    """Return each variant's correlation at each cut-off, NaN if it could not be scored.

    wants: the cut-offs of each variant follow each other.
    """
    values = {
        want: one.value
        for measure, one in zip(reading.measured, found.correlations, strict=True)
        for want in measure.requests
    }
    return {
        wants[at].label.rpartition("-")[0]: tuple(
            values.get(want, float("nan")) for want in wants[at : at + cutoffs]
        )
        for at in range(0, len(wants), cutoffs)
    }


def _table(title: str, curves: Curves, cutoffs: Sequence[int]) -> Table:
    heads = [Column(label, label, CellKind.FINE_CORRELATION) for label in curves]
    rows = tuple(zip(cutoffs, *curves.values(), strict=True))
    return Table(title, (Column("Cut-off", "cutoff", CellKind.COUNT), *heads), rows)


def _chart(title: str, curves: Curves, cutoffs: Sequence[int], by: Coefficient) -> Chart:
    x = tuple(float(cutoff) for cutoff in cutoffs)
    lines = tuple(Series(label, values, x) for label, values in curves.items())
    return Chart(title, ChartKind.CURVES, "Cut-off", coefficient_title(by), lines)
