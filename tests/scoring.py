"""Studies with scores."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from core.operations.options import ReportRequest
from core.ports import Study
from core.progress import run_to_completion
from core.report.build import build_report
from core.report.model import Report
from core.scoring.config import ScoringConfig
from core.scoring.engine import RunReport, parse_config, score
from core.scoring.plan import plan
from core.scoring.study_resources import StudyResources


def score_all(
    study: Study, *wanted: ScoringConfig | str, resources: StudyResources | None = None
) -> RunReport:
    """Score a study by configurations, or by what -m takes; then all is on the disk."""
    used = resources or StudyResources(study, "cpu")
    configs = [parse_config(one, used) if isinstance(one, str) else one for one in wanted]
    report = run_to_completion(score(study, plan(study, configs, used), used))
    study.flush()
    return report


QUICK = ReportRequest(draws=199)
"""A report whose digits do not matter."""


def report_of(study: Study, **options: Any) -> Report:
    """Build a report with few resamples. options: of `ReportRequest`."""
    return run_to_completion(build_report(study, replace(QUICK, **options)))
