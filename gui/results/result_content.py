"""What the Resample page says, made from experiments and what they found."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.comparison.judgements import judgements
from core.comparison.measures import measures
from core.errors import PyramidionError
from core.experiments.experiment import ExperimentRequest
from core.experiments.registry import all_experiments, all_recipes, parse_recipe, parse_request
from core.experiments.runner import ExperimentRun, inputs_hash, stored_run, titled
from core.ports import ExperimentRecord, Study
from core.progress import JobSteps, Progress
from core.results.result import Result
from core.results.result_json import from_text
from gui.results.setting_fields import setting_fields
from gui.results.values import ExperimentDetails, ExperimentRow, ExperimentStatus, ResultDetails, ResultPart

OWN_GROUP = "Experiments"
"""Heading of what is no paper's recipe."""

NOTES_KEY = "notes-0"
"""Key of the part that lists what a reader must know."""


@dataclass(frozen=True, slots=True)
class ExperimentOption:
    """One line of the page. group: the paper of a recipe. about: what it asks."""

    key: str
    asked: ExperimentRequest
    group: str
    about: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class AvailableExperiments:
    """All that can be asked.

    kept: ids of experiments of which the study keeps a result. names: setting to the names that it can list.
    """

    offers: tuple[ExperimentOption, ...]
    kept: frozenset[str]
    names: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class StoredResult:
    """A result of the study. is_stale: something that it was made from has changed since."""

    experiment_id: str
    record: ExperimentRecord | None
    result: Result | None
    is_stale: bool = False


def find_experiments(study: Study) -> JobSteps[AvailableExperiments]:
    """Every experiment and recipe, with what the study lacks for it."""
    yield Progress(0, 0, "listing experiments")
    own = [
        ExperimentOption(f"experiment:{cls.name}", parse_request(cls.name), OWN_GROUP, cls.about)
        for cls in all_experiments()
    ]
    recipes = [
        ExperimentOption(f"recipe:{r.name}", parse_recipe(r.name), r.paper, r.experiment.about)
        for r in all_recipes()
    ]
    found = []
    for place, offer in enumerate((*own, *recipes)):
        yield Progress(place, len(own) + len(recipes), offer.asked.title)
        found.append(_with_problem(study, offer))
    kept = frozenset(record.id for record in study.experiments.all() if record.result)
    names = {
        "measures": [ref.label for ref in measures(study, check_stale=False)],
        "judgements": [ref.name for ref in judgements(study)],
    }
    return AvailableExperiments(tuple(found), kept, names)


def read_result(study: Study, question: ExperimentRequest) -> JobSteps[StoredResult]:
    """What the study keeps of a question."""
    yield Progress(0, 0, "reading a result")
    record = study.experiments.get(question.experiment.id)
    if record is None or not record.result:
        return StoredResult(question.experiment.id, None, None)
    inputs = inputs_hash(study, question.experiment)
    is_fresh = stored_run(study, question, inputs) is not None
    result = titled(from_text(record.result), question)
    return StoredResult(record.id, record, result, is_stale=not is_fresh)


def result_of_run(outcome: ExperimentRun) -> StoredResult:
    """What a run has just found."""
    return StoredResult(outcome.record.id, outcome.record, outcome.result)


def experiment_row(
    offer: ExperimentOption, question: ExperimentRequest, kept: frozenset[str], running: str
) -> ExperimentRow:
    """An offer as the list shows it. running: the key of what is under way, empty = nothing."""
    if offer.key == running:
        found, status = ExperimentStatus.RUNNING, "running"
    elif offer.problem:
        found, status = ExperimentStatus.LACKING, "lacks something"
    elif question.experiment.id in kept:
        found, status = ExperimentStatus.KEPT, "done"
    else:
        found, status = ExperimentStatus.NEW, ""
    name = offer.key.partition(":")[2]
    place = recipe_label(offer.key)
    title = f"{place}: {question.title}" if place else question.title
    tip = f"{title}\n{offer.problem or offer.about}\n{name}"
    return ExperimentRow(offer.key, title, offer.group, found, status, tip)


def recipe_label(key: str) -> str:
    """Where a recipe's paper has it, as ``Table 1``; empty for what is no recipe."""
    kind, _, name = key.partition(":")
    words = name.split("-")[-2:]
    return " ".join(words).capitalize() if kind == "recipe" else ""


def experiment_details(
    offer: ExperimentOption, question: ExperimentRequest, study_name: str, names: Mapping[str, Sequence[str]]
) -> ExperimentDetails:
    """An offer in full, as it is set now. names: setting to the names that it can list."""
    remedy = ""
    if offer.problem:
        remedy = "Go to Score" if "score" in offer.problem.lower() else ""
    return ExperimentDetails(
        key=offer.key,
        title=question.title,
        about=offer.about,
        paper="" if offer.group == OWN_GROUP else offer.group,
        fields=setting_fields(question.experiment, names),
        command=resample_command(offer, question, study_name),
        problem=offer.problem,
        remedy=remedy,
        is_default=question.experiment == offer.asked.experiment,
    )


def resample_command(offer: ExperimentOption, question: ExperimentRequest, study_name: str) -> str:
    """What does the same on the command line."""
    kind, _, name = offer.key.partition(":")
    standard, now = offer.asked.experiment.settings(), question.experiment.settings()
    changed = [f"{key}={value}" for key, value in now.items() if standard[key] != value]
    settings = [word for pair in changed for word in ("-s", pair)]
    return shlex.join(["pyramidion", "resample", study_name, f"--{kind}", name, *settings])


def result_details(kept: StoredResult) -> ResultDetails:
    """What stands round a result."""
    assert kept.record is not None
    assert kept.result is not None
    at = kept.record.at.astimezone()
    return ResultDetails(
        title=kept.result.title,
        fact=f"{at:%d %b %Y, %H:%M} · seed {kept.record.seed} · {_seconds(kept.record.seconds)}",
        parts=result_parts(kept.result),
        notes=result_notes(kept.result),
        policy=" ".join(kept.result.policy),
        is_stale=kept.is_stale,
    )


def result_parts(result: Result) -> tuple[ResultPart, ...]:
    """Its tables and figures, figures first, as they say most at a glance."""
    charts = [("chart", "Figure", chart.title) for chart in result.charts]
    tables = [("table", "Table", table.title) for table in result.tables]
    notes = result_notes(result)
    said = (ResultPart(NOTES_KEY, f"Notes ({len(notes)})", ""),) if notes else ()
    return (*_numbered(charts), *_numbered(tables), *said)


def result_notes(result: Result) -> tuple[str, ...]:
    """What a reader of the numbers must know beside them, a sentence each."""
    return (*result.stand_ins, *result.warnings)


def _numbered(parts: Sequence[tuple[str, str, str]]) -> list[ResultPart]:
    several = len(parts) > 1
    return [
        ResultPart(f"{kind}-{place}", f"{short} {place + 1}" if several else short, title)
        for place, (kind, short, title) in enumerate(parts)
    ]


def _with_problem(study: Study, offer: ExperimentOption) -> ExperimentOption:
    try:
        problem = offer.asked.experiment.lacking(study)
    except PyramidionError as error:
        problem = str(error)
    return ExperimentOption(offer.key, offer.asked, offer.group, offer.about, problem)


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 60 else f"{seconds / 60:.0f} min"


def missing_result_text(offer: ExperimentOption | None, *, is_running: bool) -> tuple[str, bool]:
    """Why there is no result, and whether running helps."""
    if offer is None:
        return "Choose an experiment at the left.", False
    if is_running:
        return (
            "Running. Progress stands at the foot of the window; what is done is kept if you stop it.",
            False,
        )
    if offer.problem:
        return offer.problem, False
    return "Not run with these settings yet.", True
