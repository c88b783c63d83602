"""Recompute the numbers of a report on a copy of its study."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from core.comparison.measures import measures
from core.errors import InputError
from core.files.allowed_names import NameKind, allowed_names
from core.files.programs import command_problem
from core.metrics.base import Need
from core.ports import MetricConfig, Study
from core.progress import JobSteps
from core.report.build import build_report
from core.report.document import ReportDocument
from core.report.model import Report
from core.scoring import engine
from core.scoring.config import config_from_stored
from core.scoring.engine import RunReport, ScoringConfig
from core.scoring.experiment_scores import score_and_promote
from core.scoring.process_pool import cores, local_workers
from core.scoring.study_resources import StudyResources


@dataclass(frozen=True, slots=True)
class KeptScores:
    """Scores that were not computed again.

    measures: labels. reason: why, with a remedy.
    is_of_other_version: the metric has changed since, so that they are out of date here alone.
    """

    measures: tuple[str, ...]
    reason: str
    is_of_other_version: bool = False


def recompute_report(
    study: Study, document: ReportDocument, device: str, *, uses_stored_scores: bool
) -> JobSteps[tuple[Report, list[KeptScores], list[str]]]:
    """Score a copy of a study again and build its report; returns what was not scored, and notes, too."""
    kept: list[KeptScores] = []
    notes: list[str] = []
    if not uses_stored_scores:
        kept, notes = yield from _score_again(study, document, device)
    others = [label for one in kept if one.is_of_other_version for label in one.measures]
    report = yield from build_report(study, document.options.request(), others)
    return report, kept, notes


def _score_again(
    study: Study, document: ReportDocument, device: str
) -> JobSteps[tuple[list[KeptScores], list[str]]]:
    """Delete the scores of the report's metrics and compute them again.

    Scores that cannot be computed here are kept. Returns these, and notes on failures.
    """
    resources = StudyResources(study, device)
    kept: list[KeptScores] = []
    stored: dict[ScoringConfig, MetricConfig] = {}
    for config in study.scores.configs():
        if config.signature not in document.signatures:
            continue
        if config.is_imported:
            kept.append(KeptScores(_labels(study, config), "they were imported."))
            continue
        try:
            scoring = config_from_stored(config)
        except InputError as error:  # of another version, or of a package that is not installed
            kept.append(KeptScores(_labels(study, config), str(error)))
            continue
        if problem := _program_problem(scoring):
            kept.append(KeptScores(_labels(study, config), problem))
        elif (here := scoring.signature(resources)) != config.signature:
            kept.append(KeptScores(_labels(study, config), f"their signature here is {here}.", True))
        else:
            stored[scoring] = config
    for refused in engine.plan(study, list(stored), resources).refused:
        kept.append(KeptScores(_labels(study, stored.pop(refused.config)), refused.reason))
    for config in stored.values():
        study.scores.remove(config.signature).result()
    plan = engine.plan(study, list(stored), resources)
    report: RunReport = yield from score_and_promote(
        study, plan, resources, local_workers(study, plan, cores())
    )
    notes = [f"{metric} was not computed: {why}" for metric, why in report.refusals.items()]
    return kept, [*notes, *(f"{one.topic}: {one.message}" for one in report.failures)]


def _program_problem(scoring: ScoringConfig) -> str:
    """Return why a metric's program is not run, empty if it is or if there is none."""
    metric = scoring.metric
    if Need.PROGRAM not in metric.needs:
        return ""
    command = str(getattr(metric, metric.program_setting))
    if allowed_names().has(NameKind.COMMAND, command):
        return command_problem(command)
    allow = shlex.join(["--allow", command])
    return f"the command {command!r} is not allowed. If you trust it, use {allow}."


def _labels(study: Study, config: MetricConfig) -> tuple[str, ...]:
    return tuple(ref.label for ref in measures(study) if ref.signature == config.signature)
