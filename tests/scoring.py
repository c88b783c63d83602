"""Studies with scores."""

from __future__ import annotations

from core.ports import Study
from core.progress import run
from core.scoring.engine import RunReport, config_of, score
from core.scoring.engine_tools import EngineTools
from core.scoring.plan import Config, plan


def score_all(study: Study, *wanted: Config | str, tools: EngineTools | None = None) -> RunReport:
    """Score a study by configurations, or by what -m takes; then all is on the disk."""
    lent = tools or EngineTools(study, "cpu")
    configs = [config_of(one, lent) if isinstance(one, str) else one for one in wanted]
    report = run(score(study, plan(study, configs, lent), lent))
    study.flush()
    return report
