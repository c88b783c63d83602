"""Report sections for results of experiments: tables, figures, and commands."""

from __future__ import annotations

import shlex
from functools import partial

from core.comparison.study_digest import study_digest
from core.errors import PyramidionError
from core.experiments.registry import parse_recipe, parse_request
from core.experiments.runner import inputs_hash
from core.figures.charts import chart
from core.figures.scatter_and_heatmap import to_svg_of_both_modes
from core.files.study_address import command_argument
from core.ports import ExperimentRecord, Study
from core.report.model import FigureSvg, ReportInputs, Section
from core.results.result import Chart, Result
from core.results.result_json import from_text


def experiment_sections(inputs: ReportInputs) -> list[Section]:
    """Return a section for each stored result, oldest first; stale results are left out."""
    study = inputs.study
    records = [record for record in study.experiments.all() if record.result]
    if not records:
        return []
    contents = study_digest(study)
    now = inputs_hash(study, contents=contents)
    fresh = [
        record
        for record in reversed(records)
        if record.inputs_hash == now or _is_fresh_beside(study, record, contents)
    ]
    return [_section(record, command_argument(study.path)) for record in fresh]


def _is_fresh_beside(study: Study, record: ExperimentRecord, contents: str) -> bool:
    """Return whether a result that also read other studies is up to date."""
    ask, name = (parse_recipe, record.recipe) if record.recipe else (parse_request, record.experiment)
    try:
        experiment = ask(name, record.settings).experiment
        reads_others = bool(experiment.corpus_hash(study))
    except PyramidionError:  # unknown to this version, or a deleted study
        return False
    return reads_others and record.inputs_hash == inputs_hash(study, experiment, contents)


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


def _illustration(drawn: Chart, *, result: Result, anchor: str, place: int) -> FigureSvg:
    day, night = to_svg_of_both_modes(partial(chart, drawn), drawn.title, salt=f"{anchor} {place}")
    return FigureSvg(drawn.title, day, night, " ".join(result.policy[:1]), is_wide=True)


def _command(record: ExperimentRecord, study: str) -> str:
    """Return the command that reproduces a result, with every setting explicit."""
    source = ["--recipe", record.recipe] if record.recipe else ["--experiment", record.experiment]
    settings = [word for key, value in record.settings.items() for word in ("-s", f"{key}={value}")]
    return shlex.join(["pyramidion", "resample", study, *source, *settings])
