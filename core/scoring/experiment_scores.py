"""Scores that were requested by experiments only, for example for a settings sweep.

A study stores them like any others together with the experiments that requested them. They are hidden in
lists of measures unless there are no others, and deleted with the last experiment that requested them.
Scoring one of them by name makes it an ordinary measure.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TypeVar

from core.metrics.base import Resources
from core.ports import MetricConfig, Study
from core.progress import JobSteps, Progress
from core.scoring.engine import RunReport, score
from core.scoring.plan import ScoringPlan
from core.scoring.process_pool import WorkerPool

_PREFIX = "experiment.scores."
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ScoresRequested(Progress):
    """A step of an experiment that requests scores. signatures: whether they are scored again or not."""

    signatures: frozenset[str] = frozenset()


def experiment_only_signatures(study: Study) -> frozenset[str]:
    """Return the signatures that were requested by experiments only."""
    return frozenset().union(*(_of_key(study, key) for key in study.settings.keys(_PREFIX)))


def listed_configs(study: Study) -> Sequence[MetricConfig]:
    """Return the configurations that were scored by name; all of them if there are none."""
    configs, made = study.scores.configs(), experiment_only_signatures(study)
    return [config for config in configs if config.signature not in made] or configs


def record_requests(steps: JobSteps[T], requested: set[str]) -> JobSteps[T]:
    """Run an experiment and add the signatures that it requests to a set, also if it is stopped."""
    with closing(steps):
        while True:
            try:
                step = next(steps)
            except StopIteration as end:
                result: T = end.value
                return result
            if isinstance(step, ScoresRequested):
                requested.update(step.signatures)
            else:
                yield step


def tag_scores(
    study: Study, experiment_id: str, before: Collection[str], requested: Collection[str] = ()
) -> None:
    """Store which scores an experiment computed or reused from another experiment.

    before: signatures that existed before.
    requested: signatures that the experiment requested.
    """
    key = _PREFIX + experiment_id
    fresh = {config.signature for config in study.scores.configs()} - set(before)
    shared = experiment_only_signatures(study).intersection(requested)
    if (signatures := _of_key(study, key) | fresh | shared) != _of_key(study, key):
        _keep(study, key, signatures)


def promote(study: Study, signatures: Collection[str]) -> None:
    """Turn scores of experiments into ordinary measures."""
    promoted = set(signatures)
    for key in study.settings.keys(_PREFIX):
        made = _of_key(study, key)
        if made & promoted:
            _keep(study, key, made - promoted)


def score_and_promote(
    study: Study, plan: ScoringPlan, resources: Resources, others: WorkerPool | None = None
) -> JobSteps[RunReport]:
    """Score configurations that were requested by name; their measures become ordinary ones."""
    promote(study, [run.stored.signature for run in plan.runs])
    return (yield from score(study, plan, resources, others))


def delete_experiment_scores(study: Study, experiment_id: str) -> int:
    """Delete scores that only this experiment requested; returns the number of configurations deleted."""
    key = _PREFIX + experiment_id
    others = [_of_key(study, other) for other in study.settings.keys(_PREFIX) if other != key]
    gone = _of_key(study, key).difference(*others)
    for signature in sorted(gone):
        study.scores.remove(signature)
    _keep(study, key, frozenset())
    return len(gone)


def _of_key(study: Study, key: str) -> frozenset[str]:
    return frozenset(study.settings.get(key).split("\n")) - {""}


def _keep(study: Study, key: str, signatures: Collection[str]) -> None:
    study.settings.save(key, "\n".join(sorted(signatures))).result()
