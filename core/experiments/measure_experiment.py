"""Base classes of experiments that compare measures with judgements."""

from __future__ import annotations

from dataclasses import dataclass

from core.experiments.common_settings import (
    coefficient_setting,
    judgements_setting,
    level_setting,
    measures_setting,
)
from core.experiments.experiment import Experiment
from core.experiments.inputs.measure_inputs import nothing_to_compare
from core.experiments.inputs.topic_filters import set_setting
from core.ports import Study
from core.stats.correlation import Coefficient, Level


@dataclass(frozen=True)
class JudgedExperiment(Experiment):
    """Settings and requirements: by default all measures, judgements and topics."""

    judgements: str = judgements_setting()
    measures: str = measures_setting()
    set: str = set_setting()

    def missing_requirements(self, study: Study) -> str:
        return nothing_to_compare(study, self.measures)


@dataclass(frozen=True)
class MeasureExperiment(JudgedExperiment):
    """Correlates measures with judgements, by default by Pearson's r at system level."""

    level: str = level_setting(Level.SYSTEM)
    coefficient: str = coefficient_setting(Coefficient.PEARSON)
