"""Extractive oracle: the sentences of the documents that a metric likes best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from core.domain.study import Text, TopicTexts, join_sentences
from core.errors import BadSetting, InputError
from core.metrics import registry as metrics
from core.metrics.base import Metric
from core.names import unknown_name
from core.scoring.study_resources import StudyResources
from core.settings import setting
from core.systems.base import Summarizer
from core.systems.registry import register
from core.systems.source import Array, Source


@register
@dataclass(frozen=True)
class ExtractiveOracle(Summarizer):
    """Greedy choice of the sentence that raises a measure against the references most, while one does.

    The limits hold for each candidate, so the summary is the best one of the greedy search within them.

    Limits:
        Reads the references. Greedy, so not the best possible extract; good for the chosen measure only.
    """

    name: ClassVar[str] = "oracle"
    about: ClassVar[str] = "Oracle: the sentences that maximize a measure against the references."
    paper: ClassVar[str] = "Lin & Hovy 2003; greedy as in Nallapati, Zhai & Zhou 2017"
    bibliography: ClassVar[tuple[str, ...]] = ("nallapati-2017-summarunner",)
    is_oracle: ClassVar[bool] = True

    metric: str = setting(
        "rouge-n:n=2", "Metric of the measure, as for -m, with semicolons instead of commas.", title="Metric"
    )
    measure: str = setting("f", "The metric's measure, such as f, recall or precision.", title="Measure")

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self._place

    @cached_property
    def _metric(self) -> Metric:
        try:
            return metrics.parse(self.metric.replace(";", ","))
        except InputError as error:
            raise BadSetting(f"{self.name}: metric={self.metric}: {error}") from error

    @cached_property
    def _place(self) -> int:
        """Index of the measure among those of the metric. Raises BadSetting for an unknown one."""
        names = self._metric.measures()
        last = [metrics.split_label(name)[1] for name in names]
        if self.measure not in last:
            raise BadSetting(f"{self.name}: {unknown_name(f'measure of {self.metric}', self.measure, last)}")
        return last.index(self.measure)

    def unavailable(self) -> str:
        """Return why the metric cannot run here."""
        return self._metric.unavailable(StudyResources())

    def rank(self, source: Source) -> Iterator[int]:
        """Yield the sentences in the order of choice."""
        if not source.references:
            return
        resources = StudyResources()
        chosen: list[int] = []
        best = -np.inf
        remaining = list(range(len(source.sentences)))
        while remaining:
            candidates = [self.limited(source.sentences, [*chosen, index]) for index in remaining]
            values = self._values(source, candidates, resources)
            place = int(np.argmax(np.where(np.isfinite(values), values, -np.inf)))
            if not values[place] > best:
                return
            best = values[place]
            chosen.append(remaining.pop(place))
            yield chosen[-1]

    def _values(self, source: Source, candidates: list[tuple[str, ...]], resources: StudyResources) -> Array:
        """Return the measure of each candidate; lower-is-better measures are negated."""
        texts = [join_sentences(sentences) for sentences in candidates]
        summaries = tuple(
            Text(f"{number}", f"{number}", content, spans) for number, (content, spans) in enumerate(texts)
        )
        topic = TopicTexts(
            source.name,
            source.name,
            documents=source.documents,
            references=source.references,
            summaries=summaries,
        )
        scores = self._metric.score(self._metric.prepare(topic, resources))
        values: Array = scores.values[:, self._place]
        return values if self._metric.higher_is_better else -values
