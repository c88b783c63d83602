"""Chapters of a report for what experiments found: their tables and figures, and what repeats them."""

from __future__ import annotations

import shlex
from functools import partial

from core.experiments.result import Chart, Result
from core.experiments.result_json import from_text
from core.experiments.running import inputs_hash
from core.ports import ExperimentRecord
from core.report.charts import chart
from core.report.figures import to_svg
from core.report.palette import NIGHT, PAPER
from core.report.report import Findings, Illustration, Section


def experiment_sections(findings: Findings) -> list[Section]:
    """A chapter for each result that the study keeps, oldest first; what is out of date is left out."""
    study = findings.study
    kept = [record for record in study.experiments() if record.result]
    if not kept:
        return []
    now = inputs_hash(study)
    fresh = [record for record in reversed(kept) if record.inputs_hash == now]
    return [_section(record, study.path.name) for record in fresh]


def _section(record: ExperimentRecord, study: str) -> Section:
    result = from_text(record.result)
    anchor = f"experiment-{record.id[:8]}"
    draw = partial(_illustration, result=result, anchor=anchor)
    return Section(
        title=f"Experiment: {record.title}",
        anchor=anchor,
        paragraphs=(*result.policy, *result.stand_ins, *result.warnings),
        tables=result.tables,
        illustrations=tuple(draw(each, place=place) for place, each in enumerate(result.charts)),
        code=(_command(record, study),),
    )


def _illustration(drawn: Chart, *, result: Result, anchor: str, place: int) -> Illustration:
    day, night = (
        to_svg(chart(drawn, palette), drawn.title, f"{anchor} {place} {when}")
        for palette, when in ((PAPER, "by day"), (NIGHT, "by night"))
    )
    return Illustration(drawn.title, day, night, " ".join(result.policy[:1]), is_wide=True)


def _command(record: ExperimentRecord, study: str) -> str:
    """What finds it again, with every setting, so that another version's defaults change nothing."""
    asked = ["--recipe", record.recipe] if record.recipe else ["--experiment", record.experiment]
    settings = [word for key, value in record.settings.items() for word in ("-s", f"{key}={value}")]
    return shlex.join(["pyramidion", "resample", study, *asked, *settings])
