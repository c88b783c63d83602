"""Correlations of several studies pooled by random-effects meta-analysis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from core.errors import InputError
from core.experiments.analyses.studies.across_studies import (
    inputs_of,
    load_studies,
    named_studies,
    others_setting,
    shared_measures,
)
from core.experiments.common_settings import judgements_setting, measures_setting, policy
from core.experiments.experiment import Experiment
from core.experiments.inputs.measure_inputs import missing_data, names_in, stacked, stand_ins_of
from core.experiments.registry import register
from core.experiments.tables.study_comparison_tables import Key, StudyMatrices, labels_of
from core.formatting.numbers import pluralize
from core.formatting.tables import Cell, CellKind, Column, Table, interval_ends
from core.metrics.base import Resources
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Chart, ChartKind, Result, Series
from core.stats.correlation import Coefficient, Level, correlate_many


@dataclass(frozen=True, slots=True)
class PooledEffect:
    """Mean of the effects of several studies.

    low, high: interval of the mean. from_, to: interval in which the effect of another such study lies.
    tau2: variance between studies. q, p: Cochran's test of equal effects. i2: share of the variance that is
    between studies, 0 to 1. NaN = undefined.
    """

    mean: float
    low: float
    high: float
    from_: float
    to: float
    tau2: float
    q: float
    p: float
    i2: float


def fisher_z(r: float, items: int) -> tuple[float, float]:
    """Return arctanh(r) and its variance 1 / (items − 3); NaN for |r| = 1 or fewer than four items."""
    if items < 4 or not abs(r) < 1:
        return float("nan"), float("nan")
    return float(np.arctanh(r)), 1.0 / (items - 3)


def pool_effects(effects: ArrayLike, variances: ArrayLike, confidence: float = 0.95) -> PooledEffect:
    """Pool effects of independent studies by a random-effects model.

    The variance between studies is DerSimonian and Laird's (1986); the interval of the mean is Hartung and
    Knapp's (2001), with Student's t; that of another study is Higgins, Thompson and Spiegelhalter's (2009).
    effects, variances: shape (studies,), without NaN. With one study there are no intervals.
    """
    from scipy.special import chdtrc, stdtrit  # slow to import; commands that pool nothing load this module

    y, v = np.asarray(effects, dtype=np.float64), np.asarray(variances, dtype=np.float64)
    count = len(y)
    if not count:
        return PooledEffect(*(float("nan"),) * 9)
    if count == 1:
        return PooledEffect(float(y[0]), *(float("nan"),) * 8)
    fixed = 1 / v
    q = float((fixed * (y - np.average(y, weights=fixed)) ** 2).sum())
    scale = fixed.sum() - (fixed**2).sum() / fixed.sum()
    tau2 = max(0.0, (q - (count - 1)) / float(scale))
    weights = 1 / (v + tau2)
    mean = float(np.average(y, weights=weights))
    error2 = float((weights * (y - mean) ** 2).sum() / ((count - 1) * weights.sum()))
    half = float(-stdtrit(count - 1, (1 - confidence) / 2) * np.sqrt(error2))
    wide = float("nan")
    if count > 2:
        wide = float(-stdtrit(count - 2, (1 - confidence) / 2) * np.sqrt(tau2 + 1 / weights.sum()))
    return PooledEffect(
        mean,
        mean - half,
        mean + half,
        mean - wide,
        mean + wide,
        tau2,
        q,
        float(chdtrc(count - 1, q)),
        max(0.0, (q - (count - 1)) / q) if q > 0 else 0.0,
    )


FEWEST_STUDIES = 5
"""The variance between fewer studies is poorly estimated."""


@dataclass(frozen=True, slots=True)
class StudyCorrelation:
    """Pearson's r of a measure over the systems of one study. z, variance: Fisher's, NaN = undefined."""

    study: str
    r: float
    systems: int
    z: float
    variance: float

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of r."""
        from scipy.special import ndtri

        half = -ndtri(0.025) * np.sqrt(self.variance)
        return float(np.tanh(self.z - half)), float(np.tanh(self.z + half))


@register
@dataclass(frozen=True)
class MetaAnalysis(Experiment):
    """Pool the system-level correlations of several studies. Further studies are opened read-only.

    Formula:
        z_i  = artanh(r_i), v_i = 1 / (n_i − 3), n_i systems in study i
        Q    = Σ (z_i − z̄)² / v_i, where z̄ has weights 1 / v_i
        τ²   = max(0, (Q − (k − 1)) / (Σ 1/v_i − (Σ 1/v_i²) / (Σ 1/v_i)))   (DerSimonian & Laird 1986)
        mean = Σ w_i z_i / Σ w_i, w_i = 1 / (v_i + τ²), back as tanh
        SE²  = Σ w_i (z_i − mean)² / ((k − 1) Σ w_i), interval by t with k − 1      (Hartung & Knapp 2001)

    Limits:
        With fewer than five studies τ² and the intervals are poorly estimated, and τ² = 0 is an estimate at
        the boundary, not evidence of equal correlations; both are noted in each row. Studies that share
        systems or topics are not independent. Needs at least four systems in a study.
    """

    name: ClassVar[str] = "meta-analysis"
    title: ClassVar[str] = "Meta-analysis over studies"
    about: ClassVar[str] = (
        "Mean correlation of each measure over several studies, with the variance between studies."
    )

    others: str = others_setting()
    measures: str = measures_setting()
    judgements: str = judgements_setting()

    def missing_requirements(self, study: Study) -> str:
        return missing_data(study)

    def corpus_hash(self, study: Study) -> str:
        return inputs_of(study, self.others)

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        with named_studies(study, self.others) as studies:
            loaded = []
            for at, (name, each) in enumerate(studies):
                yield Progress(at, len(studies), name)
                loaded.append(load_studies(name, each, names_in(self.judgements)))
            return pooled(loaded, names_in(self.measures))


def pooled(loaded: Sequence[StudyMatrices], measures: Sequence[str] = ()) -> Result:
    """Pool the correlations of studies. Raises InputError if they share no measure or judgement."""
    keys = shared_measures(loaded, measures)
    judgements = [name for name in loaded[0].people if all(name in each.people for each in loaded)]
    if not judgements:
        raise InputError(
            "These studies share no judgement of the same name. Give their rating scales the same names."
        )
    labels = labels_of(loaded, keys)
    tables, charts = [], []
    warnings = [sentence for each in loaded for sentence in each.stale_notes(keys)]
    for judgement in judgements:
        found = {key: _correlations(loaded, key, judgement) for key in keys}
        table, chart = _shown(judgement, labels, keys, found, [each.name for each in loaded])
        tables.append(table)
        charts += chart
        warnings += [
            f"{each.study} is left out of {judgement}: {pluralize(each.systems, 'system')}, at least four "
            "are needed."
            for each in found[keys[0]]
            if np.isnan(each.z)
        ]
    about = (
        policy(Level.SYSTEM, Coefficient.PEARSON),
        "Fisher's z of each study, variance 1 / (systems − 3). Random effects: variance between studies "
        "(τ²) after DerSimonian and Laird, interval of the mean after Hartung and Knapp (t), as r.",
        "The prediction interval is where the correlation of another such study is expected. I² is the share "
        "of the variance that is between studies, Q the test of equal correlations.",
        "Studies that share systems or topics are not independent, and the intervals are then too narrow.",
    )
    used = [each.measures[key] for each in loaded for key in keys]
    return Result(
        MetaAnalysis.title, tuple(tables), tuple(charts), about, stand_ins_of(used), tuple(warnings)
    ).with_footnotes()


def _correlations(loaded: Sequence[StudyMatrices], key: Key, judgement: str) -> list[StudyCorrelation]:
    found = []
    for each in loaded:
        human = each.people[judgement]
        x = stacked([each.measures[key].scores], human)
        (one,) = correlate_many(x, human.values, Level.SYSTEM, Coefficient.PEARSON)
        both = np.isfinite(x[0]) & np.isfinite(human.values)
        systems = int(both.any(axis=1).sum())
        found.append(StudyCorrelation(each.name, one.value, systems, *fisher_z(one.value, systems)))
    return found


def _shown(
    judgement: str,
    labels: Sequence[str],
    keys: Sequence[Key],
    found: dict[Key, list[StudyCorrelation]],
    studies: Sequence[str],
) -> tuple[Table, list[Chart]]:
    columns = (
        Column("Measure", "measure"),
        *(Column(name, name, CellKind.FINE_CORRELATION) for name in studies),
        Column("Studies", "studies", CellKind.COUNT),
        Column("Mean", "mean", CellKind.FINE_CORRELATION),
        *interval_ends(CellKind.FINE_CORRELATION),
        Column("Prediction, low", "prediction_low", CellKind.FINE_CORRELATION),
        Column("Prediction, high", "prediction_high", CellKind.FINE_CORRELATION),
        Column("τ²", "tau2", CellKind.FINE_CORRELATION),
        Column("I²", "i2", CellKind.FINE_CORRELATION),
        Column("p of Q", "p", CellKind.P),
        Column("Note", "note"),
    )
    rows: list[tuple[Cell, ...]] = []
    charts = []
    for label, key in zip(labels, keys, strict=True):
        known = [one for one in found[key] if np.isfinite(one.z)]
        effect = pool_effects([one.z for one in known], [one.variance for one in known])
        values = (effect.mean, effect.low, effect.high, effect.from_, effect.to)
        mean, low, high, from_, to = (float(np.tanh(value)) for value in values)
        rs = [one.r for one in found[key]]
        numbers = (mean, low, high, from_, to, effect.tau2, effect.i2, effect.p)
        note = "; ".join(_doubts(found[key], effect))
        rows.append((label, *rs, len(known), *numbers, note))
        charts.append(replace(_forest(f"{label} against {judgement}", known, effect), note=note))
    rows.sort(key=lambda row: -_number(row[len(studies) + 2]))
    return Table(f"{judgement}, pooled", columns, tuple(rows)), charts


def _doubts(found: Sequence[StudyCorrelation], effect: PooledEffect) -> Iterator[str]:
    """Yield why a measure's pooled numbers may mislead."""
    count = sum(bool(np.isfinite(one.z)) for one in found)
    if count < len(found):
        yield f"{pluralize(len(found) - count, 'study', 'studies')} without a correlation left out"
    if count == 1:
        yield "one study: nothing is pooled"
    elif 1 < count < FEWEST_STUDIES:
        yield f"only {count} studies: τ² and the intervals are poorly estimated"
    if effect.tau2 == 0:
        yield "τ² estimated as 0 (boundary)"


def _forest(title: str, known: Sequence[StudyCorrelation], effect: PooledEffect) -> Chart:
    """Return each study's correlation and the mean with their intervals."""
    intervals = [one.interval for one in known]
    mean, low, high = (float(np.tanh(value)) for value in (effect.mean, effect.low, effect.high))
    series = Series(
        "Pearson's r",
        (*(one.r for one in known), mean),
        low=(*(low_ for low_, _ in intervals), low),
        high=(*(high_ for _, high_ in intervals), high),
    )
    ticks = (*(f"{one.study} (n = {one.systems})" for one in known), "mean")
    return Chart(title, ChartKind.BARS, "study", "Pearson's r", (series,), ticks)


def _number(cell: Cell) -> float:
    return cell if isinstance(cell, float) and np.isfinite(cell) else -2.0
