"""Base class of experiments that correlate measures with judgements."""

from __future__ import annotations

from dataclasses import dataclass

from core.experiments.common_settings import (
    coefficient_setting,
    judgements_setting,
    level_setting,
    measures_setting,
)
from core.experiments.experiment import Experiment
from core.experiments.inputs.availability import nothing_to_compare
from core.experiments.inputs.topic_filters import set_setting
from core.ports import Study
from core.stats.correlation import Coefficient, Level


@dataclass(frozen=True)
class MeasureExperiment(Experiment):
    """Settings and requirements: by default Pearson's r at system level of all measures and judgements."""

    judgements: str = judgements_setting()
    measures: str = measures_setting()
    set: str = set_setting()
    level: str = level_setting(Level.SYSTEM)
    coefficient: str = coefficient_setting(Coefficient.PEARSON)

    def missing_requirements(self, study: Study) -> str:
        return nothing_to_compare(study, self.measures)
