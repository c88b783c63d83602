"""Contents of the Resample page: rows, details and texts for experiments and their results."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.comparison.judgements import judgements
from core.comparison.measures import measures
from core.errors import PyramidionError
from core.experiments.analyses.length_control import USUAL_CONTROLS
from core.experiments.experiment import ExperimentRequest
from core.experiments.registry import all_experiments, all_recipes, parse_recipe, parse_request
from core.experiments.runner import ExperimentRun, stored_run, study_inputs, titled
from core.metrics import registry
from core.ports import ExperimentRecord, Study
from core.progress import JobSteps, Progress
from core.results.result import Result
from core.results.result_json import from_text
from gui.results.settings_form import setting_fields
from gui.results.values import ExperimentDetails, ExperimentRow, ExperimentStatus, ResultDetails, ResultPart
from gui.style.language import date_text, tr

OWN_GROUP = tr("Experiments")
"""Heading of the experiments that are no recipe of a paper."""

NOTES_KEY = "notes-0"
"""Key of the part of a result that lists its notes."""


@dataclass(frozen=True, slots=True)
class ExperimentOption:
    """An experiment or recipe that the page lists.

    default: the request with default settings.
    group: heading of the list, such as the paper of a recipe.
    about: the question that it answers.
    problem: what the study lacks for it; empty = it can run.
    """

    key: str
    default: ExperimentRequest
    group: str
    about: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class AvailableExperiments:
    """Everything that the page can run.

    stored: ids of experiments with a result in the study.
    names: by setting, the names that can be chosen for it.
    """

    options: tuple[ExperimentOption, ...]
    stored: frozenset[str]
    names: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class StoredResult:
    """The stored result of an experiment.

    record, result: None = there is none.
    is_stale: its inputs have changed since it was computed, or cannot be read.
    reason: which have, or why they cannot be read; empty = unknown.
    """

    experiment_id: str
    record: ExperimentRecord | None
    result: Result | None
    is_stale: bool = False
    reason: str = ""


def find_experiments(study: Study) -> JobSteps[AvailableExperiments]:
    """Return every experiment and recipe, with what the study lacks for it."""
    yield Progress(0, 0, tr("listing experiments"))
    own = [
        ExperimentOption(f"experiment:{cls.name}", parse_request(cls.name), OWN_GROUP, cls.about)
        for cls in all_experiments()
    ]
    recipes = [
        ExperimentOption(f"recipe:{r.name}", parse_recipe(r.name), r.paper, r.experiment.about)
        for r in all_recipes()
    ]
    checked = []
    for done, option in enumerate((*own, *recipes)):
        yield Progress(done, len(own) + len(recipes), option.default.title)
        checked.append(_with_problem(study, option))
    stored = frozenset(record.id for record in study.experiments.all() if record.result)
    names = {
        "measures": [ref.label for ref in measures(study, check_stale=False)],
        "judgements": [ref.name for ref in judgements(study)],
    }
    properties = [kind.name for kind in registry.metrics() if not kind.has_direction]
    controls = (*USUAL_CONTROLS, *properties, *names["measures"], *names["judgements"])
    names["controls"] = list(dict.fromkeys(controls))
    return AvailableExperiments(tuple(checked), stored, names)


def read_result(study: Study, request: ExperimentRequest) -> JobSteps[StoredResult]:
    yield Progress(0, 0, tr("reading a result"))
    record = study.experiments.get(request.experiment.id)
    if record is None or not record.result:
        return StoredResult(request.experiment.id, None, None)
    result = titled(from_text(record.result, record.title), request)
    try:
        inputs = study_inputs(study, request.experiment)
    except PyramidionError as error:  # of another study
        return StoredResult(record.id, record, result, is_stale=True, reason=str(error))
    if stored_run(study, request, inputs.hash) is not None:
        return StoredResult(record.id, record, result)
    changes = inputs.changes_since(record.parts)
    reason = tr("Since this result was computed, {changes}.", changes=changes) if changes else ""
    return StoredResult(record.id, record, result, is_stale=True, reason=reason)


def result_of_run(run: ExperimentRun) -> StoredResult:
    """Return the result of a run that has just finished."""
    return StoredResult(run.record.id, run.record, run.result)


def experiment_row(
    option: ExperimentOption, request: ExperimentRequest, stored: frozenset[str], running: str
) -> ExperimentRow:
    """Return the row of an option in the list.

    stored: ids of experiments with a result in the study.
    running: key of the option that is running, empty = none.
    """
    if option.key == running:
        status, status_text = ExperimentStatus.RUNNING, "running"
    elif option.problem:
        status, status_text = ExperimentStatus.UNAVAILABLE, "unavailable"
    elif request.experiment.id in stored:
        status, status_text = ExperimentStatus.STORED, tr("done")
    else:
        status, status_text = ExperimentStatus.NEW, ""
    name = option.key.partition(":")[2]
    label = recipe_label(option.key)
    title = f"{label}: {request.title}" if label else request.title
    tip = f"{title}\n{option.problem or option.about}\n{name}"
    return ExperimentRow(option.key, title, option.group, status, status_text, tip)


def recipe_label(key: str) -> str:
    """Return the label of a recipe in its paper, such as ``Table 1``; empty for other experiments."""
    kind, _, name = key.partition(":")
    words = name.split("-")[-2:]
    return " ".join(words).capitalize() if kind == "recipe" else ""


def experiment_details(
    option: ExperimentOption, request: ExperimentRequest, study_name: str, names: Mapping[str, Sequence[str]]
) -> ExperimentDetails:
    """Return the details of an option with its current settings.

    names: by setting, the names that can be chosen for it.
    """
    remedy = tr("Go to Score") if "score" in option.problem.lower() else ""
    return ExperimentDetails(
        key=option.key,
        title=request.title,
        about=option.about,
        paper="" if option.group == OWN_GROUP else option.group,
        fields=setting_fields(request.experiment, names),
        command=resample_command(option, request, study_name),
        problem=option.problem,
        remedy=remedy,
        is_default=request.experiment == option.default.experiment,
    )


def resample_command(option: ExperimentOption, request: ExperimentRequest, study_name: str) -> str:
    kind, _, name = option.key.partition(":")
    default, current = option.default.experiment.settings(), request.experiment.settings()
    changed = [f"{key}={value}" for key, value in current.items() if default[key] != value]
    settings = [word for pair in changed for word in ("-s", pair)]
    return shlex.join(["pyramidion", "resample", study_name, f"--{kind}", name, *settings])


def result_details(stored: StoredResult) -> ResultDetails:
    """Return the texts around a result, which must not be None."""
    assert stored.record is not None
    assert stored.result is not None
    at = stored.record.at.astimezone()
    return ResultDetails(
        title=stored.result.title,
        fact=tr(
            "{at} · seed {seed} · {seconds}",
            at=date_text(at, tr("d MMM yyyy, HH:mm")),
            seed=stored.record.seed,
            seconds=_seconds(stored.record.seconds),
        ),
        parts=result_parts(stored.result),
        notes=result_notes(stored.result),
        policy=" ".join(stored.result.policy),
        is_stale=stored.is_stale,
        reason=stored.reason,
    )


def result_parts(result: Result) -> tuple[ResultPart, ...]:
    """Return the parts of a result: figures, then tables, then notes if there are any."""
    charts = [("chart", tr("Figure"), chart.title) for chart in result.charts]
    tables = [("table", tr("Table"), table.title) for table in result.tables]
    notes = result_notes(result)
    last = (ResultPart(NOTES_KEY, tr("Notes ({notes})", notes=len(notes)), ""),) if notes else ()
    return (*_numbered(charts), *_numbered(tables), *last)


def result_notes(result: Result) -> tuple[str, ...]:
    """Return the notes on a result, a sentence each: stand-in models and warnings."""
    return (*result.stand_ins, *result.warnings)


def _numbered(parts: Sequence[tuple[str, str, str]]) -> list[ResultPart]:
    has_several = len(parts) > 1
    return [
        ResultPart(f"{kind}-{index}", f"{label} {index + 1}" if has_several else label, title)
        for index, (kind, label, title) in enumerate(parts)
    ]


def _with_problem(study: Study, option: ExperimentOption) -> ExperimentOption:
    try:
        problem = option.default.experiment.missing_requirements(study)
    except PyramidionError as error:
        problem = str(error)
    return replace(option, problem=problem)


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 60 else tr("{seconds:.0f} min", seconds=seconds / 60)


def missing_result_text(option: ExperimentOption | None, *, is_running: bool) -> tuple[str, bool]:
    """Return the reason why there is no result, and whether the experiment can be run now."""
    if option is None:
        return tr("Select an experiment."), False
    if is_running:
        return (
            tr(
                "Running. Progress is shown at the bottom of the window. If you cancel, finished "
                "steps are stored."
            ),
            False,
        )
    if option.problem:
        return option.problem, False
    return tr("Not run with these settings yet."), True
