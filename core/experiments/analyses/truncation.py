"""Effect of truncated documents on embedding similarity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from core.errors import InputError
from core.experiments.common_settings import coefficient_setting, judgements_setting, level_setting, policy
from core.experiments.experiment import Experiment
from core.experiments.inputs.measure_inputs import (
    MeasureSet,
    judged_as_published,
    names_in,
    no_judgements,
    score_and_load,
)
from core.experiments.inputs.text_representations import REPRESENTATIONS, Representation
from core.experiments.registry import register
from core.experiments.tables.correlation_tables import Numbers, all_numbers, numbers
from core.formatting.coefficients import coefficient_title
from core.matrix import ScoreMatrix
from core.metrics.base import Resources, setting
from core.ports import Study
from core.progress import JobSteps
from core.results.result import Chart, ChartKind, Result, Series
from core.stats.correlation import Coefficient, Level

WHOLE = "whole documents"


@register
@dataclass(frozen=True)
class Truncation(Experiment):
    """Score each representation with each limit and store the scores.

    Formula:
        score = cosine of the embedding of the summary and of the first w words of each document

    Limits:
        News articles begin with what is important; other texts lose more by truncation. An encoder's own
        limit of length applies too, and is counted in the notes of the scores.
    """

    name: ClassVar[str] = "truncation"
    title: ClassVar[str] = "Truncated documents"
    about: ClassVar[str] = (
        "Embedding similarity to the first words of the documents and to the full documents."
    )
    scores_texts: ClassVar[bool] = True

    words: str = setting(
        "400,750", "Numbers of words read per document; full documents are always included.", title="Words"
    )
    judgements: str = judgements_setting()
    level: str = level_setting(Level.SYSTEM)
    coefficient: str = coefficient_setting(Coefficient.PEARSON)

    def missing_requirements(self, study: Study) -> str:
        return no_judgements(study)

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        people, chosen = (
            judged_as_published(study, self.judgements),
            (Level(self.level), Coefficient(self.coefficient)),
        )
        return (yield from truncated(study, resources, REPRESENTATIONS, self.words, people, *chosen))


def truncated(
    study: Study,
    resources: Resources,
    representations: Sequence[Representation],
    listed: str,
    people: Mapping[str, ScoreMatrix],
    level: Level,
    coefficient: Coefficient,
) -> JobSteps[Result]:
    """Score with every limit and without, then correlate. listed: numbers of words, separated by commas."""
    readings: dict[str, MeasureSet] = {}
    for words in (*limits(listed), 0):
        wants = [each.measure_spec(study, "document", words) for each in representations]
        readings[f"{words} words" if words else WHOLE] = yield from score_and_load(study, resources, wants)
    by_judgement = {
        name: {text: numbers(each.matrices, z, level, coefficient) for text, each in readings.items()}
        for name, z in people.items()
    }
    missing = tuple(dict.fromkeys(sentence for each in readings.values() for sentence in each.missing))
    return Result(
        "Truncated documents",
        (all_numbers([(text, each) for by in by_judgement.values() for text, each in by.items()]),),
        tuple(_chart(name, by, coefficient) for name, by in by_judgement.items()),
        (policy(level, coefficient), "Words are whitespace-separated; words after the limit are not read."),
        tuple(dict.fromkeys(sentence for each in readings.values() for sentence in each.stand_ins)),
        (*missing, *dict.fromkeys(sentence for each in readings.values() for sentence in each.warnings)),
    )


def limits(listed: str) -> list[int]:
    """Parse numbers of words, in ascending order. Raises InputError for invalid numbers."""
    texts = names_in(listed)
    if not texts or not all(text.isascii() and text.isdigit() and int(text) for text in texts):
        raise InputError(
            f"{listed!r} is not a list of word counts. Write numbers separated by commas, such as 400,750."
        )
    return sorted({int(text) for text in texts})


def _chart(judgement: str, by_limit: Mapping[str, Numbers], coefficient: Coefficient) -> Chart:
    """Return a chart with a line per representation over the limits, full documents last."""
    labels = dict.fromkeys(label for each in by_limit.values() for label in each.labels)
    lines = []
    for label in labels:
        correlations = [each.of(label) for each in by_limit.values()]
        lines.append(Series(label, tuple(one.value if one else float("nan") for one in correlations)))
    ticks = tuple(by_limit)
    return Chart(
        judgement,
        ChartKind.BARS,
        "Part of each document",
        coefficient_title(coefficient),
        tuple(lines),
        ticks,
    )
