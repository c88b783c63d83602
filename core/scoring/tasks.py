"""Scoring tasks that can run in any process: one topic with every configuration that has to score it.

The texts of a topic are transferred and tokenized once. The result depends on nothing but the task, so it
does not matter which process runs it, in which order, or how often.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.domain.study import Text, TopicTexts
from core.errors import MissingResource, PyramidionError
from core.metrics import registry
from core.metrics.base import MODELS, Metric, Need, Resources
from core.metrics.base.unknown_tokens import score_readable
from core.ports import ScoreBlock, ScoringInputs
from core.scoring.jackknife import score_jackknife, with_references_as_systems
from core.scoring.plan import PlannedRun, ScoringPlan
from core.scoring.staleness import input_parts

LOCAL_ONLY_NEEDS = MODELS | {Need.PYRAMIDS, Need.INDEX, Need.PROGRAM}
"""Needs that tie a metric to the process with the study, its index, the models and programs."""


@dataclass(frozen=True, slots=True)
class TaskResult:
    """The result of one configuration on a topic: a block, or the reason why there is none.

    is_missing: a required resource is missing, which will be missing for other topics too.
    """

    block: ScoreBlock | None
    seconds: float
    message: str = ""
    is_missing: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """A topic and the runs that score it, without what only planning needed."""

    topic: TopicTexts
    runs: tuple[PlannedRun, ...]

    @classmethod
    def of(cls, topic: TopicTexts, runs: Sequence[PlannedRun]) -> Task:
        return cls(topic, tuple(replace(run, topics=(), left_out={}, changes={}) for run in runs))


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceCorpus:
    """The references of a study, topic by topic: all that a remote metric may read of the study."""

    references: tuple[tuple[Text, ...], ...] = ()

    @property
    def key(self) -> str:
        """Return a key that is the same for equal corpora."""
        topics = ("".join(text.reading_key for text in texts) for texts in self.references)
        return hashlib.sha256("\n".join(topics).encode()).hexdigest()


def can_run_remotely(metric: Metric) -> bool:
    """Return whether a metric reads only the texts of a topic and the study's references."""
    return not metric.needs & LOCAL_ONLY_NEEDS


def corpus_of(study: ScoringInputs, plan: ScoringPlan) -> ReferenceCorpus:
    """Return the references that the remote part of a plan may read."""
    metrics = [run.config.metric for run in plan.runs]
    asks = any(can_run_remotely(metric) and Need.CORPUS in metric.needs for metric in metrics)
    return ReferenceCorpus(tuple(map(tuple, study.texts.reference_sets())) if asks else ())


def run_task(task: Task, resources: Resources) -> list[TaskResult]:
    """Score the topic of a task with each of its runs, in order."""
    if any(not type(run.config.metric).__module__.startswith("core.") for run in task.runs):
        registry.metrics()  # loads other packages here too, so that their errors are caught
    return [score_run(run, task.topic, resources) for run in task.runs]


def score_run(run: PlannedRun, topic: TopicTexts, resources: Resources) -> TaskResult:
    """Score a topic with one run."""
    began = time.perf_counter()
    try:
        block = score_topic(run, topic, resources)
    except PyramidionError as error:
        seconds = time.perf_counter() - began
        return TaskResult(None, seconds, str(error), is_missing=isinstance(error, MissingResource))
    except MemoryError as error:  # other topics are shorter, other metrics ask for less
        return TaskResult(None, time.perf_counter() - began, _too_long(error))
    return TaskResult(block, time.perf_counter() - began)


def _too_long(error: MemoryError) -> str:
    """Return an error message for texts that do not fit into memory."""
    amount = f" ({str(error).split(' for an array')[0]})" if str(error) else ""
    return (
        f"Its texts take more memory than this computer has left{amount}. Close other programs, or shorten "
        "the longest texts or sentences."
    )


def score_topic(run: PlannedRun, topic: TopicTexts, resources: Resources) -> ScoreBlock:
    """Return the block of one topic: a pure function, suitable for other processes."""
    began = time.perf_counter()
    config, metric = run.config, run.config.metric
    chosen = config.restrict(topic)
    rows = with_references_as_systems(chosen) if config.humans else chosen
    # Before anything is read, so that what changes meanwhile leaves the block stale.
    inputs = config.inputs_hash(run.stored.signature, chosen, run.corpus_hash, resources)
    parts = input_parts(config, chosen, run.corpus_hash, resources)
    own = resources.with_references_by(config.references)
    scores = score_jackknife(metric, chosen, own) if config.humans else score_readable(metric, chosen, own)
    return ScoreBlock(
        topic_id=topic.id,
        systems=tuple([text.name for text in rows.summaries]),
        references=tuple([text.name for text in chosen.references]),
        values=scores.values,
        stats=scores.stats,
        inputs_hash=inputs,
        seconds=time.perf_counter() - began,
        notes=scores.notes,
        parts=parts,
        answers=scores.answers,
    )
