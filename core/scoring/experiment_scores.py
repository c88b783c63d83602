"""Scores that experiments alone asked for: of a sweep's hundred settings, or of a paper's rows.

A study keeps them as any others, and beside them whose they are: they are left out where measures are listed,
unless there are no others, and go when the last experiment that asked for them is forgotten. Whoever scores
one of them by name makes it a measure like any other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextvars import ContextVar

from core.metrics.base import Resources
from core.ports import MetricConfig, Study
from core.ports.study_settings import StudySettings
from core.progress import JobSteps
from core.scoring.engine import RunReport, score
from core.scoring.plan import ScoringPlan
from core.scoring.process_pool import WorkerPool

_PREFIX = "experiment.scores."
_ASKED: ContextVar[set[str] | None] = ContextVar("asked", default=None)
"""What the experiment under way in this thread has asked for, None = there is none."""


def experiment_only_signatures(study: StudySettings) -> frozenset[str]:
    """Signatures that experiments alone asked for."""
    return frozenset().union(*(_of_key(study, key) for key in study.setting_keys(_PREFIX)))


def listed_configs(study: Study) -> Sequence[MetricConfig]:
    """The configurations that somebody scored by name; where there is none, all."""
    configs, made = study.configs(), experiment_only_signatures(study)
    return [config for config in configs if config.signature not in made] or configs


def listen() -> set[str]:
    """The signatures that an experiment asks for until `fall_silent`: the set fills by itself."""
    asked: set[str] = set()
    _ASKED.set(asked)
    return asked


def fall_silent() -> None:
    """End what `listen` began."""
    _ASKED.set(None)


def note_asked(signatures: Iterable[str]) -> None:
    """Tell whoever listens what was asked for, scored anew or not."""
    asked = _ASKED.get()
    if asked is not None:
        asked.update(signatures)


def tag_scores(
    study: Study, experiment_id: str, before: Collection[str], asked: Collection[str] = ()
) -> None:
    """Keep what an experiment has scored, and what it asked for that another experiment had scored.

    before: signatures that there were before.
    """
    key = _PREFIX + experiment_id
    fresh = {config.signature for config in study.configs()} - set(before)
    shared = experiment_only_signatures(study).intersection(asked)
    if (found := _of_key(study, key) | fresh | shared) != _of_key(study, key):
        _keep(study, key, found)


def promote(study: StudySettings, signatures: Collection[str]) -> None:
    """Make these measures like any others: somebody scores them by name."""
    wanted = set(signatures)
    for key in study.setting_keys(_PREFIX):
        made = _of_key(study, key)
        if made & wanted:
            _keep(study, key, made - wanted)


def score_and_promote(
    study: Study, plan: ScoringPlan, tools: Resources, others: WorkerPool | None = None
) -> JobSteps[RunReport]:
    """Score what somebody asked for by name; its measures are like any others from now on."""
    promote(study, [run.stored.signature for run in plan.runs if run.stored is not None])
    return (yield from score(study, plan, tools, others))


def delete_experiment_scores(study: Study, experiment_id: str) -> int:
    """Remove what an experiment alone has asked for; returns how many configurations went."""
    key = _PREFIX + experiment_id
    others = [_of_key(study, other) for other in study.setting_keys(_PREFIX) if other != key]
    gone = _of_key(study, key).difference(*others)
    for signature in sorted(gone):
        study.remove_scores(signature)
    _keep(study, key, frozenset())
    return len(gone)


def _of_key(study: StudySettings, key: str) -> frozenset[str]:
    return frozenset(study.setting(key).split("\n")) - {""}


def _keep(study: StudySettings, key: str, signatures: Collection[str]) -> None:
    study.save_setting(key, "\n".join(sorted(signatures))).result()
