"""Survey of what a study offers for scoring, with the default choice."""

from __future__ import annotations

from dataclasses import dataclass

from core.formatting.numbers import format_count
from core.metrics.base import MODELS, Metric, Need
from core.metrics.learned.model_store import model_names
from core.ports import MetricConfig, Study, language_of
from core.progress import JobSteps, Progress
from core.scoring.experiment_scores import listed_configs
from gui.pages.score.configurations import list_metrics


@dataclass(frozen=True, slots=True)
class StudySurvey:
    """Contents of a study for scoring. topics: ids in order; metrics: to list; language: of its texts."""

    topics: tuple[str, ...]
    authors: tuple[str, ...]
    words: str
    texts: str
    metrics: tuple[Metric, ...]
    stored: tuple[MetricConfig, ...]
    language: str = ""

    def suggests(self, metric: Metric) -> bool:
        """Return whether a metric is chosen by default.

        These are the metrics of earlier runs; without any, all but neural metrics, which can take hours,
        and annotation-based metrics, which yield judgements.
        """
        if not self.stored:
            return metric.needs.isdisjoint(MODELS | {Need.PYRAMIDS, Need.PROGRAM})
        return any(config.metric == metric.name for config in self.stored)


def survey_study(study: Study) -> JobSteps[StudySurvey]:
    """Read what a study offers for scoring, without its texts."""
    yield Progress(0, 0, "")
    heads, stored = study.texts.topics(), tuple(listed_configs(study))
    references, summaries = sum(h.references for h in heads), sum(h.summaries for h in heads)
    language = language_of(study)
    systems, authors = len(study.texts.systems()), tuple(study.texts.reference_authors())
    return StudySurvey(
        topics=tuple(head.id for head in heads),
        authors=authors,
        words=f"{len(heads):,} topics · {systems} systems · {len(authors)} references",
        texts=f"{format_count(summaries)} summaries, {format_count(references)} references",
        metrics=tuple(list_metrics(stored, model_names(study), language)),
        stored=stored,
        language=language,
    )
